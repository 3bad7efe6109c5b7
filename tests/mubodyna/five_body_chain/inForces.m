function [Forces] = inForces
include_global

S1 = Force_struct;
S1.type = 'weight';
S1.gravity = 9.81;
S1.wgt = [0; 0; -1];

Forces = [S1];
