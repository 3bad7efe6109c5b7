r"""Beams in floating frames in pictures: their modes, added in the axes of the frame.

.. math:: r = R + A \begin{bmatrix} x + u + d \\ w \end{bmatrix}, \qquad
    d = -\tfrac12 \int w'^2 \, dx

with the cubics of `mbdgen.view.lines` between knots.
"""

from typing import TYPE_CHECKING

import numpy as np

from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.scene import Figure
from mbdgen.view.lines import ROUND, Line

if TYPE_CHECKING:
    from mbdgen.runtime.result import Result


class FloatingLine(Line):
    """A beam that is a single body, whose places are counted from its middle."""

    def located(self, element: str, along: float) -> tuple[int, float]:
        """Return the piece of a place, and the share of it."""
        place = (along + self.lengths.sum() / 2) / self.lengths[0]
        k = int(np.clip(place, 0, len(self.lengths) - 1))
        return k, place - k


def floating_line(result: "Result", figure: Figure, rows: IntArray) -> FloatingLine:
    """Return a floating beam of a result at recorded instants; numbers as the model wrote them."""
    height, width, area, length = (float(x) for x in figure.numbers[:4])
    count, bending, stretching, drawn = (int(x) for x in figure.numbers[4:8])
    each = figure.numbers[8:].reshape(bending + stretching, 4 * count + 3)
    modes = [f"{figure.name}.e_{k}" for k in range(1, bending + stretching + 1)]
    e = np.column_stack([result[name][rows] for name in modes])
    across, along = e[:, :bending] @ each[:bending], e[:, bending:] @ each[bending:]
    (w, slope, bend), (u, stretch, pull) = (
        np.split(x, [count + 1, 2 * count + 2], axis=1) for x in (across, along)
    )
    x = np.linspace(-length / 2, length / 2, count + 1) + u
    if drawn:
        lost = _drawn(w, slope, length / count)
        if drawn == 2:
            lost = lost - ((lost[:, 1:] + lost[:, :-1]) / 2).mean(axis=1, keepdims=True)
        x = x - lost
        stretch = stretch - slope**2 / 2
    k = result.bodies.number(figure.bodies[0])
    r, R = result.bodies.r[rows, k], result.bodies.R[rows, k]

    def turned(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.einsum("tij,tkj->tki", R, np.stack([a, b, 0 * a], axis=2))

    return FloatingLine(
        name=figure.name,
        colour=figure.colour,
        elements=figure.bodies,
        size=(height, width),
        round=area < ROUND * height * width,
        lengths=np.full(count, length / count),
        knots=np.column_stack([np.arange(count), np.arange(1, count + 1)]),
        r=r[:, None] + turned(x, w),
        slope=turned(1 + stretch, slope),
        e1=turned(np.cos(slope), np.sin(slope)),
        e2=turned(-np.sin(slope), np.cos(slope)),
        strain=np.abs(pull) + height / 2 * np.abs(bend),
    )


def _drawn(w: FloatArray, slope: FloatArray, l: float) -> FloatArray:  # noqa: E741
    """Return how far knots are drawn to the start: half the squares of slopes of the cubics."""
    jump, a, b = (w[:, 1:] - w[:, :-1]) / l, slope[:, :-1], slope[:, 1:]
    each = 36 * jump**2 - 6 * jump * (a + b) + 4 * (a**2 + b**2) - 2 * a * b
    total = np.cumsum(each, axis=1) * l / 60
    return np.concatenate([np.zeros((len(w), 1)), total], axis=1)
