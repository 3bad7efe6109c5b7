"""Fixed steps that Newton's method finds no end of are made in halves: a block that friction stops.

Friction of 6 N turns into sticking within a creep of 0.1 mm/s. A step that meets this instant is
wrong by the acceleration that ends there, ``mu N/m``, over its length at most.
"""

import logging
from typing import Any

import numpy as np
import pytest

from mbdgen import Event, Model, build, load, simulate, simulate_many
from mbdgen.errors import BuildError
from mbdgen.runtime.program import c_compiler
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.stepping import driver
from mbdgen.runtime.system.system import System
from tests.backends.node import evaluate, needs_node

H, END, MASS, GRIP = 8e-3, 0.4, 2.0, 6.0


def within(h: float) -> float:
    return GRIP / MASS * h**2 / 2


def stopping() -> Model:
    m = Model("stopping", gravity=(0, 0, -9.81))
    speed, stiff = m.parameter("speed", 1.0), m.parameter("stiff", 50.0)
    block = m.body("block", MASS, (0.1, 0.1, 0.1), velocity=(speed, 0, 0))
    slide = m.prismatic("slide", m.ground, block, axis=(1, 0, 0))
    x = slide.displacement
    m.friction("rub", along=x, load=GRIP / 0.3, coefficient=0.3, creep=1e-4)
    m.push("spring", along=x, force=-stiff * x)
    m.output("x", x)
    return m


@pytest.fixture(scope="module", params=["numba", "c"])
def system(request: pytest.FixtureRequest) -> System:
    if request.param == "c":
        try:
            c_compiler.compiler()
        except BuildError:
            pytest.skip("there is no C compiler")
    return load(stopping(), backend=request.param, layout="loop")


def run(system: System, h: float = H, **options: Any) -> Result:
    result = simulate(system, (0, END), h=h, progress=False, **options)
    assert result.success, result.message
    return result


@pytest.mark.representatives(id="numba")
def test_agrees_with_small_steps(system: System, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "mbdgen.runtime.simulate"):
        found = run(system)
    small = run(system, H / 8)
    assert found.counters.rejected > 0 == small.counters.rejected
    assert f"{found.counters.rejected} fixed steps did not converge" in caplog.text
    np.testing.assert_allclose(found.t, np.linspace(0, END, 51), atol=1e-15)
    np.testing.assert_allclose(found["x"], small["x"][::8], rtol=0, atol=within(H))
    assert found.counters.steps == found.counters.accepted > 50
    assert found.counters.energy_drift < GRIP * within(H)


def test_is_an_error_without_halves(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was, and as it is where halving has its end."""
    monkeypatch.setattr(driver, "MOST_HALVINGS", 0)
    result = simulate(system, (0, END), h=H, progress=False)
    assert not result.success and "Newton's method did not converge" in result.message
    assert result.counters.rejected == 0 and 1 < len(result.t) < 51


@pytest.mark.parametrize(
    "options",
    [{"t_eval": [0.1, 0.25, 0.3]}, {"callback": lambda t, q, v: None}, {"events": "x"}],
    ids=lambda options: next(iter(options)),
)
def test_rows_are_those_of_all_steps(system: System, options: dict[str, Any]) -> None:
    """Ends of halves inside an interval are not recorded, however the run is cut into pieces."""
    found, plain = run(system, **options), run(system, H / 8)
    assert found.counters.rejected > 0
    expected = np.interp(found.t, plain.t, plain["x"])
    np.testing.assert_allclose(found["x"], expected, rtol=0, atol=2 * within(H))
    assert len(found.t) == (3 if "t_eval" in options else 51)


def test_ends_at_events(system: System) -> None:
    """A terminal event in a step that was halved, found from both of its ends."""
    rests = Event("block.x.dot", 1e-3, terminal=True)
    ended, plain = run(system, events=rests), run(system, H / 8, events=rests)
    assert ended.status == plain.status == 1 and ended.counters.rejected > 0
    assert ended.t[-1] == pytest.approx(plain.t[-1], abs=H / 8)


def test_members_are_as_single_runs(system: System) -> None:
    stiff = [50.0, 20.0, 80.0]
    found = simulate_many(system, (0, END), {"stiff": stiff}, h=H, series=["x"], progress=False)
    assert found.success
    for k, value in enumerate(stiff):
        system.set(stiff=value)
        single = run(system)
        np.testing.assert_array_equal(found["x"][k], single["x"])
        for name in ("steps", "newton_iterations", "accepted", "rejected"):
            assert getattr(found[k].counters, name) == getattr(single.counters, name)
    system.set(stiff=50.0)
    assert found[0].counters.rejected > 0


@needs_node
def test_in_javascript(tmp_path: Any) -> None:
    module = str(build(stopping(), tmp_path, backend="js", layout="loop"))
    tasks = [
        {
            "task": "simulate",
            "module": module,
            "span": [0, END],
            "options": {"h": h, "every": every, "fused": False},
        }
        for h, every in ((H, 1), (H / 8, 8))
    ]
    found, small = evaluate(tasks)
    assert found["success"] and found["counters"]["rejected"] > 0, found["message"]
    x, fine = (np.array(motion["q"])[:, 0] for motion in (found, small))
    np.testing.assert_allclose(x, fine, rtol=0, atol=within(H))
    assert found["counters"]["steps"] > 50
    assert found["counters"]["energyDrift"] < GRIP * within(H)
