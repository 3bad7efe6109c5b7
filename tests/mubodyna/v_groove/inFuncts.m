function [Functs] = inFuncts
include_global
Functs = [];
