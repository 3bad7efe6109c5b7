r"""Picture data of a beam in a floating frame: modes at knots along it, and strains between.

`mbdgen.view.floating_lines` reads them in this order: height, width and area of the section,
length, numbers of pieces, of modes of bending along y and along z, of stretch and of torsion, and
the foreshortening (0: none, 1: from its start, 2: in the mean). Then displacements (or rotations)
and slopes of every mode at the knots, and its curvatures or strains there and at the midpoints.
"""

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.language.expressions.scalars import Scalar, sqrt
from mbdgen.modal.families import IN_SPACE, TWISTING
from mbdgen.modal.line_modes import FloatArray
from mbdgen.modal.mode_pieces import pieces_for, polynomials

if TYPE_CHECKING:
    from mbdgen.language.flexible.floating_beam import FloatingBeam

FEWEST = 8
"""Number of pieces, each drawn as a cubic."""


def picture_of(beam: "FloatingBeam") -> tuple[Scalar, ...]:
    """Return the picture data of a floating beam."""
    modes, section, size = beam.modes, beam.section, beam.length
    least = pieces_for(modes.families)
    count = least * ceil(FEWEST / least)
    counts = {family.sort: len(family.modes.values) for family in modes.families}
    drawn = (2.0 if modes.mean else 1.0) if modes.stiffened else 0.0
    numbers: list[Scalar] = [section.height, section.width, section.area, size, float(count)]
    numbers += [*(float(counts.get(sort, 0)) for sort in IN_SPACE), drawn]
    for family in modes.families:
        root = sqrt(modes.spin if family.sort is TWISTING else modes.mass)
        order = 2 if family.sort.bends else 1
        strain = root * size * size if family.sort.bends else root * size
        for values in _shown(polynomials(family.modes, count), order):
            moved, slope, shade = np.split(values, [count + 1, 2 * count + 2])
            numbers += [float(x) / root for x in moved]
            numbers += [float(x) / (root * size) for x in slope]
            numbers += [float(x) / strain for x in shade]
    return tuple(numbers)


def _shown(coefficients: FloatArray, order: int) -> FloatArray:
    """Return for every mode values and slopes at knots, and a derivative there and at midpoints."""
    count = len(coefficients)
    ends = [_at(coefficients, k, (0.0, 1.0)) * count**k for k in (0, 1)]  # piece, mode, point
    strain = _at(coefficients, order, (0.0, 0.5, 1.0)) * count**order
    rows = [np.concatenate([x[:, :, 0], x[-1:, :, 1]]) for x in ends]
    shade = np.empty((2 * count + 1, coefficients.shape[1]))
    shade[:-1:2], shade[1::2], shade[-1] = strain[:, :, 0], strain[:, :, 1], strain[-1, :, 2]
    shade[2:-1:2] = (strain[1:, :, 0] + strain[:-1, :, 2]) / 2
    return np.concatenate([*rows, shade]).T


def _at(coefficients: FloatArray, order: int, points: tuple[float, ...]) -> FloatArray:
    """Return derivatives with respect to the fraction of a piece, ``(pieces, modes, points)``."""
    powers = np.arange(coefficients.shape[2])
    factor = np.ones(len(powers))
    for k in range(order):
        factor = factor * (powers - k)
    shape = factor * np.array(points)[:, None] ** np.maximum(powers - order, 0)
    found: FloatArray = coefficients @ shape.T
    return found
