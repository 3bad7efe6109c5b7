"""What is watched during a run: events, contacts, turns of angles, orientation charts, work."""
