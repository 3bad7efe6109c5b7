"""Mobility: degrees of freedom by Gruebler's count, by instantaneous rank, and finite."""

from dataclasses import dataclass, field

import numpy as np

from mbdgen.errors import AssemblyError
from mbdgen.limits import require
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS, MOBILITY
from mbdgen.mechanics.orientation_failures import check_regular_orientations
from mbdgen.mechanics.spaces import space
from mbdgen.runtime.initialisation.assembly import positions
from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis, diagnose
from mbdgen.runtime.results.result_series import coordinate_unit
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.runtime.system.system_features import features_of

REACH = 0.06
"""Total length of the finite motions, in units of the mechanism's size and in radians."""
STAGES = 3
ARRIVED = 0.3
"""Fraction of the intended displacement that must remain after assembly."""


@dataclass(frozen=True, eq=False)
class Mobility:
    """Degrees of freedom and redundant constraints of a mechanism.

    Attributes
    ----------
    count : int
        By Gruebler's count: coordinates minus constraint equations.
    instantaneous : int
        At the position itself: coordinates minus rank of the constraint Jacobian. Drivers count as
        constraints.
    finite : int
        At positions reached by finite motions: the actual mobility. The largest of all branches.
    branches : tuple of int
        Distinct degrees of freedom found there, ascending.
    without_drivers : int
        Degrees of freedom at the position without drivers: the number of drivers needed.
    drivers : int
        Number of driver equations.
    here, nearby : Diagnosis
        Ranks and redundant equations at the position and at a nearby position, if one is reached:
        equations that are redundant there are so for the whole motion.
    t : float
        Time at which drivers are held.
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
        """Whether the rank is lower here than nearby: the position is singular."""
        return self.instantaneous > min(self.branches, default=0)

    @property
    def overconstrained(self) -> bool:
        """Whether it moves although Gruebler's count denies it (redundant constraints)."""
        return self.finite > max(self.count, 0)

    def messages(self) -> list[str]:
        """Return findings as sentences."""
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
    """Determine mobility and redundant constraints at the assembled initial position.

    Parameters
    ----------
    system : System or model
        ``q0`` is the initial guess of the position.
    t : float
        Time; drivers are held at it.
    tries, seed : int
        Number of random admissible directions in which it is moved, and seed of the generator.
    """
    require(ANALYSIS_LIMITS, features_of(system), run=MOBILITY)
    q = positions(system, t)
    check_regular_orientations(system, t, q)
    here = diagnose(system, t, q)
    jacobian = system.jacobian(t, q).toarray()
    passive = np.setdiff1d(np.arange(here.n_phi), driven_rows(system))
    reached = _reached(system, t, q, space(jacobian).null, tries, seed) if here.dof else []
    found = [diagnose(system, t, place) for place in reached]
    # The position with the highest rank is the generic one.
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
    """Return the indices of driver equations among the constraint rows."""
    place = {int(row): k for k, row in enumerate(system.work.rows)}
    return np.array([place[system.n_q + int(k)] for k in system.data.driven], np.int64)


def _reached(
    system: System, t: float, q: FloatArray, null: FloatArray, tries: int, seed: int
) -> list[FloatArray]:
    """Return positions reached by admissible motions in some directions.

    Each motion has a few stages: a step along the admissible displacement nearest to the last one,
    then assembly. A position that falls back, or cannot be assembled, is discarded.
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
    """Return scales of the coordinates: the size of the mechanism for lengths, otherwise one."""
    lengths = [k for k, n in enumerate(system.names.coordinates) if coordinate_unit(n) == "m"]
    scale = np.ones(len(q))
    scale[lengths] = float(np.abs(q[lengths]).max(initial=0.0)) or 1.0
    return scale
