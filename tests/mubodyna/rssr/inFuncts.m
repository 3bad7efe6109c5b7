function [Functs] = inFuncts
include_global

C1 = Funct_struct;
C1.type = 'a';
C1.coeff = [0 2*pi 0];

Functs = [C1];
