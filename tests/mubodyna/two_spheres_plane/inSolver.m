function inSolver
include_global

correct_ic = 'y';
t_final = 6;
dt = 0.01;
method = 'standard';
