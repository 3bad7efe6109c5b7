function [Joints] = inJoints
include_global

J1 = Joint_struct;
J1.type = 'sph';
J1.iPindex = 2;
J1.jPindex = 1;

Joints = [J1];
