"""Tests against known motions: published, closed-form, hand-written."""
