function [Bodies] = inBodies
include_global

% a solid cone on a ball joint
a = 0.3;                         % apex to centre of mass
B1 = Body_struct;                % cone
B1.mass = 4;
B1.Jp = [0.0375 0 0; 0 0.0270 0; 0 0 0.0375];
B1.r = [0; -a; 0];
B1.w = [0; -5; 0];
B1.color = 'r';

Bodies = [B1];
