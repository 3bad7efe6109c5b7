function [Vectors1] = inVectors1
include_global

V1 = Vector1_struct; V1.Bindex = 1; V1.sp = [0; 1; 0];
V2 = Vector1_struct; V2.Bindex = 0; V2.sp = [0; 1; 0];
V3 = Vector1_struct; V3.Bindex = 2; V3.sp = [0; 0; 1];
V4 = Vector1_struct; V4.Bindex = 1; V4.sp = [0; 0; 1];
V5 = Vector1_struct; V5.Bindex = 3; V5.sp = [0; 1; 0];
V6 = Vector1_struct; V6.Bindex = 2; V6.sp = [0; 1; 0];
V7 = Vector1_struct; V7.Bindex = 4; V7.sp = [0; 0; 1];
V8 = Vector1_struct; V8.Bindex = 3; V8.sp = [0; 0; 1];
V9 = Vector1_struct; V9.Bindex = 5; V9.sp = [0; 1; 0];
V10 = Vector1_struct; V10.Bindex = 4; V10.sp = [0; 1; 0];

Vectors1 = [V1; V2; V3; V4; V5; V6; V7; V8; V9; V10];
