function inAnimate
include_global
Points_anim = [];
