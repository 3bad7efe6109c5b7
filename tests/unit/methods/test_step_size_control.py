"""Steps chosen by their error: accuracy follows the tolerance, what is rejected leaves no trace."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.integrators import method as method_named
from mbdgen.runtime.methods.scheme import choose
from mbdgen.runtime.monitors.events import Knot
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.stepping.error_estimators import SampledStep
from mbdgen.runtime.stepping.step_size_control import Control, tolerances
from mbdgen.runtime.steps.butcher_tableau import Embedded
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

END = 2.0


@cache
def system() -> System:
    return load("pendulum")


@cache
def reference() -> FloatArray:
    return simulate(system(), (0, END), "dop853", 5e-4).q[-1]


def error(result: Result) -> float:
    assert result.success, result.message
    return float(np.abs(result.q[-1] - reference()).max())


@pytest.mark.parametrize(
    ("method", "formulation", "rtol"),
    [
        ("newmark", None, 1e-6),
        ("generalized-alpha", None, 1e-6),
        ("rk4", None, 1e-7),
        ("dopri5", None, 1e-8),
        ("dop853", None, 1e-9),
        ("dopri5", "baumgarte", 1e-8),
        ("rk4", "index1", 1e-8),
        ("hht", None, 1e-6),
        ("trapezoidal", "index2", 1e-6),
        ("radau", None, 1e-7),
        ("radau", "index2", 1e-7),
        ("sdirk", None, 1e-7),
        ("sdirk", "maggi", 1e-7),
    ],
)
def test_the_error_follows_the_tolerance(method: str, formulation: str | None, rtol: float) -> None:
    coarse, fine = (
        simulate(system(), (0, END), method, formulation=formulation, rtol=r)
        for r in (100.0 * rtol, rtol)
    )
    order = method_named(method).order
    counters = fine.counters
    assert error(fine) < 1e3 * rtol
    # The error of all steps is proportional to h^p, that of one to h^(p + 1): 100^(p / (p + 1)).
    assert error(coarse) / error(fine) > 0.2 * 100.0 ** (order / (order + 1))
    assert len(fine.t) == counters.accepted + 1 and fine.info.h is None
    estimated = method_named(method).estimate is not None
    assert counters.steps >= (1 if estimated else 3) * counters.accepted
    assert counters.accepted > coarse.counters.accepted
    if formulation is None:
        assert max(counters.max_phi, counters.max_phi_dot) < 1e-11


@pytest.mark.parametrize(("method", "h"), [("dopri5", 0.1), ("dop853", 0.4)])
def test_embedded_estimates_have_their_power(method: str, h: float) -> None:
    """Of one step: the estimate scales with the power that the control relies on."""
    estimate = method_named(method).estimate
    assert isinstance(estimate, Embedded)
    for row in estimate.of_v:
        assert sum(row) == pytest.approx(0.0, abs=1e-14)  # a constant slope has no error

    def first_error(h: float) -> float:
        start = simulate(system(), (0, 0.5), "dop853", 1e-3)
        other = system().copy()
        other.q0[:], other.v0[:] = start.q[-1], start.v[-1]
        result = simulate(other, (0, h), method, h, rtol=1e-3)
        assert result.counters.accepted == 1
        return float(result.checkpoint().groups["control"][0][1])

    power = np.log(first_error(h) / first_error(0.75 * h)) / np.log(1.0 / 0.75)
    assert power == pytest.approx(estimate.power, abs=0.6)


@pytest.mark.parametrize(
    ("method", "preset"),
    [("newmark", "trapezoidal"), ("newmark", "damped"), ("hht", None), ("generalized-alpha", None)],
)
def test_estimates_from_accelerations_have_their_power(method: str, preset: str | None) -> None:
    """Of three instants of a smooth motion: with ``gamma > 1/2`` it is 2, otherwise 3."""
    scheme = choose(method, given={} if preset is None else {"preset": preset})
    estimate = scheme.method.estimate
    assert estimate is not None

    def size(h: float) -> float:
        before, left, right = (np.array([np.cos(1.0 + k * h)]) for k in (-1, 0, 1))
        knots = (Knot(0.0, left, left, a, left) for a in (left, right))
        (pair,) = estimate.errors(SampledStep(h, *knots, None, h, before, scheme.values, 1e-6))
        return float(np.abs(pair).max())

    power = np.log2(size(2e-3) / size(1e-3))
    assert estimate.power_with(scheme.order) == pytest.approx(power, abs=0.1)


ESTIMATED = [
    *(("newmark", dict(values)) for values in method_named("newmark").presets.values()),
    *(("generalized-alpha", {"rho_inf": rho}) for rho in (0.0, 0.8, 1.0)),
    ("hht", {"alpha": -0.2}),
    ("trapezoidal", {}),
]


@pytest.mark.parametrize(("method", "options"), ESTIMATED)
def test_estimates_are_the_error_of_a_step(method: str, options: dict[str, Any]) -> None:
    """Not of its size only: the last step is compared with the exact motion from its beginning."""
    rtol = 1e-6
    result = simulate(system(), (0, 0.7), method, rtol=rtol, **options)
    found = float(result.checkpoint().groups["control"][0][1])
    begin = system().copy()
    begin.q0[:], begin.v0[:] = result.q[-2], result.v[-2]
    h = result.t[-1] - result.t[-2]
    exact = simulate(begin, (0, h), "dop853", h / 2)
    now, before = (np.concatenate([result.q[k], result.v[k]]) for k in (-1, -2))
    accepted = rtol * (1.0 + np.maximum(np.abs(now), np.abs(before)))
    wrong = (now - np.concatenate([exact.q[-1], exact.v[-1]])) / accepted
    # What the formula errs across the constraints is a part of the estimate, but projected away;
    # reactions that go with it also act along them, most with the small ``beta`` of Fox-Goodwin.
    assert 0.4 < found / np.sqrt(np.mean(wrong**2)) < 2.0


def test_rejected_steps_leave_no_trace() -> None:
    """A first step far too large is taken back: the rest is as if it had not been tried."""
    result = simulate(system(), (0, END), "generalized-alpha", 1.0, rtol=1e-5)
    assert result.counters.rejected > 0 and error(result) < 1e-2
    assert result.counters.energy_drift < 0.05
    assert np.all(np.diff(result.t) > 0.0) and result.t[-1] == END


def test_instants_are_met() -> None:
    instants = [0.0, 0.123, 1.0, END]
    result = simulate(system(), (0, END), "dopri5", rtol=1e-9, t_eval=instants)
    assert result.t.tolist() == instants and error(result) < 1e-6
    assert simulate(system(), (0, END), "dopri5", rtol=1e-9, t_eval=[1.5]).t.tolist() == [1.5]


def test_events_and_callback() -> None:
    def bottom(t: float, q: FloatArray, v: FloatArray) -> float:
        return float(v @ v - 8.0)

    bottom.terminal = True  # type: ignore[attr-defined]
    fine = simulate(system(), (0, END), "dop853", 1e-3, events=bottom)
    chosen = simulate(system(), (0, END), "dopri5", rtol=1e-10, events=bottom)
    assert chosen.status == 1 and chosen.t[-1] == chosen.t_events[0][0]
    assert chosen.t_events[0] == pytest.approx(fine.t_events[0], abs=1e-8)
    seen: list[float] = []

    def stop(t: float, q: FloatArray, v: FloatArray) -> bool:
        seen.append(t)
        return len(seen) == 4

    stopped = simulate(system(), (0, END), "dopri5", rtol=1e-8, callback=stop)
    assert stopped.status == 1 and stopped.t.tolist() == seen


def test_many_steps_are_recorded() -> None:
    result = simulate(system(), (0, 1), "rk4", 1e-4, rtol=1e-11)
    assert len(result.t) > 100 and not np.isnan(result.q).any()


def test_a_force_that_jumps_without_end() -> None:
    """The index-3 equations alone make accelerations that alternate: no step is small enough."""
    result = simulate(system(), (0, END), formulation="index3", rtol=1e-9)
    assert not result.success and "tolerances" in result.message and "larger rtol" in result.message


def test_mistakes() -> None:
    assert tolerances(None, None) is None
    both = tolerances(None, 1e-5)
    assert both is not None and both.r == both.a == 1e-5
    for wrong in (0.0, -1.0, 1e-16):
        with pytest.raises(OptionError, match="cannot be met"):
            tolerances(wrong, 1e-6)
    with pytest.raises(OptionError, match="not a finite number"):
        tolerances("x", None)


def test_control_grows_and_shrinks() -> None:
    control = Control(0.1, 5)
    control.accept(0.1, 1e-9)
    longer = 0.1 * 0.9 * 1e-4 ** (-0.7 / 5)
    assert control.h == pytest.approx(longer)
    control.reject(0.5, 32.0)
    assert control.h == pytest.approx(0.225)
    control.accept(0.225, 1e-9)  # no growth at once after a rejection
    assert control.h == pytest.approx(0.225)
    control.reject(0.225, float("inf"))
    assert control.h == pytest.approx(0.05625)


def test_between_steps_the_order_is_that_of_the_method() -> None:
    """The own interpolant of ``dopri5``, of order 4, would be no better."""
    at = [0.25 + 0.1 * k for k in range(15)]  # the middle of a step, whatever its length
    fine = simulate(system(), (0, 1.8), "dop853", 1e-3, t_eval=at)
    errors = []
    for h in (0.1, 0.1 / 3, 0.1 / 9):
        between = simulate(system(), (0, 1.8), "dopri5", h).at(at)
        errors.append([np.abs(a - b).max() for a, b in ((between.q, fine.q), (between.v, fine.v))])
    orders = np.diff(np.log(errors), axis=0) / -np.log(3.0)
    assert orders[-1].min() > 4.9, orders


@pytest.mark.parametrize("method", ["dop853", "newmark"])
def test_dense_output(method: str) -> None:
    """The recorded motion is met, and the error in between falls with the sixth power of steps."""
    errors = []
    fine = simulate(system(), (0, 1), "dop853", 1e-3, t_eval=[0.0, 0.3337, 0.5011])
    for h in (0.1, 0.05):
        result = simulate(system(), (0, 1), method, h)
        ends = result.at(result.t)
        for name in "qva":
            assert np.allclose(getattr(ends, name), getattr(result, name), atol=1e-10)
        between = result.at([0.3337, 0.5011])
        assert between.q.shape == (2, system().n_q) and result.at(0.5).v.shape == (system().n_q,)
        errors.append(np.abs(between.q - fine.q[1:]).max())
    assert errors[0] / errors[1] > (30.0 if method == "dop853" else 3.0)
    with pytest.raises(OptionError, match="outside the recorded motion, 0 to 1 s"):
        result.at(1.5)


def test_methods_with_steps_of_one_length() -> None:
    with pytest.raises(OptionError, match="'rk4' has steps of one length and takes no rtol"):
        simulate(system(), (0, END), replace(method_named("rk4"), varies=False), rtol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 4])
def test_order_of_a_scheme_is_the_one_that_is_asked_for(order: int) -> None:
    """Doubled steps divide their difference by ``2^order - 1``."""
    for method in ("adams", "pece", "bdf"):
        assert choose(method, given={"order": order}).order == order
