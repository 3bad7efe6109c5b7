"""Monitors of a run: events, contacts, unwrapped angles, orientation charts, energy balance."""
