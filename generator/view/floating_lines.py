r"""Beams in floating frames of reference in pictures: superposed modes in the axes of the frame.

.. math:: r = R + A \begin{bmatrix} x + u + d \\ v \\ w \end{bmatrix}, \qquad
    d = -\tfrac12 \int v'^2 + w'^2 \, dx

with the cubics of `mbdgen.view.beam_lines` between knots. In space, sections rotate as in the
equations of motion; in the plane the difference is of third order.
"""

from typing import TYPE_CHECKING

import numpy as np

from mbdgen.runtime.results.scene_figures import Figure
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.view.beam_lines import ROUND, PicturedBeam

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result


class FloatingLine(PicturedBeam):
    """Beam that is a single body, with points measured from its middle."""

    def located(self, element: str, along: float) -> tuple[int, float]:
        """Return the segment of a point, and its natural coordinate there."""
        place = (along + self.lengths.sum() / 2) / self.lengths[0]
        k = int(np.clip(place, 0, len(self.lengths) - 1))
        return k, place - k


def floating_line(result: "Result", figure: Figure, rows: IntArray) -> FloatingLine:
    """Return a floating beam of a result at recorded instants, from the data of its figure."""
    height, width, area, length = (float(x) for x in figure.numbers[:4])
    count, *sorts, drawn = (int(x) for x in figure.numbers[4:10])
    each = figure.numbers[10:].reshape(sum(sorts), 4 * count + 3)
    modes = [f"{figure.name}.e_{k}" for k in range(1, sum(sorts) + 1)]
    e = np.column_stack([result[name][rows] for name in modes])
    parts = np.split(np.arange(sum(sorts)), np.cumsum(sorts)[:-1])
    (y, slope_y, bend_y), (z, slope_z, bend_z), (u, stretch, pull), (twist, _, _) = (
        np.split(e[:, part] @ each[part], [count + 1, 2 * count + 2], axis=1) for part in parts
    )
    x = np.linspace(-length / 2, length / 2, count + 1) + u
    if drawn:
        lost = _drawn(y, slope_y, length / count) + _drawn(z, slope_z, length / count)
        if drawn == 2:
            lost = lost - ((lost[:, 1:] + lost[:, :-1]) / 2).mean(axis=1, keepdims=True)
        x = x - lost
        stretch = stretch - (slope_y**2 + slope_z**2) / 2
    k = result.bodies.number(figure.bodies[0])
    r, R = result.bodies.r[rows, k], result.bodies.R[rows, k]
    axes = turned(np.stack([twist, -slope_z, slope_y], axis=2))

    def outside(local: FloatArray) -> FloatArray:
        return np.einsum("tij,tkj->tki", R, local)

    return FloatingLine(
        name=figure.name,
        colour=figure.colour,
        elements=figure.bodies,
        size=(height, width),
        round=area < ROUND * height * width,
        lengths=np.full(count, length / count),
        knots=np.column_stack([np.arange(count), np.arange(1, count + 1)]),
        r=r[:, None] + outside(np.stack([x, y, z], axis=2)),
        slope=outside(np.stack([1 + stretch, slope_y, slope_z], axis=2)),
        e1=outside(axes[..., 0]),
        e2=outside(axes[..., 1]),
        strain=np.abs(pull) + height / 2 * np.abs(bend_y) + width / 2 * np.abs(bend_z),
    )


def _drawn(w: FloatArray, slope: FloatArray, l: float) -> FloatArray:  # noqa: E741
    """Return the shortening by bending at knots: half the integral of squared slopes."""
    jump, a, b = (w[:, 1:] - w[:, :-1]) / l, slope[:, :-1], slope[:, 1:]
    each = 36 * jump**2 - 6 * jump * (a + b) + 4 * (a**2 + b**2) - 2 * a * b
    total = np.cumsum(each, axis=1) * l / 60
    return np.concatenate([np.zeros((len(w), 1)), total], axis=1)


# Small rotations of sections and nodes in floating frames, as in the equations of motion.
def turned(turn: FloatArray) -> FloatArray:
    """Return the rotation whose Gibbs vector is half of a small rotation vector."""
    g = turn / 2
    cross = np.cross(g[..., None, :], np.eye(3)).swapaxes(-1, -2)
    share = (2 / (1 + np.sum(g**2, axis=-1)))[..., None, None]
    found: FloatArray = np.eye(3) + share * (cross + cross @ cross)
    return found
