"""Requests: validation, recorded instants, events, callback, failures, new pivots."""

import logging
from typing import Any

import numpy as np
import pytest

from mbdgen.errors import OptionError
from mbdgen.runtime import simulate as simulate_module
from mbdgen.runtime.integrators import known
from mbdgen.runtime.linalg import run_factors
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.stepping.argument_validation import schedule
from tests.handwritten.kernels_pendulum import pendulum
from tests.handwritten.kernels_planar import four_bars
from tests.interruption import interrupted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "runge"}, r"no method 'runge'.*newmark, .*rk4"),
        ({"h": 0.0}, "h = 0 is not positive"),
        ({"h": -1e-3}, "not positive"),
        ({"h": float("nan")}, "'h'"),
        ({"h": "small"}, "'h'"),
        ({"span": (1.0, 1.0), "t_eval": [1.5]}, "outside the time span"),
        ({"span": (0.0, float("nan"))}, "end time"),
        ({"span": 3.0}, "not a pair"),
        ({"t_eval": [0.0, 2.0]}, "outside"),
        ({"t_eval": [0.5, 0.5]}, "do not increase"),
        ({"t_eval": []}, "t_eval"),
        ({"t_eval": [0.0, float("nan")]}, "t_eval"),
        ({"alpha": 1.0}, r"no option 'alpha'.*beta, gamma"),
        ({"beta": -1.0}, "out of range"),
        ({"beta": float("nan")}, "'beta'"),
        ({"gamma": 0.4}, "negative damping"),
        ({"rtol": -1e-6}, "cannot be met"),
        ({"events": 3}, "events"),
        ({"events": [3]}, "not a function"),
        ({"callback": 3}, "callback"),
        ({"progress": "maybe"}, "progress"),
    ],
)
def test_bad_requests(arguments: dict, message: str) -> None:
    arguments = {"span": (0.0, 1.0), **arguments}
    with pytest.raises(OptionError, match=message):
        simulate(pendulum(), **arguments)


def test_not_a_system() -> None:
    with pytest.raises(OptionError, match="System"):
        simulate(42, (0.0, 1.0))


def test_methods_are_discovered() -> None:
    assert {"newmark", "rk4"} <= set(known())


def test_h_is_the_largest_step() -> None:
    result = simulate(pendulum(), (0.0, 1.0), h=0.03)
    assert result.counters.steps == 34 and result.t[-1] == 1.0
    assert np.ptp(np.diff(result.t)) < 1e-14


def test_result_knows_its_parameters() -> None:
    system = pendulum()
    system.set(L=2.0)
    result = simulate(system, (0.0, 0.1), h=1e-2)
    system.set(L=3.0)  # later changes are of later runs
    assert result.info.parameters == {"L": 2.0, "m": 1.0}


def test_recorded_instants() -> None:
    instants = [0.1, 0.25, 0.7001]
    result = simulate(pendulum(), (0.0, 1.0), h=1e-2, t_eval=instants)
    assert result.t.tolist() == instants and result.info.t_end == 1.0
    assert result.counters.steps == 10 + 15 + 46 + 30
    every = simulate(pendulum(), (0.0, 1.0), h=1e-2)
    assert result.q[0] == pytest.approx(every.q[10], abs=1e-13)


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate_module, "MEMORY", 20_000)
    result = simulate(pendulum(), (0.0, 1.0), h=1e-3)
    assert len(result.t) < 200 and result.counters.steps == 1000
    assert "Every" in result.message and result.t[-1] == 1.0


def test_schedule_by_steps_keeps_the_same_instants() -> None:
    plan = schedule((0.0, 1.0), 0.1, [0.0, 0.25, 0.8])
    fine = plan.by_steps()
    assert fine.instants[fine.keep].tolist() == [0.0, 0.25, 0.8]
    assert np.diff(fine.instants).max() <= 0.1 + 1e-12
    assert fine.instants[-1] == 1.0 and len(fine.substeps) == plan.substeps.sum()


def lowest(t: float, q: np.ndarray, v: np.ndarray) -> float:
    return float(q[0])


@pytest.mark.parametrize(
    "choices",
    [{}, {"method": "rk4"}, {"rtol": 1e-6}, {"method": "cvode"}, {"formulation": "alf3"}],
)
def test_a_snapshot_is_the_beginning(choices: dict[str, Any]) -> None:
    """One evaluation, no step: the first instant of a run from there."""
    result = simulate(pendulum(), (2.0, 2.0), **choices, events=lowest)
    assert result.success and result.message.startswith("A snapshot at t = 2 s")
    assert result.t.tolist() == [2.0] and (result.info.t_start, result.info.t_end) == (2.0, 2.0)
    assert result.counters.steps == 0 and result.counters.evaluations == 1
    assert result.counters.max_phi < 1e-12 and result.counters.max_phi_ddot < 1e-10
    begun = simulate(pendulum(), (2.0, 2.1), h=0.1)
    for name in ("q", "v", "a", "lam", "outputs"):
        np.testing.assert_allclose(getattr(result, name)[0], getattr(begun, name)[0], atol=1e-12)


def test_a_run_goes_on_from_a_snapshot() -> None:
    start = simulate(pendulum(), (0.0, 0.0)).checkpoint()
    on = simulate(pendulum(), (0.0, 0.5), h=1e-2, start=start)
    assert np.array_equal(on.q, simulate(pendulum(), (0.0, 0.5), h=1e-2).q)


def test_evaluations_are_stages_or_iterations() -> None:
    """Beside that of the beginning."""
    stages = simulate(pendulum(), (0.0, 1.0), "rk4", 1e-2).counters
    assert stages.evaluations == 1 + 4 * 100
    implicit = simulate(pendulum(), (0.0, 1.0), h=1e-2).counters
    assert implicit.evaluations == 1 + implicit.newton_iterations + 100


def test_corrections_have_a_size() -> None:
    """What was given wrong, by how much; nothing if nothing was."""
    assert not simulate(pendulum(), (0.0, 0.0)).info.corrections
    system = pendulum()
    system.q0[0] += 1e-3
    system.v0[0] += 0.5
    found = simulate(system, (0.0, 0.0))
    names = system.names.coordinates
    moved, turned = found.info.corrections.items()
    k, j = names.index(moved[0]), names.index(turned[0].removesuffix(".dot"))
    assert moved[1] == found.q[0, k] - system.q0[k] and abs(moved[1]) > 1e-4
    assert turned[1] == found.v[0, j] - system.v0[j] and abs(turned[1]) > 0.1


def test_events_are_located() -> None:
    result = simulate(pendulum(), (0.0, 3.0), h=1e-2, events=lowest, t_eval=[0.0, 3.0])
    quarter = 1.8540746773013719 / np.sqrt(9.81)  # K(1/sqrt(2)) / omega
    assert result.t_events[0] == pytest.approx(quarter * np.array([1.0, 3.0, 5.0]), abs=1e-3)
    assert result.t.tolist() == [0.0, 3.0]
    fine = simulate(pendulum(), (0.0, 1.0), "rk4", 1e-3, events=lowest)
    assert fine.t_events[0] == pytest.approx([quarter], abs=1e-9)


def test_event_direction() -> None:
    def falling(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return float(q[0])

    falling.direction = -1.0
    result = simulate(pendulum(), (0.0, 3.0), h=1e-2, events=[lowest, falling])
    assert len(result.t_events[0]) == 3 and len(result.t_events[1]) == 1


def test_terminal_event() -> None:
    def stop(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return float(q[0])

    stop.terminal = True
    result = simulate(pendulum(), (0.0, 3.0), h=1e-2, events=[lowest, stop])
    assert result.success and result.status == 1 and "event" in result.message
    assert result.t[-1] == result.t_events[1][0] == result.info.t_end
    assert abs(result.q[-1, 0]) < 1e-6 and abs(np.hypot(*result.q[-1]) - 1.0) < 1e-12
    assert (np.diff(result.t) > 0.0).all() and np.isfinite(result.lam).all()
    assert np.isfinite(result.counters.energy_drift)


def test_event_without_a_number() -> None:
    with pytest.raises(OptionError, match="Event function 0"):
        simulate(pendulum(), (0.0, 1.0), events=lambda t, q, v: None)
    with pytest.raises(OptionError, match="NaN"):
        simulate(pendulum(), (0.0, 1.0), events=lambda t, q, v: float("nan"))


def test_callback_sees_recorded_instants_and_stops() -> None:
    seen = []

    def watch(t: float, q: np.ndarray, v: np.ndarray) -> bool:
        seen.append(t)
        return t >= 0.5

    result = simulate(pendulum(), (0.0, 1.0), h=1e-2, t_eval=np.arange(11) / 10, callback=watch)
    assert result.status == 1 and result.success
    assert seen == result.t.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]


def test_interruption_keeps_the_motion() -> None:
    def interrupt(t: float, q: np.ndarray, v: np.ndarray) -> None:
        if t > 0.3:
            raise KeyboardInterrupt

    result = simulate(pendulum(), (0.0, 1.0), h=1e-1, callback=interrupt)
    assert not result.success and result.status < 0 and "Interrupted" in result.message
    assert len(result.t) >= 4


def test_newton_failure_names_time_and_joint(caplog: pytest.LogCaptureFixture) -> None:
    result = simulate(pendulum(vy=-100.0), (0.0, 1.0), h=0.1, max_iterations=1)
    assert not result.success and result.status < 0
    assert "Newton's method did not converge after t = 0 s" in result.message
    assert "'rod'" in result.message or "'ball'" in result.message
    assert "h < 0.1" in result.message
    assert len(result.t) == 1 and result.info.t_end == 0.0


def test_partial_result_of_a_failure() -> None:
    result = simulate(pendulum(), (0.0, 20.0), h=0.9, t_eval=np.linspace(0.0, 20.0, 41))
    assert len(result.t) >= 1 and np.isfinite(result.q).all()
    assert not result.success  # it ends early, or with an energy that does not balance


def test_new_pivots_change_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Pivots chosen for quite different numbers fail at the first step and are replaced."""
    expected = simulate(four_bars(), (0.0, 0.5), h=1e-2)
    genuine, calls = run_factors.analyse, []

    def bad_at_first(indptr, indices, values, kept=None):
        calls.append(len(calls))
        if len(calls) <= 2:
            values = np.where(values == 0.0, 1e3, values)
        return genuine(indptr, indices, values, kept)

    monkeypatch.setattr(run_factors, "analyse", bad_at_first)
    with caplog.at_level(logging.DEBUG, logger="mbdgen.runtime.linalg.run_factors"):
        result = simulate(four_bars(), (0.0, 0.5), h=1e-2)
    assert result.success and "new pivots" in caplog.text
    assert np.abs(result.q - expected.q).max() < 1e-11


def test_signal_during_the_compiled_loop_keeps_the_motion() -> None:
    system = pendulum()
    simulate(system, (0.0, 0.01), h=1e-3, t_eval=[0.0, 0.01])  # what is compiled at first use
    with interrupted(0.3):
        result = simulate(system, (0.0, 1e4), h=1e-3, t_eval=np.linspace(0.0, 1e4, 100_001))
    assert not result.success and "Interrupted" in result.message
    assert 10 < len(result.t) < 100_001 and np.isfinite(result.q).all()
    assert result.info.t_end - result.t[-1] <= 0.2


def test_progress_bar_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    result = simulate(pendulum(), (0.0, 1.0), h=1e-2, progress=True)
    captured = capsys.readouterr()
    assert result.success and captured.out == "" and captured.err != ""
