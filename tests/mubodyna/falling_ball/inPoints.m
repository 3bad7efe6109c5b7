function [Points] = inPoints
include_global

P1 = Point_struct; P1.Bindex = 1;

Points = [P1];
