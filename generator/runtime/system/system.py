"""`System`: a multibody system with its parameters, initial conditions, kernels and workspace."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import scipy.sparse as sp

from mbdgen.errors import OptionError, meant
from mbdgen.interface import DISPLACEMENT_ROOM
from mbdgen.interval import Interval
from mbdgen.limits import require
from mbdgen.runtime.linalg.multiplier_regularisation import regularise
from mbdgen.runtime.methods.method_limits import TANGENT_LIMITS
from mbdgen.runtime.monitors.neighbour_lists import first_storage, forget, grow
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNEL, Kernels
from mbdgen.runtime.stepping.number_arguments import finite
from mbdgen.runtime.system.inertia_validation import InertiaBlock, Inertias, check_inertia
from mbdgen.runtime.system.run_workspace import (
    INDEX_1,
    INT_ARRAY,
    REAL_ARRAY,
    RunWorkspace,
    new_run_workspace,
    new_state,
)
from mbdgen.runtime.system.system_data import (
    FloatArray,
    IntArray,
    Names,
    Parameters,
    SystemData,
    reals,
)
from mbdgen.runtime.system.system_features import features_of
from mbdgen.runtime.system.system_leases import Leases, Numbers
from mbdgen.subset import types


def _call_kernel(
    kernel: Any,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
    w: FloatArray,
    p: FloatArray,
    m: IntArray,
    out: FloatArray,
) -> int:
    status: int = kernel(
        t, q.ctypes, v.ctypes, a.ctypes, lam.ctypes, w.ctypes, p.ctypes, m.ctypes, out.ctypes
    )
    return status


_CALL = types.int64(KERNEL, types.float64, *[REAL_ARRAY] * 6, INT_ARRAY, REAL_ARRAY)
call: Callable[..., int] = separate(_CALL)(_call_kernel)
"""``call(kernel, t, q, v, a, lam, w, p, m, out) -> status``, by Python with NumPy arrays."""


class System:
    """A multibody system, ready for evaluation and simulation.

    Parameters
    ----------
    data : SystemData
        Data of the generated module.
    kernels : Kernels
        Compiled kernels of the generated module.

    Notes
    -----
    Equations of motion with Lagrange multipliers: ``M a = f + G^T lam``, ``phi(t, q) = 0``. All
    methods accept and return NumPy arrays in the order of ``names``. Several threads may simulate
    one system: each run has its own copy of parameters, initial conditions and workspace.
    """

    def __init__(self, data: SystemData, kernels: Kernels) -> None:
        self.data = data
        self._own_kernels = kernels
        self.kernels = kernels.complete()
        work = new_run_workspace(data)
        if len(data.crowds):
            work = work._replace(m=first_storage(work.m, data.crowds))
        values = dict(zip(data.parameters.names, data.parameters.defaults, strict=True))
        q0, v0 = reals(data.tables.q0).copy(), reals(data.tables.v0).copy()
        self._own, self._leases = Numbers(work, values, q0, v0), Leases()
        self.angles0 = np.zeros(len(data.turns))
        self.given = q0.copy(), v0.copy()
        self._inertias: Inertias | None = None  # computed at the first change of parameters

    @property
    def _now(self) -> Numbers:
        """Values of the current run in this thread, or those of the system."""
        return self._leases.current or self._own

    @property
    def work(self) -> RunWorkspace:
        """Parameter tables of the kernels, and workspace."""
        return self._now.work

    @work.setter
    def work(self, work: RunWorkspace) -> None:
        self._now.work = work

    @property
    def q0(self) -> FloatArray:
        """Initial coordinates (a guess: assembly makes them consistent)."""
        return self._now.q0

    @q0.setter
    def q0(self, q: FloatArray) -> None:
        self._now.q0 = q

    @property
    def v0(self) -> FloatArray:
        """Initial velocities (a guess: assembly makes them consistent)."""
        return self._now.v0

    @v0.setter
    def v0(self, v: FloatArray) -> None:
        self._now.v0 = v

    def leased(self) -> AbstractContextManager[None]:
        """Give a run in this thread its own copy of all values; see `system_leases`."""
        return self._leases.lease(self._own, self.data.model)

    @property
    def offers(self) -> frozenset[str]:
        """Names of the kernels that the module contains."""
        own = zip(self._own_kernels._fields, self._own_kernels, strict=True)
        return frozenset(name for name, kernel in own if kernel is not None)

    @property
    def names(self) -> Names:
        """Names of coordinates, multipliers, rows and outputs."""
        return self.data.names

    @property
    def n_q(self) -> int:
        """Number of generalised coordinates."""
        return self.data.n_q

    @property
    def n_lam(self) -> int:
        """Number of Lagrange multipliers."""
        return self.data.n_lam

    @property
    def n(self) -> int:
        """Number of rows: equations of motion and constraints."""
        return self.data.n

    @property
    def parameters(self) -> dict[str, float]:
        """Current values of the named parameters (a copy)."""
        return dict(self._now.values)

    @property
    def as_given(self) -> bool:
        """Whether the initial conditions are those of the model and its parameters."""
        return np.array_equal(self.q0, self.given[0]) and np.array_equal(self.v0, self.given[1])

    def set(self, /, **parameters: float) -> None:
        """Change named parameters; if one of them is invalid, nothing changes.

        Parameters
        ----------
        **parameters : float
            New values by name.
        """
        for name in parameters:
            self.check_parameter(name)
        given = {name: _number(name, value) for name, value in parameters.items()}
        with self._leases.lock:
            # In a callback, parameters of the current run change as well.
            for numbers in {id(x): x for x in (self._now, self._own)}.values():
                self._set(numbers, given)
            self._leases.note_change()
        forget(self)

    def _set(self, numbers: Numbers, given: Mapping[str, float]) -> None:
        """Change parameters of the system, or of a run, if they are valid."""
        spec, known, p = self.data.parameters, numbers.values, numbers.work.p
        values = {**known, **given}
        changed = ", ".join(f"{name} = {value:g}" for name, value in given.items())
        derived = _evaluate(spec, [values[name] for name in spec.names], changed)
        bodies = self._bodies_of([name for name in values if values[name] != known[name]])
        tables = p, numbers.q0, numbers.v0, *self.given
        before = [table.copy() for table in tables]
        initial = spec.q_targets, spec.v_targets
        all_targets = spec.p_targets, *initial, *initial
        for table, targets in zip(tables, all_targets, strict=True):
            if table is p and len(self.data.displaced):
                # A chart that a run has switched changes only with its own parameter.
                old = _evaluate(spec, [known[name] for name in spec.names], changed)
                targets = targets[derived[targets[:, 1]] != old[targets[:, 1]]]
            table[targets[:, 0]] = derived[targets[:, 1]]
        try:
            if numbers is self._now:
                check_inertia(self, bodies, changed)
        except OptionError:
            for table, old in zip(tables, before, strict=True):
                table[:] = old
            raise
        numbers.values = values

    def check_parameter(self, name: str) -> None:
        """Raise an `OptionError` unless there is such a parameter."""
        if name not in self._own.values:
            known = ", ".join(self._own.values) or "none"
            raise OptionError(
                f"Model '{self.data.model}' has no parameter '{name}'.",
                meant(name, self._own.values, f"Its parameters are: {known}."),
            )

    def allocate_history(self, kept: int) -> None:
        """Allocate ``kept`` zero vectors for the memory of a multistep method."""
        self.work = self.work._replace(kept=np.zeros((kept, self.n_q)))

    def copy(self) -> "System":
        """Return an independent system with the same parameters and initial conditions."""
        other = System(self.data, self._own_kernels)
        other._inertias = self._inertias
        with self._leases.lock:
            other._own.values = self.parameters
            other.work.p[:] = self.work.p
            other.q0[:], other.v0[:], other.angles0[:] = self.q0, self.v0, self.angles0
            other.given = self.given[0].copy(), self.given[1].copy()
        return other

    def residual(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
    ) -> FloatArray:
        """Residual: ``M a - f - G^T lam`` in rows of motion and ``phi`` in constraint rows."""
        return self._call(self.kernels.residual, t, q, v, a, lam, self.n)

    def rates(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """``phi_dot(t, q, v)`` and ``phi_ddot(t, q, v, a)`` in the layout of the rows."""
        lam = np.zeros(self.n_lam) if lam is None else lam
        both = self._call(self.kernels.rates, t, q, v, a, lam, 2 * self.n)
        return both[: self.n], both[self.n :]

    def energies(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
    ) -> FloatArray:
        """Kinetic energy, potential energy, power of drivers and non-conservative loads."""
        return self._call(self.kernels.energies, t, q, v, a, lam, 3)

    def outputs(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
    ) -> FloatArray:
        """Evaluate outputs: ``names.outputs``, then ``names.bodies``."""
        return self._call(self.kernels.outputs, t, q, v, a, lam, self.names.n_out)

    def named_outputs(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
    ) -> dict[str, float]:
        """Return the outputs of the model by their names."""
        values = self.outputs(t, q, v, a, lam).tolist()
        return dict(zip(self.names.outputs, values, strict=False))

    def displacements(self, t: float, q: FloatArray, v: FloatArray, a: FloatArray) -> FloatArray:
        """Output of the displacement kernel for `displacement_maps`; only with such bodies."""
        size = DISPLACEMENT_ROOM * self.n_q
        return self._call(self.kernels.displacements, t, q, v, a, np.zeros(self.n_lam), size)

    def angles(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        """Unwrapped angles, each followed by its rate; empty if nothing reads one."""
        if not len(self.work.turns):
            return np.zeros(0)
        still = np.zeros(self.n_q), np.zeros(self.n_lam)
        return self._call(self.kernels.angles, t, q, v, *still, 2 * len(self.work.turns))

    def matrix(
        self,
        t: float,
        q: FloatArray,
        v: FloatArray,
        a: FloatArray,
        lam: FloatArray,
        weights: Sequence[float],
    ) -> sp.csc_array:
        """Evaluate the iteration matrix ``[c_q r_q + c_v r_v + c_a r_a, -G^T; H, 0]``.

        ``weights = (c_q, c_v, c_a)``.
        """
        values = self.matrix_values(t, q, v, a, lam, weights)
        pattern = (values, self.work.indices, self.work.indptr)
        return sp.csc_array(pattern, shape=(self.n, self.n))

    def matrix_values(
        self,
        t: float,
        q: FloatArray,
        v: FloatArray,
        a: FloatArray,
        lam: FloatArray,
        weights: Sequence[float],
    ) -> FloatArray:
        """Evaluate the stored values of `matrix`, by columns."""
        if len(self.data.crowds) and tuple(weights[:2]) != (0.0, 0.0):
            require(TANGENT_LIMITS, features_of(self))
        self.work.weights[:3] = weights
        return self._call(self.kernels.matrix, t, q, v, a, lam, len(self.work.values))

    @property
    def position_rows(self) -> IntArray:
        """Rows of holonomic constraints."""
        return self.work.rows[self.work.holonomic[self.work.rows] != 0.0]

    def jacobian(self, t: float, q: FloatArray, rows: IntArray | None = None) -> sp.csr_array:
        """Constraint Jacobian ``H = d phi_dot/dv``, norm rows included; by default all rows."""
        zero = np.zeros(self.n_q)
        matrix = self.matrix(t, q, zero, zero, np.zeros(self.n_lam), (0.0, 0.0, 0.0))
        return matrix.tocsr()[self.work.rows if rows is None else rows, : self.n_q]

    def index_1_matrix(self, t: float, q: FloatArray) -> sp.csc_array:
        """Index-1 matrix ``[M, -G^T; H, eps]``."""
        zero = np.zeros(self.n_q)
        matrix = self.matrix(t, q, zero, zero, np.zeros(self.n_lam), INDEX_1)
        matrix.data[self.work.diagonal] += self.work.eps
        return matrix

    def regularise(self, t: float, q: FloatArray) -> None:
        """Set the regularisation ``eps`` at a position: see `multiplier_regularisation`."""
        state = new_state(self.n_q, self.n_lam)
        state.clock[0] = t
        state.q[:] = q
        regularise(self.kernels, self.work, state)

    def _bodies_of(self, parameters: Sequence[str]) -> tuple[InertiaBlock, ...]:
        """Return the bodies whose inertia depends on one of the parameters."""
        if not parameters:
            return ()
        if self._inertias is None:
            self._inertias = Inertias(self)
        return self._inertias.of(self, parameters)

    def _call(
        self,
        kernel: object,
        t: float,
        q: FloatArray,
        v: FloatArray,
        a: FloatArray,
        lam: FloatArray,
        size: int,
    ) -> FloatArray:
        out = np.zeros(size)
        state = [reals(x) for x in (q, v, a, lam)]
        lengths = [len(x) for x in state]
        if lengths != [self.n_q] * 3 + [self.n_lam]:
            raise OptionError(
                f"The state (q, v, a, lam) has lengths {lengths}.",
                f"Model '{self.data.model}' has {self.n_q} coordinates and "
                f"{self.n_lam} multipliers.",
            )
        work = self.work
        status = call(kernel, float(t), *state, work.weights, work.p, work.m, out)
        while status != 0 and grow(self):
            status = call(kernel, float(t), *state, work.weights, work.p, self.work.m, out)
        if status != 0:
            raise OptionError(
                f"A kernel of '{self.data.model}' could not be evaluated at t = {t:g} "
                f"(status {status}).",
                "Check user functions and parameters at that state.",
            )
        return out


def _number(name: str, value: object) -> float:
    number = finite(value)
    if number is None:
        raise OptionError(
            f"Parameter '{name}' = {value!r} is not a finite number.", "Give a number."
        )
    return number


def _evaluate(spec: Parameters, values: Sequence[float], changed: str) -> FloatArray:
    """Return the values of the parameter expressions, if they are valid."""
    try:
        for x, interval, what, advice in spec.bounded(values):
            if x not in Interval.of(interval):
                raise OptionError(f"With {changed}, {what} is {x:g}.", advice)
        numbers = np.asarray(spec.derived(values), np.float64)
        reason = "" if np.isfinite(numbers).all() else "overflow or not a number"
    except (ArithmeticError, ValueError) as error:
        numbers, reason = np.zeros(0), str(error)
    if reason:
        raise OptionError(
            f"The parameters {changed} give no finite model ({reason}).", "Choose other values."
        )
    return numbers
