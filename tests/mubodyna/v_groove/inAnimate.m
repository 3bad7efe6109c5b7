function inAnimate
include_global

Points_anim = [];
xmin = -5.5; xmax = 5.5; ymin = -7.5; ymax = 20; zmin = 0; zmax = 7;
AZ = 0; EL = 0;
