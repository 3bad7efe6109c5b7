"""Bodies from finite-element matrices in pictures: wires between nodes, deformed by the modes."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mbdgen.runtime.results.scene_figures import Figure
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.view.beam_lines import PicturedBeam
from mbdgen.view.floating_lines import turned

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result


@dataclass(frozen=True, eq=False)
class Wires(PicturedBeam):
    """Body whose elements are wires with knots of their own.

    Attributes
    ----------
    rest : array, shape (points, 3)
        Undeformed positions relative to the centre of mass.
    points : array, shape (n, points, 3)
        Positions.
    turns : array, shape (n, points, 3, 3)
        Axes at the points as columns.
    """

    strained: ClassVar[bool] = False
    rest: FloatArray
    points: FloatArray
    turns: FloatArray

    def some_of(self, k: object) -> "Wires":
        """Return the body at some of the instants."""
        names = ("r", "slope", "e1", "e2", "strain", "points", "turns")
        return replace(self, **{name: getattr(self, name)[k] for name in names})

    def section(self, element: str, place: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return point and axes of the knot nearest to an undeformed position."""
        k = int(np.argmin(np.linalg.norm(self.rest - place, axis=1)))
        return self.points[:, k], self.turns[:, k]


def wires(result: "Result", figure: Figure, rows: IntArray) -> Wires:
    """Return a body of a result at recorded instants, from the data of its figure."""
    thick, numbers = float(figure.numbers[0]), figure.numbers
    modes, count, pieces = (int(x) for x in numbers[1:4])
    ends = numbers[4 : 4 + 2 * pieces].astype(np.int64).reshape(pieces, 2)
    rest, shapes = np.split(numbers[4 + 2 * pieces :], [3 * count])
    rest = rest.reshape(count, 3)
    e = np.column_stack([result[f"{figure.name}.e_{k}"][rows] for k in range(1, modes + 1)])
    moved = np.einsum("tm,pmc->tpc", e, shapes.reshape(count, modes, 6))
    k = result.bodies.number(figure.bodies[0])
    r, R = result.bodies.r[rows, k], result.bodies.R[rows, k]
    points = r[:, None] + np.einsum("tij,tpj->tpi", R, rest + moved[..., :3])
    axes = np.einsum("tij,tpjk->tpik", R, turned(moved[..., 3:]))

    a, b = ends.T
    chord = points[:, b] - points[:, a]
    lengths = np.linalg.norm(rest[b] - rest[a], axis=1)
    along = (rest[b] - rest[a]) / lengths[:, None]
    turning = moved[..., 3:].any(axis=(0, 2))  # wires between points without rotations are straight
    slope = np.empty((len(r), pieces, 2, 3))
    for side, points_of in ((0, a), (1, b)):
        bent = np.einsum("tpij,pj->tpi", axes[:, points_of], along)
        straight = chord / lengths[:, None]
        slope[:, :, side] = np.where(turning[points_of, None], bent, straight)
    e1 = slope / np.linalg.norm(slope, axis=-1, keepdims=True)
    return Wires(
        name=figure.name,
        colour=figure.colour,
        elements=figure.bodies,
        size=(thick, thick),
        round=True,
        lengths=lengths,
        knots=np.arange(2 * pieces).reshape(pieces, 2),
        r=points[:, ends].reshape(len(r), -1, 3),
        slope=slope.reshape(len(r), -1, 3),
        e1=e1.reshape(len(r), -1, 3),
        e2=_across(e1, R).reshape(len(r), -1, 3),
        strain=np.zeros((len(r), 2 * pieces + 1)),
        rest=rest,
        points=points,
        turns=axes,
    )


def _across(e1: FloatArray, R: FloatArray) -> FloatArray:
    """Return unit vectors across the wires, from the body axis that is least parallel to them."""
    inside = np.abs(np.einsum("ij,psi->psj", R[0], e1[0]))
    least = np.argmin(inside, axis=-1)
    helper = np.moveaxis(R[:, :, least], 1, -1)
    across = helper - e1 * np.sum(helper * e1, axis=-1, keepdims=True)
    unit: FloatArray = across / np.linalg.norm(across, axis=-1, keepdims=True)
    return unit
