function [Points] = inPoints
include_global

L = 0.5;
P1 = Point_struct;
P2 = Point_struct; P2.Bindex = 1; P2.sPp = [-L/2; 0; 0];
P3 = Point_struct; P3.Bindex = 1; P3.sPp = [L/2; 0; 0];
P4 = Point_struct; P4.Bindex = 2; P4.sPp = [-L/2; 0; 0];
P5 = Point_struct; P5.Bindex = 2; P5.sPp = [L/2; 0; 0];
P6 = Point_struct; P6.Bindex = 3; P6.sPp = [-L/2; 0; 0];
P7 = Point_struct; P7.Bindex = 3; P7.sPp = [L/2; 0; 0];
P8 = Point_struct; P8.Bindex = 4; P8.sPp = [-L/2; 0; 0];
P9 = Point_struct; P9.Bindex = 4; P9.sPp = [L/2; 0; 0];
P10 = Point_struct; P10.Bindex = 5; P10.sPp = [-L/2; 0; 0];
P11 = Point_struct; P11.Bindex = 5; P11.sPp = [L/2; 0; 0];

Points = [P1; P2; P3; P4; P5; P6; P7; P8; P9; P10; P11];
