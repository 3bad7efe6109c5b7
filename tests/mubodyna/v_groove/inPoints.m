function [Points] = inPoints
include_global

P1 = Point_struct; P1.Bindex = 2;
P2 = Point_struct; P2.Bindex = 2; P2.sPp = [0; 0; 1];
P3 = Point_struct; P3.Bindex = 2; P3.sPp = [0; 0; -1];
P4 = Point_struct; P4.Bindex = 1; P4.sPp = [-10*sqrt(3); 0; 10];
P5 = Point_struct; P5.Bindex = 1; P5.sPp = [0; 0; -10];
P6 = Point_struct; P6.Bindex = 3; P6.sPp = [10*sqrt(3); 0; 10];
P7 = Point_struct; P7.Bindex = 3;

Points = [P1; P2; P3; P4; P5; P6; P7];
