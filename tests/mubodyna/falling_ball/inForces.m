function [Forces] = inForces
include_global

S1 = Force_struct;
S1.type = 'weight';
S1.gravity = 9.81;
S1.wgt = [0; 0; -1];

S2 = Force_struct;
S2.type = 'sph_pln';
S2.iPindex = 1;
S2.iBindex = 1;
S2.jBindex = 0;
S2.plane_normal_vector = [0; 0; 1];
S2.sphere_radius = 1;
S2.restitution = 0.8;
S2.force_model = 'lankarani';
S2.n_exponent = 1.5;
S2.friction = false;
S2.fric_model = 'linear';
S2.mu = 0.5;
S2.mus = 0.6;

Forces = [S1; S2];
