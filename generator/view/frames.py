"""What an animation needs of a result: poses of the bodies at few instants, and the scene."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.scene import Scene

if TYPE_CHECKING:
    from mbdgen.runtime.result import Result

MOST_FRAMES = 2000
MOST_NUMBERS = 1_500_000
"""Of all poses together: 6 MB as 32-bit numbers, which a browser loads in a moment."""
FEWEST_FRAMES = 120
NUMBERS_OF_A_POSE = 10
"""Position, quaternion, velocity."""


@dataclass(frozen=True, eq=False)
class Frames:
    """The bodies at some recorded instants.

    Attributes
    ----------
    scene : Scene
        What is drawn.
    rows : array of int, shape (n,)
        Which recorded instants these are.
    t : array, shape (n,)
        Their times.
    bodies : tuple of str
        Names.
    r : array, shape (n, bodies, 3)
        Centres of mass.
    R : array, shape (n, bodies, 3, 3)
        Axes of the bodies as columns.
    v : array, shape (n, bodies, 3)
        Velocities of the centres of mass.
    """

    scene: Scene
    rows: IntArray
    t: FloatArray
    bodies: tuple[str, ...]
    r: FloatArray
    R: FloatArray
    v: FloatArray

    def some(self, most: int) -> "Frames":
        """Return evenly spread ones of these."""
        return self.some_of(chosen(self.t, most))

    def some_of(self, k: Sequence[int] | IntArray) -> "Frames":
        """Return these of them."""
        return replace(self, rows=self.rows[k], t=self.t[k], r=self.r[k], R=self.R[k], v=self.v[k])

    def points(self, body: str, places: FloatArray) -> FloatArray:
        """Return where points of a body are, ``r + R s`` for each row of places, over time."""
        if body not in self.bodies:  # the ground
            return np.broadcast_to(places, (len(self.t), *places.shape))
        k = self.bodies.index(body)
        turned: FloatArray = np.einsum("tij,pj->tpi", self.R[:, k], places)
        return self.r[:, k, None, :] + turned


def frames_of(result: "Result", most: int | None = None) -> Frames:
    """Return the bodies at instants that are evenly spread over a result.

    Parameters
    ----------
    most : int, optional
        How many instants at most; by default as many as a page can bear.
    """
    if result.scene is None or not len(result.t):
        raise OptionError(
            f"There is nothing to draw of this result of '{result.info.model}'.",
            "Simulate the model again: only results of simulations know their bodies.",
        )
    motion = result.bodies
    rows = chosen(result.t, most or _budget(len(motion.names)))
    return Frames(
        scene=result.scene,
        rows=rows,
        t=result.t[rows],
        bodies=tuple(motion.names),
        r=motion.r[rows],
        R=motion.R[rows],
        v=motion.v[rows],
    )


def _budget(bodies: int) -> int:
    fitting = MOST_NUMBERS // max(1, NUMBERS_OF_A_POSE * bodies)
    return int(np.clip(fitting, FEWEST_FRAMES, MOST_FRAMES))


def chosen(t: FloatArray, most: int) -> IntArray:
    """Return rows whose times are evenly spread, first and last among them; all if they are few."""
    if len(t) <= most:
        return np.arange(len(t))
    order = 1.0 if t[-1] >= t[0] else -1.0
    rows = np.searchsorted(order * t, order * np.linspace(t[0], t[-1], most))
    found: IntArray = np.unique(np.clip(rows, 0, len(t) - 1))
    return found


def quaternions(R: FloatArray) -> FloatArray:
    """Return unit quaternions of rotation matrices ``(n, bodies, 3, 3)``, continuous over time.

    Of the four numbers the largest is found first, from the diagonal: no other is divided by less.
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
