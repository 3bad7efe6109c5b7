"""The time loop and its driver: step-size control, Newton iteration, requests, checkpoints."""
