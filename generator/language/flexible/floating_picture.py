r"""What pictures of a floating beam need: its modes at knots along it, and strains between.

`mbdgen.view.floating_lines` reads them in this order: height, width and area of the section,
length, how many pieces, modes of bending along y and along z, of stretching and of twisting, and
whether bending draws the beam together (0: no, 1: from its start on, 2: in the mean). Then
displacements (or turns) and slopes of every mode at the knots, and its curvatures or stretches
there and in the middles.
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
"""Pieces, each drawn as a cubic."""


def picture_of(beam: "FloatingBeam") -> tuple[Scalar, ...]:
    """Return the numbers of a floating beam in a picture."""
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
    """Return for every mode values and slopes at knots, and a derivative there and in between."""
    count = len(coefficients)
    ends = [_at(coefficients, k, (0.0, 1.0)) * count**k for k in (0, 1)]  # piece, mode, place
    strain = _at(coefficients, order, (0.0, 0.5, 1.0)) * count**order
    rows = [np.concatenate([x[:, :, 0], x[-1:, :, 1]]) for x in ends]
    shade = np.empty((2 * count + 1, coefficients.shape[1]))
    shade[:-1:2], shade[1::2], shade[-1] = strain[:, :, 0], strain[:, :, 1], strain[-1, :, 2]
    shade[2:-1:2] = (strain[1:, :, 0] + strain[:-1, :, 2]) / 2
    return np.concatenate([*rows, shade]).T


def _at(coefficients: FloatArray, order: int, places: tuple[float, ...]) -> FloatArray:
    """Return derivatives by the share of a piece, ``(pieces, modes, places)``."""
    powers = np.arange(coefficients.shape[2])
    factor = np.ones(len(powers))
    for k in range(order):
        factor = factor * (powers - k)
    shape = factor * np.array(places)[:, None] ** np.maximum(powers - order, 0)
    found: FloatArray = coefficients @ shape.T
    return found
