"""Where `mbdgen build` writes its modules, so that `from generated import pendulum` works from here."""
