"""Where `mbdgen build` writes: `from generated import pendulum` works at the project's root."""
