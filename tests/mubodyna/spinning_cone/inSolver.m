function inSolver
include_global

correct_ic = 'n';
t_final = 5;
dt = 0.02;
method = 'standard';
