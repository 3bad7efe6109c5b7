"""Where runs end: steps repeated for an event, ends that are not recorded."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Event, load, simulate
from mbdgen.runtime.stepping import driver
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED
from mbdgen.runtime.system.system import System

H = 0.01


@pytest.fixture(scope="module")
def pendulum() -> System:
    return load("pendulum")


@pytest.mark.parametrize("chosen", [{}, {"rtol": 1e-6}])
def test_a_step_that_cannot_be_repeated_is_a_failure(
    pendulum: System, monkeypatch: pytest.MonkeyPatch, chosen: dict[str, Any]
) -> None:
    """The run said that it was stopped by the event, with the buffer of the step before."""
    event = Event("tip.x", 0.25, terminal=True)
    right = simulate(pendulum, (0, 4), "newmark", H, events=event, **chosen)
    (at,) = right.t_events[0]
    single = driver.Run._single

    def fails(run: driver.Run, t: float, steps: int) -> int:
        return NOT_CONVERGED if t == at else single(run, t, steps)

    monkeypatch.setattr(driver.Run, "_single", fails)
    wrong = simulate(pendulum, (0, 4), "newmark", H, events=event, **chosen)
    assert right.status == 1 and right.t[-1] == at
    assert not wrong.success and "did not converge" in wrong.message
    assert wrong.t[-1] < at and np.array_equal(wrong.q, right.q[:-1])


@pytest.mark.parametrize("instants", [None, [0.0, 1.0]])
@pytest.mark.parametrize("chosen", [{}, {"rtol": 1e-6}])
def test_an_event_right_behind_an_instant_ends_there(
    pendulum: System, instants: list[float] | None, chosen: dict[str, Any]
) -> None:
    """Nothing was kept: with ``t_eval`` not even one row from the end of the motion."""
    plain = simulate(pendulum, (0, 0.5), "newmark", H, **chosen)
    start, h = plain.t[7], plain.t[8] - plain.t[7]

    def event(t: float, q: Any, v: Any) -> float:
        return float(t - (start + 1e-8 * h))

    event.terminal = True  # type: ignore[attr-defined]
    result = simulate(pendulum, (0, 1), "newmark", H, instants, events=event, **chosen)
    if not (chosen and instants):  # a target further away makes other steps
        assert result.status == 1 and result.t[-1] == start
        for name in ("q", "v", "a", "lam", "outputs", "energies"):
            assert np.array_equal(getattr(result, name)[-1], getattr(plain, name)[7]), name
    assert result.t[-1] == pytest.approx(result.t_events[0][0], abs=1e-6 * H)
    assert np.all(np.diff(result.t) > 0.0)


def test_the_end_need_not_be_recorded() -> None:
    """The checkpoint had the outputs of the last row, and there need not be one."""
    system = load("slider_crank", speed=20.0)
    instants = [0.1 * k for k in range(10)]
    whole, early = (simulate(system, (0, 1), h=1e-3, t_eval=e) for e in (None, instants))
    (a,), (b,) = (result.checkpoint().groups["outputs"] for result in (whole, early))
    assert early.t[-1] < 1.0 and np.allclose(a, b, rtol=0.0, atol=1e-9)
    assert not np.allclose(early.outputs[-1], b, rtol=0.0, atol=1e-2)
    behind = simulate(system, (1, 1.1), h=1e-3, start=early.checkpoint())
    assert np.allclose(behind.outputs[0], b, rtol=0.0, atol=0.0)


def test_an_event_before_the_first_recorded_instant() -> None:
    """There was an IndexError where a run had no row at all."""
    system = load("pendulum")

    def event(t: float, q: Any, v: Any) -> float:
        return float(t - 1e-9 * H)

    event.terminal = True  # type: ignore[attr-defined]
    result = simulate(system, (0, 1), "newmark", H, [0.5, 1.0], events=event)
    assert result.t.tolist() == [0.0] and result.checkpoint().t == 0.0
    assert np.allclose(result.q[0], simulate(system, (0, H), h=H).q[0], rtol=0.0, atol=0.0)


def test_a_callback_is_asked_at_a_recorded_instant_only(pendulum: System) -> None:
    seen: list[float] = []

    def callback(t: float, q: Any, v: Any) -> bool:
        seen.append(t)
        return False

    result = simulate(pendulum, (0, 1), "rk4", H, [0.5], callback=callback)
    assert seen == [0.5] == result.t.tolist() and result.checkpoint().t == 1.0
