"""Default colours of bodies in pictures."""

from mbdgen.view.animation_frames import Frames

PALETTE = (
    "#3b7dd8", "#e4572e", "#2a9d6f", "#9a5fd0", "#e0a11b", "#17a2b8", "#c2457d", "#7d8a3c",
    "#9c6b4e", "#5c6bc0",
)  # fmt: skip
METAL = "#9499a3"
"""Colour of the ground, of joints and of springs."""


STRAINS = ("#3b4a9e", "#2f7fb8", "#2fae8f", "#8cc04a", "#e6b422", "#d9412b")
"""Colours of strains, from zero to the largest."""


def strain_colour(share: float) -> str:
    """Return the colour of a fraction of the largest strain as ``#rrggbb``."""
    place = min(max(share, 0.0), 1.0) * (len(STRAINS) - 1)
    k = min(int(place), len(STRAINS) - 2)
    ends = [[int(c[j : j + 2], 16) for j in (1, 3, 5)] for c in STRAINS[k : k + 2]]
    mixed = (round(a + (place - k) * (b - a)) for a, b in zip(*ends, strict=True))
    return "#" + "".join(f"{x:02x}" for x in mixed)


def colours(frames: Frames) -> dict[str, str]:
    """Return the colour of every body and beam as ``#rrggbb``."""
    own = {figure.name: figure.colour for figure in frames.scene.of("body")}
    rigid = [x for x, of in zip(frames.bodies, frames.owners, strict=True) if not of]
    lines = {line.name: line.colour for line in frames.lines}
    found = {
        name: (own | lines).get(name) or PALETTE[k % len(PALETTE)]
        for k, name in enumerate([*rigid, *lines])
    }
    sections = {x: found[of] for x, of in zip(frames.bodies, frames.owners, strict=True) if of}
    return {**found, **sections, "ground": own.get("ground") or METAL}
