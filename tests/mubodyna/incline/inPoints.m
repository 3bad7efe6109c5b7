function [Points] = inPoints
include_global

P1 = Point_struct; P1.Bindex = 2;

Points = [P1];
