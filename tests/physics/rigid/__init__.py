"""Mechanisms of rigid bodies against known motions."""
