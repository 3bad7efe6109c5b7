"""Mobility: how many ways a mechanism can move, counted, at an instant, and for a finite way."""

from dataclasses import dataclass, field

import numpy as np

from mbdgen.errors import AssemblyError
from mbdgen.limits import require
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS, MOBILITY
from mbdgen.mechanics.orientation_failures import require_regular_orientations
from mbdgen.mechanics.spaces import space
from mbdgen.runtime.initialisation.assembly import positions
from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis, diagnose
from mbdgen.runtime.results.result_series import coordinate_unit
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.runtime.system.system_features import features_of

REACH = 0.06
"""How far the mechanism is moved in all, in units of its size and in radians."""
STAGES = 3
ARRIVED = 0.3
"""Part of the intended way that must be left after assembly: what stalls earlier does not move."""


@dataclass(frozen=True, eq=False)
class Mobility:
    """Degrees of freedom of a mechanism and what its constraints have to do with each other.

    Attributes
    ----------
    count : int
        By counting (Gruebler): coordinates minus constraint equations.
    instantaneous : int
        At the position itself: coordinates minus rank. Drivers count as constraints.
    finite : int
        At positions that are reached by moving on: what the mechanism can really do. The largest
        of all branches, if there are some.
    branches : tuple of int
        Degrees of freedom that were met there, each once, rising.
    without_drivers : int
        Degrees of freedom at the position if no driver held it: so many drivers are needed.
    drivers : int
        Driven equations.
    here, nearby : Diagnosis
        Ranks and dependent equations at the position and at a position nearby, if one is reached:
        what is dependent there is so wherever the mechanism goes.
    t : float
        The instant that drivers stand still at.
    """

    count: int
    instantaneous: int
    finite: int
    branches: tuple[int, ...]
    without_drivers: int
    drivers: int
    here: Diagnosis
    nearby: Diagnosis
    t: float = field(default=0.0)

    @property
    def singular(self) -> bool:
        """Whether the rank is lower here than nearby: it can do less than it seems, or branch."""
        return self.instantaneous > min(self.branches, default=0)

    @property
    def overconstrained(self) -> bool:
        """Whether it moves although equations that depend on others let counting deny that."""
        return self.finite > max(self.count, 0)

    def messages(self) -> list[str]:
        """Say in sentences what is remarkable."""
        texts = self.nearby.messages(self.t)
        if self.singular and self.finite == 0:
            texts.append(
                f"it has {self.instantaneous} degree(s) of freedom for an instant only: no finite "
                "motion follows (shaky)"
            )
        elif self.singular:
            listed = " or ".join(map(str, self.branches))
            texts.append(
                f"the position is singular: {self.instantaneous} degree(s) of freedom here, "
                f"{listed} nearby"
            )
        if self.overconstrained:
            texts.append(f"counting says {self.count}, it can move: its geometry is special")
        return texts


@takes_model
def mobility(system: System, t: float = 0.0, *, tries: int = 8, seed: int = 0) -> Mobility:
    """Report mobility and redundancy at the initial position, assembled.

    Parameters
    ----------
    system : System or model
        Its ``q0`` is the guess of the position.
    t : float
        Instant; drivers stand still at it.
    tries, seed : int
        Directions, drawn at random from the possible ones, in which it is moved.
    """
    require(ANALYSIS_LIMITS, features_of(system), run=MOBILITY)
    q = positions(system, t)
    require_regular_orientations(system, t, q)
    here = diagnose(system, t, q)
    jacobian = system.jacobian(t, q).toarray()
    passive = np.setdiff1d(np.arange(here.n_phi), driven_rows(system))
    reached = _reached(system, t, q, space(jacobian).null, tries, seed) if here.dof else []
    found = [diagnose(system, t, place) for place in reached]
    # The position with the highest rank is the least special one.
    nearby = max(found, key=lambda one: one.rank, default=here)
    return Mobility(
        count=here.count,
        instantaneous=here.dof,
        finite=max((one.dof for one in found), default=0),
        branches=tuple(sorted({one.dof for one in found})),
        without_drivers=system.n_q - space(jacobian[passive]).rank,
        drivers=len(system.data.driven),
        here=here,
        nearby=nearby,
        t=t,
    )


def driven_rows(system: System) -> IntArray:
    """Return the places of driven equations among the constraint rows."""
    place = {int(row): k for k, row in enumerate(system.work.rows)}
    return np.array([place[system.n_q + int(k)] for k in system.data.driven], np.int64)


def _reached(
    system: System, t: float, q: FloatArray, null: FloatArray, tries: int, seed: int
) -> list[FloatArray]:
    """Return positions that are reached by admissible motions in some directions.

    Each way has a few stages: a step along the possible displacements nearest to the last one, then
    assembly. A position that falls back, or cannot be assembled, is none.
    """
    rng, scale = np.random.default_rng(seed), _scale(system, q)
    moved, found = system.copy(), []
    for _ in range(tries):
        place, directions, wanted = q, null, rng.standard_normal(null.shape[1])
        way = directions @ wanted
        for _ in range(STAGES):
            way = directions @ (directions.T @ way)
            size = float(np.abs(way / scale).max(initial=0.0))
            if size < 1e-9:
                break
            moved.q0[:] = place + way * (REACH / STAGES / size)
            try:
                place = positions(moved, t)
            except AssemblyError:
                break
            directions = space(system.jacobian(t, place).toarray()).null
        if np.abs((place - q) / scale).max(initial=0.0) >= ARRIVED * REACH:
            found.append(place)
    return found


def _scale(system: System, q: FloatArray) -> FloatArray:
    """Return the size of the mechanism for lengths, one for everything else."""
    lengths = [k for k, n in enumerate(system.names.coordinates) if coordinate_unit(n) == "m"]
    scale = np.ones(len(q))
    scale[lengths] = float(np.abs(q[lengths]).max(initial=0.0)) or 1.0
    return scale
