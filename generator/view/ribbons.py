"""Beams as polygons in the plane of a picture: faces of their sections along a curve."""

from collections.abc import Iterator

import numpy as np

from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.view.beam_lines import PicturedBeam
from mbdgen.view.palette import strain_colour

PIECES = 120
"""Number of segments of a whole beam, unless its elements need more."""
FEWEST, MOST = 2, 24
"""Bounds on the number of segments of one element."""
THINNEST = 0.3
"""Least half size of a section, in radii of a drawn bar, so that it remains visible."""


def steps(elements: int) -> int:
    """Return the number of segments per element."""
    return int(np.clip(np.ceil(PIECES / elements), FEWEST, MOST))


def faces(
    line: PicturedBeam, wire: float, most: float, paint: str = ""
) -> Iterator[tuple[FloatArray, str]]:
    """Yield the faces of a beam at its first instant, and their colours.

    Parameters
    ----------
    wire : float
        Radius of a drawn bar; much thinner sections are drawn thick enough to be visible.
    most : float
        Strain shown in the last colour.
    paint : str
        Uniform colour, if the beam is not coloured by strain.
    """
    xi = np.linspace(0.0, 1.0, steps(len(line.lengths)) + 1)
    points, y, shade = line.curve(xi)[0], line.across(xi)[0], line.shade(xi)[0]
    along = np.gradient(points, axis=1)
    z = np.cross(along, y)
    z /= np.linalg.norm(z, axis=-1, keepdims=True)
    half = [max(x / 2, THINNEST * wire) for x in line.size]
    rim = _rim(line.round)
    rings = points[:, :, None] + (
        half[0] * rim[:, :1] * y[:, :, None] + half[1] * rim[:, 1:] * z[:, :, None]
    )
    for element, colours in zip(rings, shade, strict=True):
        for k in range(len(xi) - 1):
            share = (colours[k] + colours[k + 1]) / (2 * most) if most else 0.0
            colour = paint or strain_colour(share)
            for j in range(len(rim)):
                i = (j + 1) % len(rim)
                yield np.array([*element[k, [j, i]], *element[k + 1, [i, j]]]), colour
    for ring, share in ((rings[0, 0], shade[0, 0]), (rings[-1, -1], shade[-1, -1])):
        yield ring, paint or strain_colour(share / most if most else 0.0)


def _rim(round_: bool) -> FloatArray:
    """Return points around a section, in units of its half sizes."""
    if not round_:
        return np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    angle = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
    return np.column_stack([np.cos(angle), np.sin(angle)])
