function [Joints] = inJoints
include_global
Joints = [];
