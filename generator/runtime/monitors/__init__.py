"""What is watched during a run: events, contact detection, turns of angles, charts, work."""
