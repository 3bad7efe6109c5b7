r"""Beams in pictures: cubic Hermite curves through their nodes, with sections and strains.

.. math:: r(\xi) = h_1 r_1 + h_2 l r_1' + h_3 r_2 + h_4 l r_2' .

The displayed strain is the largest of a fibre, :math:`|\varepsilon_0| + \tfrac{h}{2} |\kappa_z|
+ \tfrac{b}{2} |\kappa_y|`.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mbdgen.cubic_hermite import hermite
from mbdgen.runtime.results.scene_figures import Figure
from mbdgen.runtime.system.system_data import FloatArray, IntArray

if TYPE_CHECKING:
    from mbdgen.runtime.results.beam_results import LineMotion
    from mbdgen.runtime.results.result import Result

SAME = 1e-9
"""Relative tolerance: elements whose end points and slopes differ by less share a node."""
ROUND = 0.9
"""A section with less than this fraction of the area of its rectangle is drawn round."""


@dataclass(frozen=True, eq=False)
class PicturedBeam:
    """Beam at some recorded instants.

    Attributes
    ----------
    name, colour : str
        Name and colour of the beam.
    elements : tuple of str
        Bodies of its elements.
    size : (height, width)
        Size of the section along its second and third axis.
    round : bool
        Whether the section is drawn as an ellipse.
    lengths : array, shape (elements,)
        Natural lengths.
    knots : array of int, shape (elements, 2)
        Indices of the knots at both ends of each element.
    r, slope, e1, e2 : array, shape (n, knots, 3)
        Position, its derivative along the beam, and axes of the section.
    strain : array, shape (n, 2 * elements + 1)
        Strains at nodes and at midpoints between them.
    """

    strained: ClassVar[bool] = True
    """Whether strains are available."""
    name: str
    colour: str
    elements: tuple[str, ...]
    size: tuple[float, float]
    round: bool
    lengths: FloatArray
    knots: IntArray
    r: FloatArray
    slope: FloatArray
    e1: FloatArray
    e2: FloatArray
    strain: FloatArray

    def some_of(self, k: object) -> "PicturedBeam":
        """Return the beam at some of the instants."""
        names = ("r", "slope", "e1", "e2", "strain")
        return replace(self, **{name: getattr(self, name)[k] for name in names})

    def curve(self, xi: FloatArray) -> FloatArray:
        """Return the midline at points xi of every element, shape ``(n, elements, points, 3)``."""
        weights = hermite(xi)
        (a, b), length = self.knots.T, self.lengths[:, None]
        ends = (self.r[:, a], self.slope[:, a] * length, self.r[:, b], self.slope[:, b] * length)
        each = [w[:, None] * x[:, :, None] for w, x in zip(weights, ends, strict=True)]
        found: FloatArray = np.sum(each, axis=0)
        return found

    def across(self, xi: FloatArray) -> FloatArray:
        """Return the normalised second axis of the sections at xi."""
        return self._between(self.e2, xi)

    def shade(self, xi: FloatArray) -> FloatArray:
        """Return the strain at xi, shape ``(n, elements, points)``."""
        first, middle, last = (self.strain[:, k : k - 2 or None : 2] for k in (0, 1, 2))
        left, right = np.minimum(2 * xi, 1.0), np.maximum(2 * xi - 1, 0.0)
        low = first[..., None] + (middle - first)[..., None] * left
        shade: FloatArray = low + (last - middle)[..., None] * right
        return shade

    def section(self, element: str, place: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return point ``(n, 3)`` and axes as columns ``(n, 3, 3)`` of a section of an element."""
        k, share = self.located(element, place[0])
        xi = np.array([share])
        x, y = (self._between(e, xi)[:, k, 0] for e in (self.e1, self.e2))
        z = np.cross(x, y)
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        axes = np.stack([x, np.cross(z, x), z], axis=2)
        point = self.curve(xi)[:, k, 0] + axes @ np.array([0.0, place[1], place[2]])
        return point, axes

    def located(self, element: str, along: float) -> tuple[int, float]:
        """Return the index of an element and the natural coordinate of a point, 0 to 1."""
        k = self.elements.index(element)
        return k, along / self.lengths[k]

    def _between(self, e: FloatArray, xi: FloatArray) -> FloatArray:
        a, b = self.knots.T
        mixed = e[:, a, None] * (1 - xi)[:, None] + e[:, b, None] * xi[:, None]
        unit: FloatArray = mixed / np.linalg.norm(mixed, axis=-1, keepdims=True)
        return unit


def line_of(result: "Result", figure: Figure, rows: IntArray) -> PicturedBeam:
    """Return a beam of a result at recorded instants."""
    motion = result.line(figure.name, rows)
    height, width, area = (float(x) for x in figure.numbers)
    n = len(motion.lengths)
    ends = {name: _ends(motion, name) for name in ("r", "slope", "e1", "e2")}
    size = float(motion.lengths.min())
    joined = all(
        np.abs(x[:, 1:, 0] - x[:, :-1, 1]).max(initial=0.0) <= SAME * (size if name == "r" else 1)
        for name, x in ends.items()
    )
    if joined:
        knots = np.column_stack([np.arange(n), np.arange(1, n + 1)])
        ends = {name: np.concatenate([x[:, :, 0], x[:, -1:, 1]], 1) for name, x in ends.items()}
    else:
        knots = np.arange(2 * n).reshape(n, 2)
        ends = {name: x.reshape(len(x), 2 * n, 3) for name, x in ends.items()}
    return PicturedBeam(
        name=figure.name,
        colour=figure.colour,
        elements=figure.bodies,
        size=(height, width),
        round=area < ROUND * height * width,
        lengths=motion.lengths,
        knots=knots,
        strain=_shown(motion, height, width),
        **ends,
    )


def _ends(motion: "LineMotion", name: str) -> FloatArray:
    """Return a vector at both ends of all elements, shape ``(n, elements, 2, 3)``."""
    k = [motion.names.index(f"{name}.{c}") for c in "xyz"]
    ends: FloatArray = np.moveaxis(motion.values[k][..., [0, -1]], 0, -1)
    return ends


def _shown(motion: "LineMotion", height: float, width: float) -> FloatArray:
    """Return the largest strain of the fibres, at nodes and at midpoints between them."""
    weights = {"stretch": 1.0, "curvature": height / 2, "curvature_z": height / 2}
    weights |= {"curvature_y": width / 2}
    known = [(motion.names.index(x), w) for x, w in weights.items() if x in motion.names]
    if not known:
        known = [(motion.names.index("energy"), 1.0)]
    each = sum(w * np.abs(motion.values[k]) for k, w in known)
    first, middle, last = each[..., 0], each[..., each.shape[-1] // 2], each[..., -1]
    found = np.empty((first.shape[0], 2 * first.shape[1] + 1))
    found[:, 1::2] = middle
    found[:, 0], found[:, -1] = first[:, 0], last[:, -1]
    found[:, 2:-1:2] = (first[:, 1:] + last[:, :-1]) / 2
    return found
