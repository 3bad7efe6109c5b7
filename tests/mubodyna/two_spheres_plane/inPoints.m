function [Points] = inPoints
include_global

P1 = Point_struct; P1.Bindex = 2;
P2 = Point_struct; P2.Bindex = 3;

Points = [P1; P2];
