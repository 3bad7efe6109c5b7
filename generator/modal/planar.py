r"""Integrals over the modes of a uniform line in the plane, all without dimension.

Displacements of bending lie along y, those of stretching along x. With stiffening, bending also
draws the line together by :math:`\tfrac12 c_{ij} e_i e_j` with
:math:`c_{ij} = \int_0^\xi w_i' w_j'`: its points keep their distances to second order.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.modal.lines import FloatArray, LineModes
from mbdgen.unit_line import gauss

GAUSS = 12


@dataclass(frozen=True)
class LineIntegrals:
    r"""Integrals over :math:`\xi` from 0 to 1, of modes of bending w and of stretching u.

    Attributes
    ----------
    w, u : array
        Of the modes.
    w_turn, u_turn : array
        Of the modes times :math:`\xi - 1/2`.
    wu : array
        Of products.
    c, c_turn : array
        Of :math:`c_{ij}`, and of it times :math:`\xi - 1/2`.
    mean : bool
        Whether the frame follows the line in the mean.
    """

    w: FloatArray
    u: FloatArray
    w_turn: FloatArray
    u_turn: FloatArray
    wu: FloatArray
    c: FloatArray
    c_turn: FloatArray
    mean: bool


def integrals(bending: LineModes, stretching: LineModes, mean: bool) -> LineIntegrals:
    """Return the integrals; in the mean frame those that vanish are exactly zero."""
    x, weights = _places(bending, stretching)
    w, u = bending.field(x)[0], stretching.field(x)[0]
    arm = x - 0.5
    c = np.array([shortening(bending, place) for place in x]).transpose(1, 2, 0)
    kept = 0.0 if mean else 1.0
    average = c @ weights
    return LineIntegrals(
        w=kept * (w @ weights),
        u=kept * (u @ weights),
        w_turn=kept * (w @ (weights * arm)),
        u_turn=u @ (weights * arm),
        wu=(w * weights) @ u.T,
        c=kept * average,
        c_turn=c @ (weights * arm),
        mean=mean,
    )


def shortening(bending: LineModes, place: float) -> FloatArray:
    """Return how far a place is drawn towards the start, for each pair of modes."""
    ends = np.linspace(0, 1, _pieces(bending) + 1)
    ends = np.append(ends[ends < place], place)
    if len(ends) < 2:
        return np.zeros((len(bending.values),) * 2)
    x, weights = _gauss(ends)
    slope = bending.field(x)[1]
    return (slope * weights) @ slope.T


def _places(*modes: LineModes) -> tuple[FloatArray, FloatArray]:
    return _gauss(np.linspace(0, 1, max(map(_pieces, modes)) + 1))


def _pieces(modes: LineModes) -> int:
    """Return how many parts integrate products of the modes to round-off."""
    return max(modes.pieces, len(modes.values) + 1 if modes.pieces == 1 else 1)


def _gauss(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    x, weights = gauss(GAUSS)
    sizes = np.diff(ends)
    return (ends[:-1, None] + sizes[:, None] * x).ravel(), (sizes[:, None] * weights).ravel()
