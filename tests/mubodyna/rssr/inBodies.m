function [Bodies] = inBodies
include_global

fi = 51.34*pi/180;  te = pi/4;

B1 = Body_struct;   % crank
B1.mass = 0.5;
B1.Jp = 0.03*eye(3);
B1.w = [2*pi; 0; 0];

B2 = Body_struct;   % coupler
B2.mass = 1.5;
B2.Jp = 0.02*eye(3);
B2.r = [0; 2; 4.5];
B2.p = [cos(fi/2); sin(fi/2)*[1; 0; 0]];

B3 = Body_struct;   % follower
B3.mass = 0.15;
B3.Jp = diag([0.02 0.02 0.02]);
B3.r = [0 4 0]';
B3.p = [cos(te/2); 0; 0; sin(te/2)];

Bodies = [B1 B2 B3];
