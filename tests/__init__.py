"""Tests of mbdgen: shared helpers live beside this file."""
