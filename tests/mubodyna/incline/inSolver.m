function inSolver
include_global

correct_ic = 'y';
t_final = 2;
dt = 0.01;
method = 'standard';
