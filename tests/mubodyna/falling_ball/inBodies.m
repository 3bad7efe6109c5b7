function [Bodies] = inBodies
include_global

B1 = Body_struct;   % sphere
B1.mass = 5;
B1.Jp = 2*eye(3);
B1.r = [0; 0; 5];
B1.radius = 1; B1.modulus = 290e9; B1.poisson = 0.3;

Bodies = [B1];
