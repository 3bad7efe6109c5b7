function [Points] = inPoints
include_global

P1 = Point_struct;               % apex on the ground
P2 = Point_struct;               % apex of the cone
P2.Bindex = 1;
P2.sPp = [0; 0.3; 0];

Points = [P1; P2];
