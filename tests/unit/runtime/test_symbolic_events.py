"""Events that are series of the model: outputs by their names, angles, coordinates."""

import math

import numpy as np
import pytest

from mbdgen import Event, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@pytest.fixture(scope="module")
def pendulum() -> System:
    return load("pendulum")


def test_an_output_is_as_good_as_a_function(pendulum: System) -> None:
    def function(t: float, q: FloatArray, v: FloatArray) -> float:
        return float(pendulum.outputs(t, q, v, 0.0 * q, np.zeros(pendulum.n_lam))[0]) - 0.25

    events = [function, Event("tip.x", 0.25), Event("tip.x", 0.25, direction=1.0)]
    result = simulate(pendulum, (0, 4), "dop853", 1e-2, events=events)
    assert len(result.t_events[0]) == 3
    assert np.allclose(result.t_events[0], result.t_events[1], rtol=0.0, atol=1e-12)
    assert set(result.t_events[2]) < set(result.t_events[1])
    exact = simulate(pendulum, (0, 4), "dop853", 1e-2, t_eval=result.t_events[1])
    assert np.allclose(exact["tip.x"], 0.25, rtol=0.0, atol=1e-9)


def test_terminal_events_by_name(pendulum: System) -> None:
    result = simulate(pendulum, (0, 4), "rk4", 1e-2, events=Event("tip.x", terminal=True))
    assert result.status == 1 and result.t[-1] == result.t_events[0][0]
    assert abs(result["tip.x"][-1]) < 1e-9
    assert len(simulate(pendulum, (0, 4), h=1e-2, events="tip.x").t_events[0]) == 3
    falling = simulate(pendulum, (0, 4), h=1e-2, events=["rod.x.dot", "pin[1]"])
    assert len(falling.t_events) == 2


def test_mistakes(pendulum: System) -> None:
    for events, message in (
        (Event("tip"), r"'tip' is no single series of the motion. Name one of: tip.x, tip.y"),
        ("energy.kinetic", "no single series"),
        ("nothing", "nothing"),
        (Event("tip.x", float("nan")), "value"),
    ):
        with pytest.raises(OptionError, match=message):
            simulate(pendulum, (0, 1), events=events)


def test_angles_cross_a_value_once_or_in_every_turn() -> None:
    system = load("slider_crank", speed=20.0)
    events = [Event("angle", 1.0 + 2 * math.pi), Event("angle", 1.0, period=2 * math.pi)]
    result = simulate(system, (0, 1), "dop853", 2e-3, events=events)
    turns = (result["angle"] - 1.0) / (2 * math.pi)
    expected = np.floor(turns[-1]) - np.floor(turns[0])
    once, every = result.t_events
    assert len(once) == 1 and expected > 1 and len(every) == expected
    with pytest.raises(OptionError, match="period"):
        simulate(system, (0, 1), events=Event("angle", 1.0, period=-1.0))
