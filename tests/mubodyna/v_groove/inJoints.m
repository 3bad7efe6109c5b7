function [Joints] = inJoints
include_global

J1 = Joint_struct; J1.type = 'fix'; J1.iBindex = 1;
J2 = Joint_struct; J2.type = 'fix'; J2.iBindex = 3;

Joints = [J1; J2];
