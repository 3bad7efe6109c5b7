"""Tests of single parts, in the rooms of what they test."""
