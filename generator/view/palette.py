"""Colours of bodies in pictures, where the model does not say them."""

from mbdgen.view.frames import Frames

PALETTE = (
    "#3b7dd8", "#e4572e", "#2a9d6f", "#9a5fd0", "#e0a11b", "#17a2b8", "#c2457d", "#7d8a3c",
    "#9c6b4e", "#5c6bc0",
)  # fmt: skip
METAL = "#9499a3"
"""Of the ground, of joints and of springs."""


def colours(frames: Frames) -> dict[str, str]:
    """Return the colour of every body as ``#rrggbb``."""
    own = {figure.name: figure.colour for figure in frames.scene.of("body")}
    found = {
        name: own.get(name) or PALETTE[k % len(PALETTE)] for k, name in enumerate(frames.bodies)
    }
    return {**found, "ground": own.get("ground") or METAL}
