function [Vectors2] = inVectors2
include_global
Vectors2 = [];
