function inAnimate
include_global

Points_anim = [];
xmin = -5; xmax = 5; ymin = -5; ymax = 5; zmin = -2; zmax = 8;
AZ = 130; EL = -30;
