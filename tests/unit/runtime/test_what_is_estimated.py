"""Estimates of errors where a motion is not smooth, not moving, or not recorded step by step."""

import warnings
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import AccuracyWarning
from mbdgen.runtime.accuracy.error_estimate import step_for
from mbdgen.runtime.stepping.argument_validation import Schedule, schedule
from mbdgen.runtime.stepping.driver import Run
from mbdgen.runtime.system.system import System


@pytest.fixture(scope="module")
def spring() -> System:
    """One mass on a spring, with a damper and a force that are parameters; 10 rad/s."""
    model = Model("switched", gravity=(0, 0, 0))
    mass = model.point_mass("mass", 1.0, position=(1.5, 0, 0))
    damping, push = model.parameter("damping", 0.0), model.parameter("push", 0.0)
    model.spring("spring", model.ground, mass, stiffness=100.0, length=1.0, damping=damping)
    model.force("thrust", mass, force=(push, 0, 0))
    model.output("x", mass.at().x, unit="m")
    return load(model, backend="c")


def without_warning(*arguments: Any, **more: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", AccuracyWarning)
        return simulate(*arguments, progress=False, **more)


def test_groups_of_steps_belong_to_the_same_plan() -> None:
    plan = schedule((0.0, 1.0), 1e-3, [0.0, 0.25, 1.0])
    found = plan.sampled(4, 10)
    assert found.instants[found.keep].tolist() == [0.0, 0.25, 1.0]
    assert found.substeps.sum() == plan.substeps.sum() == 1000
    assert found.samples is not None and found.samples.sum() == 44
    assert (found.substeps[found.samples[1:] & found.samples[:-1]] == 1).sum() == 40
    assert np.allclose(found.instants * 1000, np.rint(found.instants * 1000), atol=1e-9)
    kept = found.keep[1:].astype(int)
    assert not (found.brief & kept).any() and found.brief.sum() == 44 - 2  # both ends are kept


@pytest.mark.parametrize("formulation", [None, "index1"])
@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_only_the_motion_is_written_down_there(
    spring: System, method: str, formulation: str | None
) -> None:
    """Fused, generic and dense loops evaluate no outputs where nobody asked for them."""
    schedules, rows = [], []

    def seen(self: Run, plan: Schedule, *others: Any) -> Any:
        result = run(self, plan, *others)
        schedules.append(plan)
        rows.append(self.samples.record)
        return result

    run = Run.integrate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "integrate", seen)
        simulate(
            spring, (0, 10), method, 1e-2, [0.0, 10.0], formulation=formulation, progress=False
        )
    (plan,), (record,) = schedules, rows
    brief = np.concatenate([[0], plan.brief])[plan.samples].astype(bool)
    assert 20 < brief.sum() < len(brief)
    assert np.isfinite(record.q).all() and np.isfinite(record.a).all()
    outputs = record.outputs[brief][1:]  # the first row has been that of the beginning
    assert np.isfinite(record.outputs[~brief]).all() and np.isnan(outputs).all()


@pytest.mark.parametrize("coarse", [1e-2, 2e-2])
def test_thinned_runs_have_the_error_of_whole_ones(spring: System, coarse: float) -> None:
    whole = simulate(spring, (0, 10), "newmark", coarse, progress=False)
    few = simulate(spring, (0, 10), "newmark", coarse, [0.0, 5.0, 10.0], progress=False)
    assert np.allclose(few.q[1:], whole.q[[len(whole.t) // 2, -1]], rtol=0, atol=1e-12)
    ratio = few.accuracy.relative_error / whole.accuracy.relative_error
    assert 0.3 < ratio < 3.0
    assert len(few.t) == 3


def test_events_and_thinned_runs(spring: System) -> None:
    def passes(t: float, q: Any, v: Any) -> float:
        return float(q[0] - 1.0)

    whole = simulate(spring, (0, 10), "rk4", 1e-2, progress=False)
    few = simulate(spring, (0, 10), "rk4", 1e-2, [0.0, 10.0], events=passes, progress=False)
    assert 0.3 < few.accuracy.relative_error / whole.accuracy.relative_error < 3.0


@pytest.mark.representatives(id="25")
@pytest.mark.parametrize("every", [7, 25])
def test_switches_are_no_errors(spring: System, every: int) -> None:
    """A force that jumps every few steps: each piece between two jumps is exact enough."""
    system, count = spring.copy(), [0]

    def switch(t: float, q: Any, v: Any) -> None:
        count[0] += 1
        if count[0] % every == 0:
            system.set(push=20.0 * (-1.0) ** (count[0] // every))

    result = without_warning(system, (0, 4), "rk4", 2e-3, callback=switch)
    assert result.accuracy.relative_error < 1e-4


@pytest.mark.slow
def test_switches_at_each_step_say_that_nothing_is_known(spring: System) -> None:
    system = spring.copy()

    def control(t: float, q: Any, v: Any) -> None:
        system.set(push=-5.0 * float(v[0]) + 1e-3 * np.sin(900.0 * t))

    result = without_warning(system, (0, 1), "rk4", 2e-3, callback=control)
    assert np.isnan(result.accuracy.relative_error)
    assert "--verify" in result.accuracy.advice and "jump" in result.accuracy.advice


def test_what_rests_has_no_error(spring: System) -> None:
    """A mass that rests in its equilibrium moves by round-off, which is no reason for a warning."""
    system = spring.copy()
    system.q0[:] = [1.0, 0.0, 0.0]
    for method in ("newmark", "rk4", "bdf"):
        result = without_warning(system, (0, 2), method, 1e-2)
        assert result.success and not result.warnings
        assert result.accuracy.relative_error < 1e-3


def test_a_motion_that_was_brought_to_rest_is_a_success(spring: System) -> None:
    """Dynamic relaxation: backward Euler takes all energy away, and ends in the equilibrium."""
    with pytest.warns(AccuracyWarning, match="come to rest"):
        result = simulate(spring, (0, 20), "backward-euler", 0.1, progress=False)
    assert result.success and abs(result["x"][-1] - 1.0) < 1e-3
    assert result.accuracy.energy_balance > 0.5


@pytest.mark.parametrize("instants", [None, np.linspace(0, 2, 21)])
def test_impacts_balance_and_are_estimated(instants: Any) -> None:
    """A ball bounces with rk4; the work of the damping in a contact had been counted twice."""
    ball = load("falling_ball", height=2.0, backend="c")
    result = without_warning(ball, (0, 2), "rk4", 1e-2, t_eval=instants)
    assert len(result.contacts) >= 1
    assert result.accuracy.energy_balance < 1e-4
    assert result.accuracy.relative_error < 1e-3


@pytest.mark.parametrize(("method", "h"), [("newmark", 0.02), ("bdf", 0.02), ("newmark", 0.1)])
def test_orientations_of_three_numbers_that_go_astray_are_told(method: str, h: float) -> None:
    """A body turns about its middle axis, past places where its angles fail, in long steps."""
    model = Model("tumbling", gravity=(0, 0, 0), coordinates="euler-xyz")
    body = model.body("body", mass=1.0, inertia=(0.1, 0.2, 0.3), angular_velocity=(0.5, 6.0, 0.3))
    model.output("e1", body.at().e1)
    system, instants = load(model, backend="c"), np.linspace(0, 4, 11)
    true = simulate(system, (0, 4), "rk4", 1e-3, instants, progress=False)
    result = simulate(system, (0, 4), method, h, instants, progress=False)
    assert np.abs(result["e1"] - true["e1"]).max() > 0.5
    assert result.warnings or not result.success
    assert not true.warnings and true.accuracy.relative_error < 0.05


def test_no_contact_is_stepped_over() -> None:
    """A ball at 500 m/s flies 5 m in a step; the contact of a tenth of a millimetre is found."""
    ball = load("falling_ball", height=12.0, restitution=1.0, backend="c")
    system = ball.copy()
    system.v0[2] = -500.0
    result = without_warning(system, (0, 0.05), "rk4", 1e-2)
    (impact,) = result.contacts
    assert abs(impact.approach - np.sqrt(500.0**2 + 2 * 9.81 * 11.5)) < 5.0
    assert result["height"][-1] > 0.5 and result.v[-1, 2] > 0.0


@pytest.mark.parametrize(("error", "period"), [(np.inf, 0.0), (np.inf, np.nan), (1e300, 1e-300)])
def test_motions_that_blow_up_have_an_advice(error: float, period: float) -> None:
    assert 0.0 < step_for(0.1, error, 1e-3, 4, period) <= 0.1
