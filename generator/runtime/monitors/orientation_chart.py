"""Orientation chart of one body: distance to its coordinate singularity, and switching.

The axes of a body with a base are ``R = R_base R(o)``. Switching resets the orientation coordinates
``o`` to their reference values and moves the rotation into the base; other sets are replaced by
equivalent values for the same orientation. Both keep the axes, their velocities and accelerations:
only coordinate values change.
"""

from dataclasses import dataclass

import numpy as np

from mbdgen.runtime.system.displacement_maps import accelerations_of, slopes_of, switched_of
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import Displaced, FloatArray


@dataclass(frozen=True, eq=False)
class OrientationChart:
    """A body whose orientation coordinates have singularities.

    Attributes
    ----------
    name : str
        Name of the body.
    body : Displaced
        Location of its coordinates and base.
    sizes : array
        Singular values of ``d omega/d o_dot`` at the reference orientation.
    """

    name: str
    body: Displaced
    sizes: FloatArray

    @property
    def numbers(self) -> slice:
        """Indices of its orientation coordinates."""
        return slice(self.body.attitude, self.body.attitude + len(self.body.home))

    @property
    def coordinates(self) -> slice:
        """Indices of its coordinates."""
        return slice(self.body.first, self.body.first + self.body.n_q)

    def singular_values(self, out: FloatArray) -> FloatArray:
        """Return the singular values of ``d omega/d o_dot`` from the output of the kernel."""
        return singular_values(self.body, out)

    def margin(self, out: FloatArray) -> float:
        """Return the distance to the singularity: 1 at the reference orientation, 0 if singular."""
        ratios = self.singular_values(out) / self.sizes
        with np.errstate(divide="ignore"):
            margin = float(np.minimum(ratios, 1.0 / ratios).min())
        return margin if np.isfinite(margin) else 0.0

    def turning(self, state: State, out: FloatArray) -> float:
        """Return the largest component of the angular velocity (all rates but the centre's)."""
        u = slopes_of(self.body, out) @ state.v[self.coordinates]
        return float(np.abs(u[self.body.attitude - self.body.first :]).max())


def singular_values(body: Displaced, out: FloatArray) -> FloatArray:
    """Return the singular values of ``d omega/d o_dot`` from the output of the kernel."""
    columns = slopes_of(body, out)[:, body.attitude - body.first :]
    if not np.isfinite(columns).all():
        return np.zeros(len(body.home))
    return np.asarray(np.linalg.svd(columns, compute_uv=False), np.float64)


def find(system: System) -> list[OrientationChart]:
    """Return the bodies of a system whose orientation coordinates may become singular."""
    bodies = [body for body in system.data.displaced if body.attitude >= 0]
    q, rest = system.q0.copy(), np.zeros(system.n_q)
    for body in bodies:
        q[body.attitude : body.attitude + len(body.home)] = body.home
    out = system.displacements(0.0, q, rest, rest) if bodies else np.zeros(0)
    owners = system.names.row_owners
    return [OrientationChart(owners[b.first], b, singular_values(b, out)) for b in bodies]


def home_of(system: System, attitude: OrientationChart, state: State) -> FloatArray:
    """Return all coordinates of a state, with one body at its reference orientation."""
    q = state.q.copy()
    q[attitude.numbers] = attitude.body.home
    return q


def switch(system: System, attitude: OrientationChart, state: State) -> None:
    """Switch the chart of one body in place; its axes and their motion are unchanged."""
    t, body, rest = float(state.clock[0]), attitude.body, np.zeros(system.n_q)
    before = system.displacements(t, state.q, state.v, state.a)
    u = slopes_of(body, before) @ state.v[attitude.coordinates]
    u_dot = accelerations_of(body, before).copy()
    if body.rebased:
        state.q[:] = home_of(system, attitude, state)
        there = switched_of(body, system.displacements(t, state.q, rest, rest))
        move_base(system, body, switched_of(body, before), there)
    else:
        state.q[attitude.numbers] = switched_of(body, before)
    take_motion(system, attitude, state, u, u_dot)


def move_base(system: System, body: Displaced, wanted: FloatArray, found: FloatArray) -> None:
    """Rotate the base of a body so that the axes ``found`` become those ``wanted``."""
    # By columns: each row of these arrays is an axis.
    turn = wanted.reshape(3, 3).T @ found.reshape(3, 3)
    left, _, right = np.linalg.svd(turn @ base_of(system, body))
    write_base(system, body, left @ right)


def base_of(system: System, body: Displaced) -> FloatArray:
    """Return the rotation matrix of a base."""
    entries = np.zeros(9)
    entries[body.bases[:, 1]] = system.work.p[body.bases[:, 0]]
    return entries.reshape(3, 3).T


def write_base(system: System, body: Displaced, base: FloatArray) -> None:
    """Write a rotation matrix as the base of a body, wherever the kernels read it."""
    system.work.p[body.bases[:, 0]] = base.T.ravel()[body.bases[:, 1]]


def take_motion(
    system: System, attitude: OrientationChart, state: State, u: FloatArray, u_dot: FloatArray
) -> None:
    """Set velocities and accelerations of a body at its current coordinates."""
    t, body, columns = float(state.clock[0]), attitude.body, attitude.coordinates
    rest = np.zeros(system.n_q)
    slopes = slopes_of(body, system.displacements(t, state.q, rest, rest))
    inverse = np.linalg.pinv(slopes)
    state.v[columns] = inverse @ u
    bias = accelerations_of(body, system.displacements(t, state.q, state.v, rest))
    state.a[columns] = inverse @ (u_dot - bias)
