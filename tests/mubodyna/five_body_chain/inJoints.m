function [Joints] = inJoints
include_global

J1 = Joint_struct; J1.type = 'rev'; J1.iPindex = 2; J1.jPindex = 1;
J1.iVindex_a = 1; J1.jVindex_a = 2;
J2 = Joint_struct; J2.type = 'rev'; J2.iPindex = 4; J2.jPindex = 3;
J2.iVindex_a = 3; J2.jVindex_a = 4;
J3 = Joint_struct; J3.type = 'rev'; J3.iPindex = 6; J3.jPindex = 5;
J3.iVindex_a = 5; J3.jVindex_a = 6;
J4 = Joint_struct; J4.type = 'rev'; J4.iPindex = 8; J4.jPindex = 7;
J4.iVindex_a = 7; J4.jVindex_a = 8;
J5 = Joint_struct; J5.type = 'rev'; J5.iPindex = 10; J5.jPindex = 9;
J5.iVindex_a = 9; J5.jVindex_a = 10;

Joints = [J1; J2; J3; J4; J5];
