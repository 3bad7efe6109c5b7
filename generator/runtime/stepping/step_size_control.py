r"""Step-size control: adaptive steps from local error estimates (PI controller).

The local error of a step comes from an estimator of the method
(`mbdgen.runtime.stepping.error_estimators`), or from step doubling, the difference between two half
steps and one whole step (Richardson extrapolation): :math:`e = (y_{h/2} - y_h) / (2^p - 1)`. Its
norm is :math:`E = \sqrt{\tfrac1n \sum_i (e_i / (a + r \max(|y_{0,i}|, |y_{1,i}|)))^2}` over
positions and velocities; a step with :math:`E > 1` is rejected and repeated with a smaller step
size.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.events import Knot, Watch
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.monitors.recorder import GENERIC
from mbdgen.runtime.monitors.work_quadrature import DRIFT, ENERGY, WORK_DONE
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.stepping.checkpoint import Arrays, Checkpoint, Snapshot, assign, copies
from mbdgen.runtime.stepping.driver import INTERRUPTED, NO_NUMBERS, STOPPED, Callback, Run
from mbdgen.runtime.stepping.error_estimators import SampledStep, rms, size_of
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.stepping.resume_validation import check_alike
from mbdgen.runtime.system.run_workspace import OK, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

TOO_SMALL = 103
"""Status: no step size above round-off satisfies the tolerances."""
SAFETY, SHORTEST, LONGEST = 0.9, 0.2, 5.0
PROPORTIONAL, INTEGRAL = 0.4, 0.7
"""PI step-size control of Gustafsson: exponents of the previous and of the current error, divided
by the power of the step size in the error.
"""
FAILED = 0.25
"""A step that fails (no convergence) is repeated with this fraction of its size."""
SMALLEST = 1e-13
"""Smallest step size as a fraction of the time span."""


@dataclass(frozen=True)
class Tolerances:
    """Error tolerances of one step: ``a + r |y|`` for every position and velocity."""

    r: float
    a: float


def tolerances(rtol: object, atol: object) -> Tolerances | None:
    """Validate the tolerances; None if neither is given; a single one is used for both."""
    given = [number(n, x) for n, x in (("rtol", rtol), ("atol", atol)) if x is not None]
    if not given:
        return None
    r, a = given[0], given[-1]
    if min(r, a) <= 0.0 or r < 1e-14:
        raise OptionError(
            f"The tolerances rtol = {r:g}, atol = {a:g} cannot be met.",
            "Choose positive numbers, rtol not below 1e-14.",
        )
    return Tolerances(r, a)


class Control:
    """PI controller of the step size, from the errors of the last two steps.

    Parameters
    ----------
    h : float
        Initial step size, positive.
    power : int
        Power of the step size that errors are proportional to.
    """

    def __init__(self, h: float, power: int) -> None:
        self.numbers = np.array([h, 1.0])  # next step size, and error of the last step
        self._power, self._rejected = power, False

    @property
    def h(self) -> float:
        """Step size to be tried next."""
        return float(self.numbers[0])

    def accept(self, h: float, error: float) -> None:
        """Choose the next step size after an accepted step of size ``h``."""
        error = max(error, 1e-4)
        of_last = float(self.numbers[1]) ** (PROPORTIONAL / self._power)
        factor = SAFETY * of_last / error ** (INTEGRAL / self._power)
        factor = min(max(factor, SHORTEST), 1.0 if self._rejected else LONGEST)
        # A step cut short to hit an instant is no reason against longer ones.
        cut = h < self.h and not self._rejected
        self.numbers[:] = max(self.h, h * factor) if cut else h * factor, error
        self._rejected = False

    def begin(self, h: float) -> None:
        """Restart with step size ``h``."""
        self.numbers[:] = h, 1.0
        self._rejected = False

    def reject(self, h: float, error: float) -> None:
        """Reduce the step size after a rejected step."""
        factor = FAILED if not np.isfinite(error) else SAFETY / error ** (1.0 / self._power)
        self.numbers[0] = h * min(max(factor, SHORTEST), SAFETY)
        self._rejected = True


class AdaptiveRun(Run):
    """One simulation with adaptive step size; parameters as for `Run`.

    Parameters
    ----------
    accepted_error : Tolerances
        Error tolerances of each step.
    h : float
        Initial step size.
    every : bool
        Whether every step is recorded, or only the instants of the plan.
    """

    one_by_one = True
    halves = False  # step-size control reduces the step instead
    own_work = True

    def __init__(
        self,
        system: System,
        scheme: Scheme,
        state: State,
        dof: int,
        watches: list[Watch],
        callback: Callback | None,
        report: Callable[[float], None],
        attitudes: OrientationCharts,
        origin: Checkpoint | None,
        accepted_error: Tolerances,
        h: float,
        every: bool,
    ) -> None:
        super().__init__(system, scheme, state, dof, watches, callback, report, attitudes, origin)
        method = scheme.method
        self._estimate, self._values = method.estimate, scheme.values
        order, estimate = scheme.order, method.estimate
        power = order + 1 if estimate is None else estimate.power_with(order)
        self._order, self._accepted_error, self._every = scheme.order, accepted_error, every
        self._control = Control(h, power)
        self._h_before, self._a_before = np.zeros(1), np.zeros(system.n_q)
        if origin is not None and "control" in origin.groups:
            check_alike("control", origin.groups["control"], self._handed_on)
            assign(self._handed_on, origin.groups["control"])
        self._accepted = self._rejected = 0
        self._flight = h

    @property
    def accepted(self) -> int:
        """Number of accepted steps; with step doubling, each consists of two."""
        return self._accepted

    @property
    def rejected(self) -> int:
        """Number of rejected steps."""
        return self._rejected

    def _account(self, left: Knot) -> None:
        """Integrate the work of the last step (row 0 of the buffer), and compare energies."""
        now, numbers, energies = self._knot(), self.progress.numbers, self._buffer.energies[0]
        work = self._work_of_step.between(left, now)
        if work is None:  # trapezoidal rule with the powers at both ends
            powers = [self.system.energies(*knot.state)[2] for knot in (left, now)]
            work = 0.5 * (now.t - left.t) * float(sum(powers))
        numbers[WORK_DONE] += work
        energies[2] = numbers[WORK_DONE]
        drift = abs(energies[0] + energies[1] - numbers[ENERGY] - numbers[WORK_DONE])
        numbers[DRIFT] = max(numbers[DRIFT], drift)

    def _restart(self, h: float) -> None:
        """Restart, and discard the previous step."""
        super()._restart(h)
        self._h_before[0] = 0.0

    def _change(self, contact: int, h: float) -> int:
        """Choose the initial step size in the contact, or resume that before it."""
        closed = self.contacts.is_closed(contact)
        if not closed:
            self._flight = h
        status = super()._change(contact, h)
        needed = self.contacts.step(self._knot())
        self._control.begin(min(self._flight if closed else h, needed))
        return status

    def leave(self) -> dict[str, Arrays]:
        """Return copies of all data that a continuation needs, the next step size included."""
        return {**super().leave(), "control": copies(self._handed_on)}

    @property
    def _handed_on(self) -> Arrays:
        """Data of the last step that step-size control needs."""
        return self._control.numbers, self._h_before, self._a_before

    def _pieces(self, plan: Schedule, piece: int) -> int:
        smallest = SMALLEST * abs(float(plan.instants[-1] - plan.instants[0]))
        for target, keep in zip(plan.instants[1:], plan.keep[1:], strict=True):
            status = self._reach(float(target), bool(keep), smallest)
            if status != OK:
                return status
        return OK

    def _reach(self, target: float, keep: bool, smallest: float) -> int:
        """Integrate to ``target`` with single steps or pairs of equal ones (step doubling)."""
        control = self._control
        while (t := float(self.state.clock[0])) != target:
            if self.attitudes and self._check_charts(control.h) == 0:
                return NO_NUMBERS
            end = _end(t, target, control.h)
            before = self._snapshot()
            try:
                status, error = self._try(before, end)
            except KeyboardInterrupt:
                self._restore(before)
                return INTERRUPTED
            if error <= 1.0:
                control.accept(abs(end - t), error)
                self._accepted += 1
                self._h_before[0], self._a_before[:] = end - t, before.knot.a
                self._account(before.knot)
                contact = None
                if self.contacts:
                    status, contact = self._to_contact(before)
                    if status != OK:
                        return status
                    end = float(self.state.clock[0])
                if self.missed:
                    self.missed.see(end, self.state.q, self.state.v)
                if self.watches and (ended := self._event(before)) != OK:
                    self._h_before[0] = 0.0  # that step is discarded
                    return ended
                if (self._every or (keep and end == target)) and self._keep(end, 0):
                    return STOPPED
                if status == OK:
                    status = self._settle(control.h)
                if status == OK and contact is not None:
                    status = self._change(contact, control.h)
                if status != OK:
                    return status
                self._report_progress(end)
                continue
            control.reject(abs(end - t), error)
            self._rejected += 1
            self._restore(before)
            if control.h < max(smallest, 16.0 * float(np.spacing(abs(t)))):
                return status if status != OK else TOO_SMALL
        return OK

    def _try(self, before: Snapshot, end: float) -> tuple[int, float]:
        """Integrate to ``end``; return the status and the error, infinite without an estimate."""
        generic = int(self.progress.position[GENERIC])
        status = self._single(end, 1)
        if status != OK:
            return status, np.inf
        if self._estimate is not None:
            refused = int(self.progress.position[GENERIC]) > generic
            if errors := self._estimate.errors(self._seen(before, refused)):
                return status, size_of([self._scaled(before, *pair) for pair in errors])
        q, v = self.state.q.copy(), self.state.v.copy()
        self._restore(before)
        status = self._single(end, 2)
        if status != OK:
            return status, np.inf
        part = 2.0**self._order - 1.0
        differences = (self.state.q - q) / part, (self.state.v - v) / part
        return status, rms(self._scaled(before, *differences))

    def _seen(self, before: Snapshot, refused: bool) -> SampledStep:
        """Return the data of the last step; ``refused`` by fused kernels."""
        left, right = before.knot, self._knot()
        rows = self.system.work.scratch[2:] if refused else self._steps.left
        earlier = float(self._h_before[0]), self._a_before
        asked = self._values, self._accepted_error.r
        return SampledStep(right.t - left.t, left, right, rows, *earlier, *asked)

    def _scaled(self, before: Snapshot, of_q: FloatArray, of_v: FloatArray) -> FloatArray:
        """Divide errors of positions and velocities by the tolerances."""
        _, q, v, *_ = before.state
        tolerance = self._accepted_error
        old, new = np.concatenate([q, v]), np.concatenate([self.state.q, self.state.v])
        accepted = tolerance.a + tolerance.r * np.maximum(np.abs(old), np.abs(new))
        scaled: FloatArray = np.concatenate([of_q, of_v]) / accepted
        return scaled


def _end(t: float, target: float, h: float) -> float:
    """Return the end of a step of about ``h`` that leaves no tiny remainder before the target."""
    rest = abs(target - t)
    if rest <= 1.05 * h:
        return target
    step = 0.5 * rest if rest < 2.0 * h else h
    return t + step if target > t else t - step
