function [Vectors1] = inVectors1
include_global
Vectors1 = [];
