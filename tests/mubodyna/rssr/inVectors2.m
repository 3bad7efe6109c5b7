function [Vectors2] = inVectors2
include_global

V1 = Vector2_struct;
V1.iPindex = 1;
V1.jPindex = 4;

Vectors2 = [V1];
