function inSolver
include_global

correct_ic = 'n';
t_final = 4;
dt = 0.02;
method = 'standard';
