"""A mechanism with its compiled groups, evaluated by groups or as a whole for comparison."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

import numpy as np

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.runtime.groups import global_solver, group_kinematics
from mbdgen.runtime.groups.global_solver import GlobalSolver, new_whole
from mbdgen.runtime.groups.group_decomposition import Decomposition
from mbdgen.runtime.groups.group_tables import FAILED_GROUP, FAILED_TYPE, GroupSolver
from mbdgen.runtime.linalg.factor_storage import Factors
from mbdgen.runtime.system.run_workspace import (
    KERNEL_FAILED,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    SINGULAR_TANGENT,
    TURNS_UNKNOWN,
)
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, reals

TOLERANCE, ITERATIONS = 1e-10, 30
"""Position iteration: relative tolerance of coordinates, and largest number of iterations."""

REASONS = {
    TURNS_UNKNOWN: "an angle turned so fast that its turns cannot be counted",
    NOT_CONVERGED: "its position was not found by Newton's method",
    NOT_FINITE: "its equations are not finite",
    KERNEL_FAILED: "its equations could not be evaluated",
}


class GroupedSystem:
    """A mechanism with compiled structural groups.

    Parameters
    ----------
    system : System
        The mechanism.
    solver : GroupSolver
        Its groups.

    Attributes
    ----------
    samples : sequence of (t, q)
        Positions of its motion for which pivots are chosen.

    Notes
    -----
    All methods take and return arrays in the order of ``system.names.coordinates``. Of these the
    given coordinates, ``decomposition.inputs``, are kept, and the others are found. With
    ``by_groups=False`` the same is computed from the whole mechanism with one sparse factorisation.
    """

    def __init__(self, system: System, solver: GroupSolver) -> None:
        self.system, self.solver = system, solver
        self.samples: Sequence[tuple[float, FloatArray]] = ()
        self._wholes: list[tuple[GlobalSolver, Factors]] = []
        self._turns = 0
        self._busy = Lock()
        self.update()

    @contextmanager
    def leased(self) -> Iterator[None]:
        """Reject use of the tables during a simulation."""
        if not self._busy.acquire(blocking=False):
            raise OptionError(
                f"The groups of '{self.system.data.model}' are used by another simulation.",
                "Give each thread, and each simulation in a callback, groups of its own.",
            )
        try:
            yield
        finally:
            self._busy.release()

    @property
    def decomposition(self) -> Decomposition:
        """The structural groups."""
        return self.solver.decomposition

    def update(self) -> None:
        """Copy the current parameters of the system."""
        self.solver.set_parameters(self.system.work.p)

    def whole(self, t: float, q: FloatArray, anew: bool = False) -> tuple[GlobalSolver, Factors]:
        """Return tables and factors of the whole mechanism, with pivots for this position.

        Earlier choices are reused in turn: for rotating vectors, two choices alternate.
        """
        if not anew:
            self._turns = 0
        if anew and self._turns < len(self._wholes) - 1:
            self._turns += 1
            self._wholes.append(self._wholes.pop(0))
        elif anew or not self._wholes:
            nearby = () if anew else self.samples
            inputs = self.solver.groups.inputs
            self._wholes.insert(0, new_whole(self.system, t, q, inputs, nearby))
            self._turns = 0
        return self._wholes[0]

    def positions(self, t: float, q: FloatArray, by_groups: bool = True) -> FloatArray:
        """Return coordinates on the constraints, near a guess that has the given ones."""
        found, rest = reals(q).copy(), np.zeros(self.system.n_q)
        if by_groups:
            self.solver.prepare("block", "position")
            status = group_kinematics.positions(
                self.solver.groups, float(t), found, rest, TOLERANCE, ITERATIONS
            )
        else:
            kernels, work = self.system.kernels, self.system.work
            status = self._at_good_pivots(
                lambda tables, factors: global_solver.positions(
                    kernels, work, tables, factors, float(t), found, TOLERANCE, ITERATIONS
                ),
                t,
                found,
            )
        self.check_status(status, t, by_groups)
        return found

    def motion(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, by_groups: bool = True
    ) -> tuple[FloatArray, FloatArray]:
        """Return velocities and accelerations at a position from those of the inputs."""
        rates, seconds = reals(v).copy(), reals(a).copy()
        if by_groups:
            self.solver.prepare("block", "motion")
            status = group_kinematics.motion(self.solver.groups, float(t), reals(q), rates, seconds)
        else:
            R = np.zeros((self.system.n_q, 0))
            status = self._reach_as_whole(t, reals(q), rates, seconds, R)
        self.check_status(status, t, by_groups)
        return rates, seconds

    def matrix_r(self, t: float, q: FloatArray, by_groups: bool = True) -> FloatArray:
        """Return ``R`` of ``v = R v_inputs + v_t``."""
        inputs = self.solver.groups.inputs
        R = np.zeros((self.system.n_q, len(inputs)))
        R[inputs, np.arange(len(inputs))] = 1.0
        v, a = np.zeros(self.system.n_q), np.zeros(self.system.n_q)
        if by_groups:
            self.solver.prepare("block", "reach")
            status = group_kinematics.reach(self.solver.groups, float(t), reals(q), v, a, R)
        else:
            status = self._reach_as_whole(t, reals(q), v, a, R)
        self.check_status(status, t, by_groups)
        return R

    def analyses(
        self,
        t: FloatArray,
        z: FloatArray,
        z_dot: FloatArray,
        z_ddot: FloatArray,
        record: Sequence[str] = (),
        q: FloatArray | None = None,
        by_groups: bool = True,
    ) -> FloatArray:
        """Return some coordinates with velocities and accelerations at many instants.

        Parameters
        ----------
        t : array, shape (instants,)
            Instants.
        z, z_dot, z_ddot : array, shape (instants, inputs)
            Motion of the inputs.
        record : sequence of str
            Names of coordinates.
        q : array, optional
            Guess of the first position; each later one begins at the one before.

        Returns
        -------
        array, shape (instants, 3, len(record))
        """
        n = len(self.solver.groups.inputs)
        count = len(t)
        z, z_dot, z_ddot = (
            np.ascontiguousarray(x, float).reshape(count, -1) for x in (z, z_dot, z_ddot)
        )
        shapes = [x.shape for x in (z, z_dot, z_ddot)]
        if any(shape != (count, n) for shape in shapes):
            raise OptionError(
                f"The motion of the inputs has the shapes {shapes}.",
                f"Give {count} rows of {n} numbers: {', '.join(self.decomposition.input_names)}.",
            )
        index_of = {name: k for k, name in enumerate(self.system.names.coordinates)}
        columns = np.array([index_of[name] for name in record], np.int64)
        found = np.zeros((len(t), 3 * len(record)))
        state = reals(self.system.q0 if q is None else q).copy()
        instants = reals(t)
        if by_groups:
            self.solver.prepare("block", "position", "motion")
            status = group_kinematics.analyses(
                self.solver.groups,
                *(instants, z, z_dot, z_ddot),
                *(columns, state, found),
                TOLERANCE,
                ITERATIONS,
            )
        else:
            kernels, work = self.system.kernels, self.system.work
            done, before, status = np.zeros(1, np.int64), -1, OK
            while before < done[0] < count:
                before = int(done[0])
                status = self._at_good_pivots(
                    lambda tables, factors: global_solver.analyses(
                        *(kernels, work, tables, factors),
                        *(instants, z, z_dot, z_ddot),
                        *(columns, state, found),
                        TOLERANCE,
                        ITERATIONS,
                        done,
                    ),
                    float(t[before]),
                    state,
                )
        self.check_status(status, float(t[0]), by_groups)
        return found.reshape(len(t), 3, len(record))

    def check_status(self, status: int, t: float, by_groups: bool) -> None:
        """Raise an error naming the group that could not be solved."""
        if status == OK:
            return
        where = f"Model '{self.system.data.model}'"
        if by_groups:
            where = f"The group of {self.failed()}"
        reason = REASONS.get(status, "its inputs do not determine it there")
        raise AssemblyError(
            f"{where} cannot be solved near t = {t:g}: {reason}.",
            "Choose other inputs, or keep them within the range of the mechanism.",
        )

    def failed(self) -> str:
        """Name the bodies of the group that was not solved."""
        counters, batches = self.solver.groups.counters, self.solver.batches
        batch = batches[counters[FAILED_TYPE]]
        first = batch.coordinates[counters[FAILED_GROUP]][batch.dependent]
        owners = self.system.names.row_owners
        return ", ".join(f"'{name}'" for name in dict.fromkeys(owners[c] for c in first))

    def _reach_as_whole(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, R: FloatArray
    ) -> int:
        kernels, work = self.system.kernels, self.system.work
        return self._at_good_pivots(
            lambda tables, factors: global_solver.reach(
                kernels, work, tables, factors, float(t), q, v, a, R
            ),
            t,
            q,
        )

    def _at_good_pivots(
        self, function: Callable[[GlobalSolver, Factors], int], t: float, q: FloatArray
    ) -> int:
        """Call a function of the whole mechanism, again with new pivots if it requires them."""
        status = function(*self.whole(t, q))
        for _ in range(len(self._wholes) + 1):
            if status != SINGULAR_TANGENT:
                break
            status = function(*self.whole(t, q, anew=True))
        return status


TRIES, STRIDE, DURATION = 10, 0.7, 1.0
"""Positions tried: steps of so much (relative to 1 + size for what is no angle), and seconds."""


def positions_nearby(grouped: GroupedSystem, q: FloatArray) -> list[tuple[float, FloatArray]]:
    """Return positions along a walk of the inputs and of time, as far as the mechanism allows.

    If the next position is not found, the walk reverses with shorter steps.
    """
    inputs = grouped.solver.groups.inputs
    names = grouped.decomposition.input_names
    angles = np.array(["theta" in name.rpartition(".")[2] for name in names], bool)
    found, now = [(0.0, q.copy())], q
    stride = np.where(angles, STRIDE, 0.2 * STRIDE * (1.0 + np.abs(q[inputs])))
    for k in range(1, TRIES):
        guess = now.copy()
        guess[inputs] += stride
        try:
            now = grouped.positions(DURATION * k / TRIES, guess)
        except AssemblyError:
            stride = -0.4 * stride
            continue
        if np.abs(now).max(initial=0.0) < 1e3 * (1.0 + np.abs(q).max(initial=0.0)):
            found.append((DURATION * k / TRIES, now))
    return found
