"""Bodies as users state them: coordinates, inertia, pose, shapes, points in common."""
