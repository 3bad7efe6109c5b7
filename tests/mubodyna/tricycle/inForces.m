function [Forces] = inForces
include_global

S1 = Force_struct;
S1.type = 'weight';
S1.gravity = 9.81;
S1.wgt = [0; 0; -1];

S2 = Force_struct;
S2.type = 'np';     % drive
S2.iBindex = 3;
S2.np = [0; 20; 0];

Forces = [S1; S2];
