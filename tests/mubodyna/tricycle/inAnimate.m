function inAnimate
include_global

P9 = Point_struct;  P9.Bindex = 2;  P9.sPp = [0; 0.2; 0.25];
P10 = Point_struct; P10.Bindex = 2; P10.sPp = [0; -0.2; 0.25];
Points_anim = [P9; P10];
xmin = -3; xmax = 6; ymin = -3; ymax = 3; zmin = -1; zmax = 1;
AZ = 130; EL = 20;
