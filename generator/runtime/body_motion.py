r"""Where the bodies of a mechanism are and how they move, whatever their coordinates.

A generated module has a function of arrays for every type of body. It gives the centre of mass
:math:`r`, the body axes :math:`R = [e_1, e_2, e_3]` and, exactly differentiated,
:math:`v = \dot r`, :math:`\omega` with :math:`\dot R = \tilde\omega R`, :math:`a = \ddot r` and
:math:`\alpha = \dot\omega`, all in global components. A point mass has the global axes.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.interface import LEVELS
from mbdgen.runtime.data import BodyType, FloatArray, reals

if TYPE_CHECKING:
    from mbdgen.runtime.system import System

COMPONENTS = 24


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of all bodies at some instants.

    Attributes
    ----------
    names : tuple of str
        The bodies, in the order of the model.
    r : array, shape (n_t, n_bodies, 3)
        Centre of mass.
    R : array, shape (n_t, n_bodies, 3, 3)
        Body axes as columns.
    v, w : array, shape (n_t, n_bodies, 3)
        Velocity of the centre of mass, angular velocity; global components.
    a, alpha : array, shape (n_t, n_bodies, 3)
        Their time derivatives.
    """

    names: tuple[str, ...]
    r: FloatArray
    R: FloatArray
    v: FloatArray
    w: FloatArray
    a: FloatArray
    alpha: FloatArray


@dataclass(frozen=True, eq=False)
class Places:
    """How the bodies of a system follow from its recorded states.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    motions : tuple of BodyType
        Their functions.
    p : array
        The table of parameters.
    n_states : int
        How many numbers behind the outputs are the states of the bodies: 0 if these are the
        coordinates of the system.
    """

    names: tuple[str, ...]
    motions: tuple[BodyType, ...]
    p: FloatArray
    n_states: int

    @classmethod
    def of(cls, system: "System") -> "Places":
        """Return those of a system with its present parameters.

        Orientations count from the bases of the beginning, as everything recorded does.
        """
        data, p = system.data, system.work.p.copy()
        for body in data.displaced:
            places = body.bases[:, 0]
            p[places] = data.tables.p[places]
        return cls(data.bodies, data.motions, p, len(data.names.bodies))

    def motion(self, q: FloatArray, v: FloatArray, a: FloatArray) -> BodyMotion:
        """Return the motion for rows of the coordinates of all bodies, and their rates."""
        out = np.zeros((COMPONENTS, len(q), len(self.names)))
        with np.errstate(all="ignore"):  # choices evaluate both sides
            for kind in self.motions:
                state = [np.moveaxis(x[:, kind.coordinates], 2, 0) for x in (q, v, a)]
                part = np.zeros((COMPONENTS, len(q), len(kind.bodies)))
                kind.motion(*state, self.p[kind.numbers.T], part)
                out[:, :, kind.bodies] = part
        r, v, w, a, alpha = (
            np.ascontiguousarray(np.moveaxis(out[first : first + 3], 0, 2))
            for first in (0, 12, 15, 18, 21)
        )
        columns = out[3:12].reshape(3, 3, *out.shape[1:])
        axes = np.ascontiguousarray(columns.transpose(2, 3, 1, 0))
        return BodyMotion(self.names, r, axes, v, w, a, alpha)

    def recorded(
        self, q: FloatArray, v: FloatArray, a: FloatArray, outputs: FloatArray
    ) -> BodyMotion:
        """Return the motion for rows of what a simulation records."""
        if not self.n_states:
            return self.motion(q, v, a)
        states = outputs[:, outputs.shape[1] - self.n_states :]
        return self.motion(*np.split(states, len(LEVELS), axis=1))


def body_motion(
    system: "System", q: object, v: object | None = None, a: object | None = None
) -> BodyMotion:
    """Return the motion of all bodies of a system for states of its coordinates.

    Parameters
    ----------
    system : System
        With the parameters that it has now.
    q, v, a : array, shape (n_q,) or (n_t, n_q)
        Coordinates, velocities and accelerations; without these two the bodies are at rest.

    Raises
    ------
    OptionError
        If the shapes do not fit, or the module is older than this function.
    """
    positions = np.atleast_2d(reals(q))
    rest = np.zeros_like(positions)
    state = (
        positions,
        rest if v is None else np.atleast_2d(reals(v)),
        rest if a is None else np.atleast_2d(reals(a)),
    )
    shapes = [x.shape for x in state]
    if shapes != [(len(positions), system.n_q)] * len(LEVELS):
        raise OptionError(
            f"The states (q, v, a) have shapes {', '.join(map(str, shapes))}.",
            f"Give one row of {system.n_q} numbers for each instant.",
        )
    places = places_of(system)
    if places is None:
        raise OptionError(
            f"The module of '{system.data.model}' does not know where its bodies are.",
            "Build it again: it is older than that, or there are none.",
        )
    outputs = np.zeros((len(positions), 0))
    if places.n_states:
        # Places do not depend on the multipliers, nor on the time but through coordinates.
        none = np.zeros(system.n_lam)
        rows = [system.outputs(0.0, *levels, none) for levels in zip(*state, strict=True)]
        outputs = np.array(rows)
    return places.recorded(*state, outputs)


def places_of(system: "System") -> Places | None:
    """Return how the bodies of a system move; nothing if its module does not know."""
    return Places.of(system) if system.data.motions else None


__all__ = ["BodyMotion", "Places", "body_motion", "places_of"]
