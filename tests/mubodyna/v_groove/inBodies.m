function [Bodies] = inBodies
include_global

B1 = Body_struct;   % plane
B1.mass = 100;
B1.Jp = 0.1*eye(3);
B1.r = [0; 0; 0];
B1.modulus = 290e9; B1.poisson = 0.3;

B2 = Body_struct;   % sphere
B2.mass = 5;
B2.Jp = 2*eye(3);
B2.r = [-3; 0; 6];
B2.radius = 1; B2.modulus = 290e9; B2.poisson = 0.3;

B3 = Body_struct;   % plane
B3.mass = 100;
B3.Jp = 0.1*eye(3);
B3.r = [0; 0; 0];
B3.modulus = 290e9; B3.poisson = 0.3;

Bodies = [B1; B2; B3];
