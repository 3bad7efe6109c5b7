function [Vectors1] = inVectors1
include_global

V1 = Vector1_struct; V1.Bindex = 1; V1.sp = [1; 0; 0];
V2 = Vector1_struct; V2.sp = [1; 0; 0];
V3 = Vector1_struct; V3.Bindex = 3; V3.sp = [1; 0; 0];
V4 = Vector1_struct; V4.sp = [1; 1; 0]/sqrt(2);

Vectors1 = [V1; V2; V3; V4];
