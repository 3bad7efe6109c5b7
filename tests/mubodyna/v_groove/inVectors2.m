function [Vectors2] = inVectors2
include_global

V1 = Vector2_struct; V1.iPindex = 4; V1.jPindex = 5;
V2 = Vector2_struct; V2.iPindex = 6; V2.jPindex = 7;

Vectors2 = [V1; V2];
