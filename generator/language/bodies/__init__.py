"""User interface of bodies: coordinates, inertia, pose, shapes, shared points."""
