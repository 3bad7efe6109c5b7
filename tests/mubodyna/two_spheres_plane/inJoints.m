function [Joints] = inJoints
include_global

J1 = Joint_struct; J1.type = 'fix'; J1.iBindex = 1;

Joints = [J1];
