function [Forces] = inForces
include_global

S1 = Force_struct;
S1.type = 'weight';
S1.gravity = 9.81;
S1.wgt = [0; 0; -1];

S2 = Force_struct;  % spring
S2.type = 'ptp';
S2.V2index = 1;
S2.k = 50;
S2.el_0 = 8;

Forces = [S1; S2];
