function inSolver
include_global

correct_ic = 'n';
t_final = 3;
dt = 0.01;
method = 'standard';
