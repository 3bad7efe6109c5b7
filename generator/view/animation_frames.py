"""Data of an animation: poses of the bodies at selected instants, and the scene."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.results.scene_figures import Figure, Scene
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.view.beam_lines import PicturedBeam, line_of
from mbdgen.view.floating_lines import floating_line
from mbdgen.view.wires import wires

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result

MOST_FRAMES = 2000
MOST_NUMBERS = 1_500_000
"""Bound on all poses together: 6 MB of 32-bit floats, which a browser loads at once."""
FEWEST_FRAMES = 120
NUMBERS_OF_A_POSE = 10
"""Floats per body: position, quaternion, velocity."""
NUMBERS_OF_A_NODE = 9
"""Floats per node: position, slope, axis of the section."""
MADE: dict[str, Callable[["Result", Figure, IntArray], PicturedBeam]] = {
    "beam": line_of,
    "floating": floating_line,
    "wires": wires,
}
"""Builders of the pictures of flexible bodies, by kind of figure."""


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses of the bodies at some recorded instants.

    Attributes
    ----------
    scene : Scene
        Figures of the bodies.
    rows : array of int, shape (n,)
        Indices of the recorded instants.
    t : array, shape (n,)
        Times of the instants.
    bodies : tuple of str
        Names.
    r : array, shape (n, bodies, 3)
        Centres of mass.
    R : array, shape (n, bodies, 3, 3)
        Axes of the bodies as columns.
    v : array, shape (n, bodies, 3)
        Velocities of the centres of mass.
    owners : tuple of str
        For every body the beam that it is a section of; empty for bodies of the mechanism.
    lines : tuple of PicturedBeam
        Beams. A figure attached to a section of a beam is drawn on an additional body for that
        section; these bodies follow the others and have zero ``v``.
    """

    scene: Scene
    rows: IntArray
    t: FloatArray
    bodies: tuple[str, ...]
    r: FloatArray
    R: FloatArray
    v: FloatArray
    owners: tuple[str, ...]
    lines: tuple[PicturedBeam, ...] = ()

    def some(self, most: int) -> "Frames":
        """Return at most this many frames, evenly spaced."""
        return self.some_of(chosen(self.t, most))

    def some_of(self, k: Sequence[int] | IntArray) -> "Frames":
        """Return the frames with these indices."""
        lines = tuple(line.some_of(k) for line in self.lines)
        poses = {name: getattr(self, name)[k] for name in ("rows", "t", "r", "R", "v")}
        return replace(self, lines=lines, **poses)

    @property
    def most_strain(self) -> float:
        """The largest strain of all beams at all instants."""
        return max((float(line.strain.max(initial=0.0)) for line in self.lines), default=0.0)

    def points(self, body: str, places: FloatArray) -> FloatArray:
        """Return positions of points of a body over time, ``r + R s`` for each row s of points."""
        if body not in self.bodies:  # the ground
            return np.broadcast_to(places, (len(self.t), *places.shape))
        k = self.bodies.index(body)
        turned: FloatArray = np.einsum("tij,pj->tpi", self.R[:, k], places)
        return self.r[:, k, None, :] + turned


def frames_of(result: "Result", most: int | None = None) -> Frames:
    """Return the frames of a result at evenly spaced instants.

    Parameters
    ----------
    most : int, optional
        Largest number of instants; by default as many as a page can load.
    """
    if result.scene is None or not len(result.t):
        raise OptionError(
            f"There is nothing to draw in this result of '{result.info.model}'.",
            "Simulate the model again: only results of simulations contain their bodies.",
        )
    motion = result.bodies
    beams = [figure for kind in MADE for figure in result.scene.of(kind)]
    parts = {name for figure in beams for name in figure.bodies}
    rigid = [k for k, name in enumerate(motion.names) if name not in parts]
    rows = chosen(result.t, most or _budget(len(rigid), len(parts)))
    frames = Frames(
        scene=result.scene,
        rows=rows,
        t=result.t[rows],
        bodies=tuple(motion.names[k] for k in rigid),
        r=motion.r[rows][:, rigid],
        R=motion.R[rows][:, rigid],
        v=motion.v[rows][:, rigid],
        owners=("",) * len(rigid),
        lines=tuple(MADE[figure.kind](result, figure, rows) for figure in beams),
    )
    return _with_sections(frames) if beams else frames


def _with_sections(frames: Frames) -> Frames:
    """Return frames in which figures on beams belong to additional bodies, one per section."""
    owner = {name: line for line in frames.lines for name in line.elements}
    sections: dict[str, tuple[FloatArray, FloatArray]] = {}
    owners: dict[str, str] = {}
    figures = []
    for figure in frames.scene.figures:
        bodies, numbers = list(figure.bodies), figure.numbers.copy()
        for k, name in enumerate(bodies if figure.kind not in MADE else ()):
            if name in owner:
                place = numbers[3 * k : 3 * k + 3].copy()
                numbers[3 * k : 3 * k + 3] = 0.0
                bodies[k] = f"{name}({', '.join(f'{x:.9g}' for x in place)})"
                if bodies[k] not in sections:
                    sections[bodies[k]] = owner[name].section(name, place)
                    owners[bodies[k]] = owner[name].name
        figures.append(replace(figure, bodies=tuple(bodies), numbers=numbers))
    points = [r[:, None] for r, _ in sections.values()]
    axes = [R[:, None] for _, R in sections.values()]
    rest = np.zeros((len(frames.t), len(sections), 3))
    return replace(
        frames,
        scene=Scene(tuple(figures)),
        bodies=(*frames.bodies, *sections),
        owners=(*frames.owners, *owners.values()),
        r=np.concatenate([frames.r, *points], axis=1),
        R=np.concatenate([frames.R, *axes], axis=1),
        v=np.concatenate([frames.v, rest], axis=1),
    )


def _budget(bodies: int, elements: int) -> int:
    fitting = MOST_NUMBERS // max(1, NUMBERS_OF_A_POSE * bodies + NUMBERS_OF_A_NODE * elements)
    return int(np.clip(fitting, FEWEST_FRAMES, MOST_FRAMES))


def chosen(t: FloatArray, most: int) -> IntArray:
    """Return indices of evenly spaced times with the first and the last; all if there are few."""
    if len(t) <= most:
        return np.arange(len(t))
    order = 1.0 if t[-1] >= t[0] else -1.0
    rows = np.searchsorted(order * t, order * np.linspace(t[0], t[-1], most))
    found: IntArray = np.unique(np.clip(rows, 0, len(t) - 1))
    return found


def quaternions(R: FloatArray) -> FloatArray:
    """Return unit quaternions of rotation matrices ``(n, bodies, 3, 3)``, continuous over time.

    The component of largest magnitude is computed first, from the diagonal, and divides the others.
    """
    x, y, z = (R[..., k, k] for k in range(3))
    q = np.empty((4, *R.shape[:-2]))
    squares = np.stack([1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z])
    sums = {  # products 4 q_i q_j
        (0, 1): R[..., 2, 1] - R[..., 1, 2],
        (0, 2): R[..., 0, 2] - R[..., 2, 0],
        (0, 3): R[..., 1, 0] - R[..., 0, 1],
        (1, 2): R[..., 0, 1] + R[..., 1, 0],
        (1, 3): R[..., 0, 2] + R[..., 2, 0],
        (2, 3): R[..., 1, 2] + R[..., 2, 1],
    }
    largest = np.argmax(squares, axis=0)
    for k in range(4):
        here = largest == k
        own = np.sqrt(np.maximum(squares[k], 0.0))[here]
        for j in range(4):
            product = own**2 if j == k else sums[min(j, k), max(j, k)][here]
            q[j][here] = product / own / 2
    q = np.moveaxis(q, 0, -1)
    turned = np.sum(q[1:] * q[:-1], axis=-1) < 0
    signs = np.where(np.cumsum(turned, axis=0) % 2, -1.0, 1.0)
    q[1:] *= signs[..., None]
    unit: FloatArray = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return unit
