r"""Piecewise polynomial approximation of beam modes, for markers moving along a beam.

Modes of elements are such polynomials. Others are taken by value and slope at both ends of a piece
and by values between, with pieces so short that the rest is below 1e-7 of the mode: value and slope
are continuous from piece to piece, as those of elements are.
"""

from collections.abc import Sequence
from math import ceil

import numpy as np

from mbdgen.modal.families import Family
from mbdgen.modal.line_modes import FloatArray, LineModes

DEGREE = 9
WAVE = 2.0
"""[M] Radians of a wave on a piece, at most: polynomials of this degree are then 1e-8 off."""


def pieces_for(families: Sequence[Family]) -> int:
    """Return the number of equal pieces that all modes need."""
    if any(family.modes.degree for family in families):
        return max(family.modes.pieces for family in families)
    waves = [
        wave
        for family in families
        for wave in family.modes.values ** (1 / 4 if family.sort.bends else 1 / 2)
    ]
    return max(1, ceil(max(waves) / WAVE))


def polynomials(modes: LineModes, pieces: int) -> FloatArray:
    """Return coefficients of the powers of the share of a piece: (pieces, modes, powers)."""
    degree = modes.degree or DEGREE
    powers = np.arange(degree + 1)
    between = (1 - np.cos(np.pi * (np.arange(degree - 3) + 0.5) / max(1, degree - 3))) / 2
    at_ends = np.array([0.0, 1.0])
    values = np.append(at_ends, between)[:, None] ** powers
    slopes = powers * at_ends[:, None] ** np.maximum(powers - 1, 0)
    wanted = []
    for k in range(pieces):
        w = modes.field((k + np.append(at_ends, between)) / pieces)[0]
        slope = modes.field((k + at_ends) / pieces)[1] / pieces
        wanted.append(np.hstack([w, slope]))
    found = np.linalg.solve(np.vstack([values, slopes]), np.array(wanted).transpose(0, 2, 1))
    return np.asarray(found.transpose(0, 2, 1), np.float64)


def drawn_before(bending: FloatArray) -> FloatArray:
    r"""Return :math:`\int w_i' w_j'` up to where each piece begins: (pieces, modes, modes)."""
    pieces, modes, size = bending.shape
    powers = np.arange(1, size)
    slope = bending[:, :, 1:] * powers
    share = 1.0 / (powers[:, None] + powers - 1)
    each = pieces * np.einsum("pin,nm,pjm->pij", slope, share, slope)
    return np.concatenate([np.zeros((1, modes, modes)), np.cumsum(each, axis=0)[:-1]])
