function [Bodies] = inBodies
include_global

B1 = Body_struct;   % frame
B1.mass = 50;
B1.Jp = diag([1 10 1]);
B1.r = [0.4; 0; 0.2];

B2 = Body_struct;   % fork
B2.mass = 0.5;
B2.Jp = 0.5*eye(3);
B2.r = [0.9; 0; 0.3];

wheel = diag([0.01, 0.02, 0.01]);
B3 = Body_struct; B3.mass = 1; B3.Jp = wheel; B3.r = [0.9; 0; 0.2];
B4 = Body_struct; B4.mass = 1; B4.Jp = wheel; B4.r = [0.2; 0.3; 0.2];
B5 = Body_struct; B5.mass = 1; B5.Jp = wheel; B5.r = [0.2; -0.3; 0.2];

Bodies = [B1; B2; B3; B4; B5];
