"""Runs: requests, initial conditions, events, checkpoints, checks, caches."""
