r"""Static equilibrium by Newton's method with load steps, load ramp and relaxation.

.. math::
    f(t, q, 0) + G^T \lambda = 0, \qquad \phi(t, q) = 0

One iteration is ``[K + mu M, -G^T; H, eps] [dq; dlam] = -[r - s r_0; phi]``: Newton's method with
``mu = s = 0``. For a poor initial guess the applied loads (gravity, forces, torques) are increased
from zero in load steps, each extrapolated from the last two (continuation); the other forces that
balance the start position, such as those of stretched springs, are removed at the same rate (``s
r_0``, ``s`` from 1 to 0). If no load can be scaled, all of ``r_0`` is removed (load ramp). A motion
without stiffness and loads, such as that of a belt that may slide around its pulleys, makes the
matrix singular: a small ``mu`` (regularisation) keeps its position. If that fails too, a large
``mu`` makes the iteration a relaxation, an overdamped descent of the potential that finds stable
equilibria only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.errors import AssemblyError, EquilibriumError, OptionError
from mbdgen.limits import require
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS, STATICS
from mbdgen.mechanics.equilibrium_stability import stability_of
from mbdgen.mechanics.given_motion import check_still
from mbdgen.mechanics.passages import Passages
from mbdgen.mechanics.spaces import space
from mbdgen.runtime.initialisation.assembly import positions
from mbdgen.runtime.monitors.angle_unwrapping import Followed, angles_in
from mbdgen.runtime.monitors.path_limits import Ranges
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.displacement_maps import rates_of_displacements
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import State, new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.runtime.system.system_features import features_of

TOLERANCE = 1e-11
"""Tolerance of Newton's method: last change of coordinates, relative to ``1 + max |q|``."""
BALANCED = 1e-9
"""Tolerance for unbalanced forces at an equilibrium, relative to the largest force."""
MOST_ITERATIONS = 40
STAGES = 400
"""Maximum number of load steps."""
FIRST_STEPS = 8
SMALLEST = 1e-5
"""Smallest acceptable load step, as a fraction of the loads."""
RELAXATIONS = 2000
STIFFEST = 1e14
SLIGHT = 1e-6
"""Regularisation ``mu``, relative to the largest ratio of stiffness to inertia."""
FARTHEST = 1e3
"""Growth of the coordinates that counts as divergence."""
KICK = 1e-2
STUCK = 1e-6
"""Step length, relative to ``1 + max |q|``, below which passing through a contact is ignored."""
LONGEST = 0.3
"""Largest change of a coordinate in one relaxation step, relative to ``1 + max |q|``."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Static equilibrium with its stability.

    Attributes
    ----------
    state : State
        Position at rest and multipliers; `mbdgen.modes` takes it as ``at``.
    stiffness : array
        Generalised eigenvalues of ``N^T (K - W) N`` with the inertia ``N^T M N``, ascending:
        squares of angular frequencies if loads are conservative. Complex ones (flutter) are given
        by their real parts.
    stability : str
        ``stable``, ``unstable`` or ``neutral``.
    method : str
        Successful method: ``newton``, ``load steps``, ``load ramp``, ``regularised newton`` or
        ``relaxation``.
    iterations : int
        Number of iterations of all attempts.
    outputs : dict of str to float
        Outputs of the model at the equilibrium.
    """

    state: State
    stiffness: FloatArray
    stability: str
    method: str
    iterations: int
    outputs: dict[str, float]

    def __repr__(self) -> str:
        lowest = f", lowest stiffness {self.stiffness[0]:.5g} 1/s^2" if len(self.stiffness) else ""
        return (
            f"Equilibrium: {self.stability}{lowest}, of {len(self.state.q)} coordinates, by "
            f"{self.method} in {self.iterations} iterations"
        )


@takes_model
def statics(
    system: System, t: float = 0.0, *, stable: bool = False, steps: int | None = None
) -> Equilibrium:
    """Find a static equilibrium, ``f(t, q, 0) + G^T lam = 0``, near the initial position.

    Parameters
    ----------
    system : System or model
        ``q0`` is the initial guess; coordinates marked as fixed move too: they concern assembly
        only.
    t : float
        Time at which drivers and loads are evaluated; they are held constant.
    stable : bool
        Whether only a stable equilibrium is accepted: then relaxation is used.
    steps : int, optional
        Number of load steps from zero loads at the initial position, more where a step is too long;
        1 begins with full loads. By default load steps are used only if necessary. In the layout
        ``flat`` the loads must be parameters.

    Raises
    ------
    EquilibriumError
        If none is found.
    """
    require(ANALYSIS_LIMITS, features_of(system), run=STATICS)
    found, paths, beyond = _Search(system, t), Ranges(system), ""
    ways: tuple[tuple[str, _Way], ...] = (("relaxation", _relaxation),) if stable else (
        ("newton", _newton), ("load steps", _load_steps), ("load ramp", _load_ramp),
        ("regularised newton", _regularised), ("relaxation", _relaxation),
    )  # fmt: skip
    if steps is not None and (stable or not steps >= 1):
        raise OptionError(
            f"steps = {steps!r} of statics is no number of load steps"
            + (" of a search that goes downhill." if stable else "."),
            "Give a whole number from 1 on, without stable=True.",
        )
    if steps is not None:
        _check_growing(system)
        found.steps, found.longest = int(steps), 1.0 / steps
        ways = ways[1:2] if len(system.data.loads) else ways[2:3]
    for name, way in ways:
        state = way(found)
        if state is not None and way in _AT_ONCE and found.beyond(state.q):
            continue
        if state is not None and paths.beyond(state.q):
            beyond = paths.beyond(state.q)  # the equations of its last piece have no end
        elif state is not None:
            found.residual(state.q, state.lam)  # updates the full turns of its angles
            values, word = stability_of(system, state)
            return Equilibrium(state, values, word, name, found.iterations, _outputs(system, state))
    if beyond:
        raise EquilibriumError(
            f"The equilibrium of '{system.data.model}' that was found is not on a path: {beyond}.",
            "Make the path longer, hold the place, or start nearer to another equilibrium.",
        )
    raise found.failure()


def _check_growing(system: System) -> None:
    """Reject load steps if loads are constants in the kernels, which cannot be scaled."""
    printed = system.data.printed_loads
    if printed:
        raise OptionError(
            f"Load steps of '{system.data.model}' would leave out what is a number in its kernels "
            f"(layout '{system.data.layout}'): {listed(printed, 8)}.",
            "Load the model with layout='loop', or make the sizes of these loads parameters.",
        )


def settle(system: System, t: float = 0.0) -> Equilibrium:
    """Set the initial state of a system to a static equilibrium near its initial position.

    Initial velocities of drivers are left to the assembly of a simulation.
    """
    found = statics(system, t)
    system.q0[:], system.v0[:] = found.state.q, 0.0
    system.angles0[:] = angles_in(system.work.turns, system.work.p, t)
    return found


class _Search:
    """Equations of statics at one instant, with a count of solutions."""

    def __init__(self, system: System, t: float) -> None:
        self.system, self.t, self.iterations = system, t, 0
        self.steps, self.longest, self.followed, self.blocked = FIRST_STEPS, 1.0, 0.0, ""
        self._passages = Passages(system, t)
        self.q = positions(system, t)
        check_still(system, t, self.q)
        system.regularise(t, self.q)
        self.rest = np.zeros(system.n_q)
        self._followed = Followed(system, t, self.q)
        self.dynamics = np.setdiff1d(np.arange(system.n_q), system.work.rows)
        self.lam = self.reactions(self.q)

    def residual(self, q: FloatArray, lam: FloatArray) -> FloatArray:
        """Evaluate the residual at a position of the search."""
        self._followed.to(q)
        return self.system.residual(self.t, q, self.rest, self.rest, lam)

    def solve(self, q: FloatArray, lam: FloatArray, rhs: FloatArray, mu: float) -> FloatArray:
        """Solve with the iteration matrix at a position; NaN if it is singular."""
        self.iterations += 1
        system = self.system
        matrix = system.matrix(self.t, q, self.rest, self.rest, lam, (1.0, 0.0, mu))
        matrix.data[system.work.diagonal] += system.work.eps
        return _solved(matrix, rhs)

    def reactions(self, q: FloatArray) -> FloatArray:
        """Return the reactions at the release from rest at a position."""
        matrix = self.system.index_1_matrix(self.t, q)
        rhs = -self.residual(q, np.zeros(self.system.n_lam))
        rhs[self.system.work.rows] = 0.0
        found = _solved(matrix, rhs)[self.system.n_q :]
        return found if np.isfinite(found).all() else np.zeros(self.system.n_lam)

    def balanced(self, q: FloatArray, lam: FloatArray) -> bool:
        """Return whether all forces on all bodies are balanced."""
        rest = np.abs(self.residual(q, lam)[self.dynamics]).max(initial=0.0)
        # Springs may balance each other: then only their stiffness gives a scale.
        weights = (1.0, 0.0, 0.0)
        matrix = self.system.matrix(self.t, q, self.rest, self.rest, lam, weights)
        stiff = abs(matrix[:, : self.system.n_q]).max() if len(q) else 0.0
        small = 10.0 * TOLERANCE * float(stiff) * (1.0 + np.abs(q).max(initial=0.0))
        return bool(rest <= BALANCED * (1e-9 + self.largest(q, lam)) + small)

    def largest(self, q: FloatArray, lam: FloatArray) -> float:
        """Return the scale of the forces: of the loads, and of single reactions."""
        loads = np.abs(self.residual(q, np.zeros_like(lam))[self.dynamics]).max(initial=0.0)
        matrix = self.system.matrix(self.t, q, self.rest, self.rest, lam, (0.0, 0.0, 0.0))
        joints = abs(matrix[:, self.system.n_q :] @ sp.diags_array(lam)).max() if len(lam) else 0.0
        return float(max(loads, joints))

    def work(self, q: FloatArray, forces: FloatArray, change: FloatArray) -> float:
        """Return the work of generalised forces on a change of the coordinates."""
        T = rates_of_displacements(self.system, self.t, q)[:, self.dynamics]
        return float(forces[self.dynamics] @ np.linalg.lstsq(T, change)[0])

    def assembled(self, q: FloatArray) -> FloatArray | None:
        """Return the nearest position that satisfies the constraints; None if assembly fails."""
        copy = self.system.copy()
        copy.q0[:] = q
        try:
            return positions(copy, self.t)
        except AssemblyError:
            return None

    def kicked(self, q: FloatArray) -> FloatArray:
        """Return a small perturbation of an unstable position."""
        null = space(self.system.jacobian(self.t, q).toarray()).null
        way = null @ np.random.default_rng(self.iterations).standard_normal(null.shape[1])
        moved = self.assembled(q + KICK * way / np.abs(way).max())
        return q if moved is None else moved

    def passes(self, before: FloatArray, after: FloatArray) -> bool:
        """Return whether a body would pass through a contact from one position to another."""
        return bool(self._passages.passed(before, after))

    def beyond(self, q: FloatArray) -> bool:
        """Return whether a body would pass through a contact on the path from the start.

        The contact is recorded in ``blocked``.
        """
        passed = self._passages.passed(self.q, q)
        self.blocked = passed or self.blocked
        return bool(passed)

    def slight(self) -> float:
        """Return a small regularisation ``mu``, negligible for motions with stiffness."""
        at, n_q = (self.t, self.q, self.rest, self.rest, self.lam), self.system.n_q
        sizes = [
            float(abs(self.system.matrix(*at, weights)[self.dynamics, :n_q]).max())
            for weights in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        ]
        return SLIGHT * sizes[0] / sizes[1]

    def failure(self) -> EquilibriumError:
        """Return the error, with the largest unbalanced forces at the start."""
        rest = np.abs(self.residual(self.q, self.lam)[self.dynamics])
        worst = self.dynamics[int(np.argmax(rest))]
        name = self.system.data.model
        if self.blocked:
            return EquilibriumError(
                f"No equilibrium of '{name}' was found on this side of its contacts: on the way to "
                f"the one that was found {self.blocked}.",
                "Start nearer to the equilibrium, with smaller loads, or on its other side.",
            )
        if self.followed > 0.0:
            return EquilibriumError(
                f"No equilibrium of '{name}' was found: growing loads could be followed up to "
                f"{self.followed:.3g} of their size, and the next equilibrium is not near.",
                "It may buckle, snap or slip off there: look at it with smaller loads, or start "
                "nearer to the equilibrium.",
            )
        return EquilibriumError(
            f"No equilibrium of '{name}' was found: from its initial position it starts to move in "
            f"the row '{self.system.names.rows[worst]}', with {rest.max():.3g} out of balance.",
            "Start nearer to the equilibrium, let loads grow in steps (as parameters, or in the "
            "layout loop), and check that joints or springs hold them.",
        )


_Way: TypeAlias = Callable[[_Search], State | None]


def _newton(search: _Search) -> State | None:
    return _iterate(search, search.q, search.lam, np.zeros(search.system.n))


def _regularised(search: _Search) -> State | None:
    return _iterate(search, search.q, search.lam, np.zeros(search.system.n), search.slight())


def _iterate(
    search: _Search, q: FloatArray, lam: FloatArray, held: FloatArray, mu: float = 0.0
) -> State | None:
    """Solve ``r = held`` by Newton's method; None if it does not converge."""
    q, lam, before = q.copy(), lam.copy(), np.inf
    n_q, grown = search.system.n_q, 0
    for _ in range(MOST_ITERATIONS):
        change = search.solve(q, lam, held - search.residual(q, lam), mu)
        size = np.abs(change[:n_q]).max(initial=0.0) / (1.0 + np.abs(q).max(initial=0.0))
        grown = grown + 1 if size > before else 0
        if not np.isfinite(change).all():
            # A motion without stiffness; if it has no load either, it remains at rest.
            rests = not held.any() and search.balanced(q, lam)
            return _state(search, q, lam) if rests else None
        if size > 1e3 or grown > 3:
            return None
        # Steps larger than the mechanism indicate a direction only.
        shorter = min(1.0, 1.0 / size) if size > 0.0 else 1.0
        q += shorter * change[:n_q]
        lam += shorter * change[n_q:]
        if size <= TOLERANCE and (held.any() or search.balanced(q, lam)):
            return _state(search, q, lam)
        before = size
    return None


def _load_steps(search: _Search) -> State | None:
    """Increase the loads from zero, in steps for which Newton's method converges."""
    system, places = search.system, search.system.data.loads
    if not len(places):
        return None
    whole = system.work.p[places].copy()
    try:
        system.work.p[places] = 0.0
        held = search.residual(search.q, search.lam * 0.0)
        held[system.work.rows] = 0.0
        if np.abs(held).max(initial=0.0) <= BALANCED * search.largest(search.q, search.lam):
            held[:] = 0.0
        path = [(0.0, search.q, search.lam * 0.0)]
        part = 1.0 / search.steps
        for _ in range(STAGES * max(1, search.steps // FIRST_STEPS)):
            share = min(1.0, path[-1][0] + part)
            system.work.p[places] = share * whole
            state = _followed(search, path, share, (1.0 - share) * held)
            if state is None:
                part *= 0.4
                if part < SMALLEST:
                    return None
                continue
            path = [path[-1], (share, state.q, state.lam)]
            search.followed = share
            part = min(1.0 / search.steps, 1.6 * part)
            if share == 1.0:
                return state if search.balanced(state.q, state.lam) else None
        return None
    finally:
        system.work.p[places] = whole


def _followed(
    search: _Search,
    path: list[tuple[float, FloatArray, FloatArray]],
    share: float,
    held: FloatArray,
) -> State | None:
    """Return the equilibrium under partial loads that continues a path; None if not found."""
    before, q, lam = path[-1]
    ahead = [(q, lam)]
    if len(path) == 2 and before > path[0][0]:
        ratio = (share - before) / (before - path[0][0])
        ahead.insert(0, (q + ratio * (q - path[0][1]), lam + ratio * (lam - path[0][2])))
    for start in ahead:
        state = _iterate(search, *start, held)
        scale = 1.0 + np.abs(q).max(initial=0.0)
        near = state is not None and np.abs(state.q - q).max(initial=0.0) <= LONGEST * scale
        if state is not None and near and not search.passes(q, state.q):
            return state
    return None


def _load_ramp(search: _Search) -> State | None:
    """Remove the forces that balance the start position, in steps for which Newton converges."""
    held = search.residual(search.q, search.lam)
    held[search.system.work.rows] = 0.0
    q, lam, s, part = search.q, search.lam, 1.0, min(0.25, search.longest)
    for _ in range(STAGES * max(1, search.steps // FIRST_STEPS)):
        target = max(0.0, s - part)
        state = _iterate(search, q, lam, target * held)
        if state is None or search.passes(q, state.q):
            part *= 0.4
            if part < 1e-4:
                return None
            continue
        q, lam, s, part = state.q, state.lam, target, min(search.longest, 1.6 * part)
        if s == 0.0:
            return state if search.balanced(q, lam) else None
    return None


def _relaxation(search: _Search) -> State | None:
    """Relax downhill: ``mu`` decreases while steps are short; Newton's method completes it.

    If the loads do negative work on a step, ``mu`` is too small for the local curvature.
    """
    q, lam, mu, n_q = search.q.copy(), search.lam.copy(), 1.0, search.system.n_q
    farthest = FARTHEST * (1.0 + np.abs(q).max(initial=0.0))
    for k in range(RELAXATIONS):
        forces = -search.residual(q, lam)
        change = search.solve(q, lam, forces, mu)
        scale = 1.0 + np.abs(q).max(initial=0.0)
        size = np.abs(change[:n_q]).max(initial=0.0) / scale
        # If balanced already, the sign of that work is round-off; the steps below decide.
        downhill = search.work(q, forces, change[:n_q]) >= 0.0 or search.balanced(q, lam)
        if not np.isfinite(change).all() or size > LONGEST or not downhill:
            mu *= 4.0
            if mu > STIFFEST:
                return None
            continue
        moved = search.assembled(q + change[:n_q])
        if moved is None or np.abs(moved).max(initial=0.0) > farthest:
            return None
        if search.passes(q, moved):
            if size < STUCK:
                return None
            mu *= 4.0
            continue
        q, lam = moved, search.reactions(moved)
        mu *= 0.6 if size < 0.3 * LONGEST else 1.0
        if size <= 1e-3 and k % 4 == 3:
            state = _iterate(search, q, lam, np.zeros(search.system.n))
            if state is None or search.passes(q, state.q):
                continue
            if stability_of(search.system, state)[1] != "unstable":
                return state
            q, mu = search.kicked(state.q), 1.0
            lam = search.reactions(q)
    return None


_AT_ONCE = (_newton, _regularised)
"""Methods that reach the equilibrium in one step, without regard to contacts in between."""


def _solved(matrix: sp.csc_array, rhs: FloatArray) -> FloatArray:
    try:
        found: FloatArray = splu(sp.csc_array(matrix)).solve(rhs)
    except RuntimeError:  # exactly singular
        return np.full(len(rhs), np.nan)
    return found


def _state(search: _Search, q: FloatArray, lam: FloatArray) -> State:
    state = new_state(search.system.n_q, search.system.n_lam)
    state.clock[0], state.q[:], state.lam[:] = search.t, q, lam
    return state


def _outputs(system: System, state: State) -> dict[str, float]:
    t, q, v, a, lam = state
    return system.named_outputs(float(t[0]), q, v, a, lam)
