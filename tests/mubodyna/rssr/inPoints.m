function [Points] = inPoints
include_global

P1 = Point_struct; P1.Bindex = 1;
P2 = Point_struct; P2.Bindex = 1; P2.sPp = [0; 0; 2];
P3 = Point_struct; P3.Bindex = 2; P3.sPp = [0; -3.2016; 0];
P4 = Point_struct; P4.Bindex = 2; P4.sPp = -P3.sPp;
P5 = Point_struct; P5.Bindex = 3; P5.sPp = [0; 0; 7];
P6 = Point_struct; P6.Bindex = 3;
P7 = Point_struct; P7.sPp = [0; 4; 0];
P8 = Point_struct;

Points = [P1; P2; P3; P4; ...
          P5; P6; P7; P8];
