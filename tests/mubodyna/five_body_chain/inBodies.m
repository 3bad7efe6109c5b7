function [Bodies] = inBodies
include_global

L = 0.5;
R = 0.05;
J = diag([R^2/2, R^2/4 + L^2/12, R^2/4 + L^2/12]);   % a cylinder of 1 kg along x
B1 = Body_struct; B1.mass = 1; B1.Jp = J; B1.r = [1*L - L/2; 0; 0];
B2 = Body_struct; B2.mass = 1; B2.Jp = J; B2.r = [2*L - L/2; 0; 0];
B3 = Body_struct; B3.mass = 1; B3.Jp = J; B3.r = [3*L - L/2; 0; 0];
B4 = Body_struct; B4.mass = 1; B4.Jp = J; B4.r = [4*L - L/2; 0; 0];
B5 = Body_struct; B5.mass = 1; B5.Jp = J; B5.r = [5*L - L/2; 0; 0];

Bodies = [B1 B2 B3 B4 B5];
