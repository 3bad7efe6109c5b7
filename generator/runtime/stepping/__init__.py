"""Time loop and driver: step-size control, Newton iteration, argument validation, checkpoints."""
