r"""Normal modes of a uniform beam of unit length, with unit norm.

Bending obeys :math:`w'''' = \lambda w`, stretch :math:`u'' = -\lambda u`. The reference conditions
define the floating frame: the line is clamped at its start (``tangent``), pinned at both ends
(``chord``) or free (``mean``: modes without momentum); stretch is fixed at the start, or free.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.polynomial import polyder, polyval
from numpy.typing import NDArray
from scipy.linalg import eigh, null_space
from scipy.optimize import brentq

from mbdgen.gauss_legendre import gauss

FloatArray = NDArray[np.float64]
Field = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
FRAMES = ("tangent", "chord", "mean")
MOST = 40
"""Assumed modes; above, hyperbolic functions and sines agree to fewer digits than they need."""
RIGID = 1e-6
"""[M] Eigenvalues below are of rigid motions, which have 1e-9; the next one is above 9."""


@dataclass(frozen=True)
class LineModes:
    """Some modes of a line.

    Attributes
    ----------
    values : array
        Eigenvalues, ascending.
    field : callable
        From places in [0, 1] to displacements and slopes, arrays of (modes, places).
    pieces : int
        Parts of the line in which the field is smooth.
    degree : int
        Of the polynomial that each mode is on every part; 0 if it is none.
    """

    values: FloatArray
    field: Field
    pieces: int = 1
    degree: int = 0


def bending(frame: str, count: int) -> LineModes:
    """Return the first bending modes."""
    if frame == "chord":
        k = _multiples_of_pi(count, 0.0)
        return LineModes(k**4, _waves(k, 0.0))
    free = frame == "mean"
    roots = np.array([_root(n, free) for n in range(1, count + 1)])
    sign = 1.0 if free else -1.0

    def field(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        found = np.array([_beam_function(k, sign, x) for k in roots]).reshape(count, 2, len(x))
        return found[:, 0], found[:, 1]

    return LineModes(roots**4, field)


def stretching(frame: str, count: int) -> LineModes:
    """Return the first axial modes."""
    if frame == "mean":
        k = _multiples_of_pi(count, 0.0)
        return LineModes(k**2, _waves(k, np.pi / 2))
    k = _multiples_of_pi(count, 0.5)
    return LineModes(k**2, _waves(k, 0.0))


def element_modes(frame: str, across: bool, elements: int, count: int | None) -> LineModes:
    """Return modes of equal elements with cubic displacements, of bending or of stretching."""
    mass, stiffness = _assembled(elements, 2 if across else 1)
    held = _held(frame, across, elements)
    basis = null_space(held) if len(held) else np.eye(len(mass))
    values, vectors = eigh(basis.T @ stiffness @ basis, basis.T @ mass @ basis)
    elastic = values > RIGID
    values, vectors = values[elastic][:count], (basis @ vectors)[:, elastic][:, :count]

    def field(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        which = np.clip((x * elements).astype(int), 0, elements - 1)
        xi = x * elements - which
        nodal = vectors[2 * which[:, None] + np.arange(4)]  # places, four functions, modes
        shape, slope = (_hermite(xi, order) for order in (0, 1))
        scale = np.array([1.0, 1.0 / elements, 1.0, 1.0 / elements])
        w = np.einsum("pf,pfm->mp", shape * scale, nodal)
        return w, np.einsum("pf,pfm->mp", slope * scale, nodal) * elements

    return LineModes(values, field, elements, 3)


def _held(frame: str, across: bool, elements: int) -> FloatArray:
    """Return the rows of the reference conditions: value and slope of every node are unknowns."""
    unknowns = np.eye(2 * elements + 2)
    if frame == "mean":
        return unknowns[:0]
    if not across:
        return unknowns[:1]
    return unknowns[:2] if frame == "tangent" else unknowns[[0, 2 * elements]]


def _assembled(elements: int, order: int) -> tuple[FloatArray, FloatArray]:
    """Return mass and stiffness of elements: integrals of squares, and of such derivatives."""
    size = 1.0 / elements
    scale = np.array([1.0, size, 1.0, size])
    xi, weights = gauss(4)
    found = []
    for k in (0, order):
        shape = _hermite(xi, k) * scale / size**k
        local = size * (shape.T * weights) @ shape
        whole = np.zeros((2 * elements + 2,) * 2)
        for n in range(elements):
            whole[2 * n : 2 * n + 4, 2 * n : 2 * n + 4] += local
        found.append(whole)
    return found[0], found[1]


def _hermite(xi: FloatArray, order: int) -> FloatArray:
    """Return Hermite's four cubics or their derivatives, one row for each place."""
    cubics = ((1, 0, -3, 2), (0, 1, -2, 1), (0, 0, 3, -2), (0, 0, -1, 1))
    return np.array([polyval(xi, polyder(c, order)) for c in cubics]).T


def _multiples_of_pi(count: int, less: float) -> FloatArray:
    return np.asarray(np.pi * (np.arange(1, count + 1) - less), np.float64)


def _waves(k: FloatArray, phase: float) -> Field:
    """Return sine modes of the given wave numbers."""

    def field(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        angle = np.outer(k, x) + phase
        return np.sqrt(2) * np.sin(angle), np.sqrt(2) * k[:, None] * np.cos(angle)

    return field


def _root(n: int, free: bool) -> float:
    """Return root n of ``cos k cosh k = 1`` (free) or ``-1`` (clamped at one end)."""
    sign = -1.0 if free else 1.0
    middle = np.pi * (n + 0.5 if free else n - 0.5)
    # Divided by cosh, which would overflow.
    return float(
        brentq(lambda k: np.cos(k) + sign / np.cosh(k), middle - 0.4, middle + 0.4, xtol=1e-15)
    )


def _beam_function(k: float, sign: float, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""Return :math:`\cosh + s \cos - \sigma (\sinh + s \sin)` and its slope, of square 1.

    The growing exponential has the factor :math:`1 - \sigma`, written without cancellation.
    """
    below = np.sinh(k) - sign * np.sin(k)
    sigma = (np.cosh(k) - sign * np.cos(k)) / below
    rest = (sign * (np.cos(k) - np.sin(k)) - np.exp(-k)) / below
    grow, fall = rest * np.exp(k * x) / 2, (1 + sigma) * np.exp(-k * x) / 2
    c, s = sign * np.cos(k * x), sign * np.sin(k * x)
    return grow + fall + c - sigma * s, k * (grow - fall - s - sigma * c)
