function inSolver
include_global

correct_ic = 'n';
t_final = 0;
dt = 0.001;
method = 'standard';
