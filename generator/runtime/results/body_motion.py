r"""Motion of bodies (position, orientation, velocities, accelerations) for any coordinates.

A generated module has a function of arrays for every type of body. It gives the centre of mass
:math:`r`, the body axes :math:`R = [e_1, e_2, e_3]` and, exactly differentiated,
:math:`v = \dot r`, :math:`\omega` with :math:`\dot R = \tilde\omega R`, :math:`a = \ddot r` and
:math:`\alpha = \dot\omega`, all in global components. A point mass has the global axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.interface import LEVELS
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.euler_parameters import euler_parameters
from mbdgen.runtime.system.system_data import BodyType, FloatArray, reals

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

COMPONENTS = 24


class PointMotion(NamedTuple):
    """Position, velocity and acceleration of a point, each ``(n_t, 3)``, global."""

    r: FloatArray
    v: FloatArray
    a: FloatArray


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of all bodies at some instants.

    Attributes
    ----------
    names : tuple of str
        Names of the bodies, in the order of the model.
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

    @cached_property
    def p(self) -> FloatArray:
        """Euler parameters ``(n_t, n_bodies, 4)``, scalar first, continuous in time."""
        return euler_parameters(self.R)

    @property
    def rd(self) -> FloatArray:
        """Velocity of the centre of mass: another name of `v`."""
        return self.v

    @property
    def rdd(self) -> FloatArray:
        """Acceleration of the centre of mass: another name of `a`."""
        return self.a

    @property
    def wd(self) -> FloatArray:
        """Angular acceleration: another name of `alpha`."""
        return self.alpha

    @cached_property
    def wp(self) -> FloatArray:
        r"""Angular velocity along the body axes, :math:`R^T \omega`."""
        return self._in_body(self.w)

    @cached_property
    def wpd(self) -> FloatArray:
        r"""Rate of `wp`, :math:`R^T \dot\omega`, because :math:`\omega \times \omega = 0`."""
        return self._in_body(self.alpha)

    def quantity(self, name: str) -> FloatArray:
        """Return one of ``r, p, rd, w, wp, rdd, wd, wpd``."""
        known = {
            "r": lambda: self.r,
            "p": lambda: self.p,
            "rd": lambda: self.v,
            "w": lambda: self.w,
            "wp": lambda: self.wp,
            "rdd": lambda: self.a,
            "wd": lambda: self.alpha,
            "wpd": lambda: self.wpd,
        }
        return known[name]()

    def number(self, body: str) -> int:
        """Return the index of a body."""
        if body not in self.names:
            raise OptionError(
                f"There is no body '{body}'.", f"The bodies are: {listed(self.names, 12)}."
            )
        return self.names.index(body)

    def point(self, body: str, local: Sequence[float] = (0.0, 0.0, 0.0)) -> PointMotion:
        r"""Return the motion of a point of a body.

        .. math::
            r + R s, \qquad \dot r + \omega \times R s, \qquad
            \ddot r + \dot\omega \times R s + \omega \times (\omega \times R s)

        Parameters
        ----------
        body : str
            Name of the body.
        local : 3 floats
            Local coordinates, from the centre of mass along the body axes.
        """
        s = np.asarray(local, np.float64)
        if s.shape != (3,) or not np.isfinite(s).all():
            raise OptionError(f"The point {local!r} of '{body}' has not 3 numbers.", "Correct it.")
        k = self.number(body)
        arm, w = self.R[:, k] @ s, self.w[:, k]
        turning = np.cross(w, arm)
        bent = np.cross(self.alpha[:, k], arm) + np.cross(w, turning)
        return PointMotion(self.r[:, k] + arm, self.v[:, k] + turning, self.a[:, k] + bent)

    def _in_body(self, x: FloatArray) -> FloatArray:
        turned: FloatArray = np.einsum("tnji,tnj->tni", self.R, x)
        return turned


@dataclass(frozen=True, eq=False)
class BodyPlaces:
    """Evaluation of the motion of bodies from recorded states.

    Attributes
    ----------
    names : tuple of str
        Names of the bodies.
    motions : tuple of BodyType
        Functions of their types.
    p : array
        Parameter table.
    n_states : int
        Number of values after the outputs that are states of the bodies: 0 if these are the
        coordinates of the system.
    """

    names: tuple[str, ...]
    motions: tuple[BodyType, ...]
    p: FloatArray
    n_states: int

    @classmethod
    def of(cls, system: "System") -> "BodyPlaces":
        """Return the evaluation for a system with its present parameters.

        Orientations refer to the initial bases, as all recorded coordinates do.
        """
        data, p = system.data, system.work.p.copy()
        for body in data.displaced:
            entries = body.bases[:, 0]
            p[entries] = data.tables.p[entries]
        return cls(data.bodies, data.motions, p, len(data.names.bodies))

    def motion(self, q: FloatArray, v: FloatArray, a: FloatArray) -> BodyMotion:
        """Return the motion for rows of the coordinates of all bodies, and their rates."""
        out = np.zeros((COMPONENTS, len(q), len(self.names)))
        with np.errstate(all="ignore"):  # both sides of choices are evaluated
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
        """Return the motion for rows of recorded values."""
        if not self.n_states:
            return self.motion(q, v, a)
        states = outputs[:, outputs.shape[1] - self.n_states :]
        return self.motion(*np.split(states, len(LEVELS), axis=1))


def body_motion(
    system: "System",
    q: object,
    v: object | None = None,
    a: object | None = None,
    *,
    t: float | FloatArray = 0.0,
) -> BodyMotion:
    """Return the motion of all bodies of a system for states of its coordinates.

    Parameters
    ----------
    system : System
        System with its present parameters.
    q, v, a : array, shape (n_q,) or (n_t, n_q)
        Coordinates, velocities and accelerations; velocities and accelerations default to zero.
    t : float or array, shape (n_t,)
        Instants, for eliminated drivers (rheonomic constraints).

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
    bodies = places_of(system)
    if bodies is None:
        raise OptionError(
            f"The module of '{system.data.model}' does not know where its bodies are.",
            "Build it again: it is older than that, or there are none.",
        )
    outputs = np.zeros((len(positions), 0))
    if bodies.n_states:
        none = np.zeros(system.n_lam)  # positions do not depend on the multipliers
        instants = np.broadcast_to(t, len(positions)).tolist()
        rows = zip(instants, *state, strict=True)
        outputs = np.array([system.outputs(*row, none) for row in rows])
    return bodies.recorded(*state, outputs)


def places_of(system: "System") -> BodyPlaces | None:
    """Return the evaluation of body motions of a system; None if its module has none."""
    return BodyPlaces.of(system) if system.data.motions else None


__all__ = ["BodyMotion", "BodyPlaces", "PointMotion", "body_motion", "places_of"]
