"""One system in several threads, and again inside its own callback."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, linearise, load, modes, simulate, statics
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System

CASES = [
    ("pendulum", "newmark", {}),
    ("bricard", "newmark", {}),
    ("n_four_bar", "rk4", {}),
    ("slider_crank", "dopri5", {"rtol": 1e-6}),
]


def in_threads(*tasks: Callable[[], None]) -> None:
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.representatives(id=["pendulum-newmark-given0", "n_four_bar-rk4-given2"])
@pytest.mark.parametrize(("name", "method", "given"), CASES)
def test_runs_in_threads(name: str, method: str, given: dict[str, Any]) -> None:
    system = load(name)
    alone = simulate(system, (0, 0.5), method, 1e-3, **given)
    found: list[Any] = []

    def run() -> None:
        found.extend(simulate(system, (0, 0.5), method, 1e-3, **given) for _ in range(2))

    in_threads(run, run, run)
    assert len(found) == 6
    assert all(r.success and np.array_equal(r.q, alone.q) for r in found)


@pytest.mark.parametrize(("name", "method", "given"), CASES)
def test_runs_in_callbacks(name: str, method: str, given: dict[str, Any]) -> None:
    system = load(name)
    alone = simulate(system, (0, 0.2), method, 1e-3, **given)

    def nested(t: float, q: Any, v: Any) -> None:
        if len(inside) < 3:
            inside.append(simulate(system, (0, 0.05), method, 1e-2, **given))

    inside: list[Any] = []
    result = simulate(system, (0, 0.2), method, 1e-3, callback=nested, **given)
    assert len(inside) == 3 and all(r.success for r in inside)
    assert np.array_equal(result.q, alone.q)
    assert result.counters.steps == alone.counters.steps
    assert result.counters.energy_drift == alone.counters.energy_drift


def test_analyses_in_threads() -> None:
    """Statics, modes and linear models of one system, with parameters of each thread."""
    system = load(hanging())
    lengths = 0.5, 1.0, 2.0, 4.0
    found: list[Any] = []

    def analyse(length: float, anew: bool) -> None:
        for _ in range(5):
            own = system.copy() if anew else system
            if anew:
                own.set(L=length)
            rest = statics(own)
            rates = np.abs(linearise(own, at=rest.state).eigenvalues())
            found.append((length, rest.state.q, rates, modes(own, at=rest.state).frequency))

    system.set(L=1.0)
    in_threads(*[lambda x=x: analyse(x, True) for x in lengths])  # type: ignore[misc]
    in_threads(*[lambda: analyse(1.0, False)] * 3)
    assert len(found) == 35
    for length, q, rates, frequencies in found:
        rate = np.sqrt(9.81 / length)
        assert np.abs(q - [0.0, -length, 0.0]).max() < 1e-9
        assert rates == pytest.approx(rate, rel=1e-9)
        assert frequencies == pytest.approx(rate / (2 * np.pi), rel=1e-9)


def hanging() -> Model:
    """A ball on a string of length L, beside where it hangs."""
    m = Model("hanging", gravity=(0, -9.81, 0))
    length = m.parameter("L", 1.0)
    ball = m.point_mass("ball", 1.0, position=(0.6 * length, -0.8 * length, 0))
    m.distance("string", m.ground, ball, length=length)
    return m


def test_numbers_of_another_thread_do_not_get_into_a_run() -> None:
    system = load("pendulum")
    system.set(L=1.0)
    alone = simulate(system, (0, 0.3), h=1e-2)

    def disturb(t: float, q: Any, v: Any) -> None:
        in_threads(lambda: system.set(L=1.0 + t))

    result = simulate(system, (0, 0.3), h=1e-2, callback=disturb)
    assert np.array_equal(result.q, alone.q) and result.info.parameters["L"] == 1.0
    assert system.parameters["L"] == pytest.approx(1.3)


def test_numbers_that_threads_mix_are_refused() -> None:
    system, refused = load("pendulum"), []
    set_it, changed = threading.Event(), threading.Event()

    def first() -> None:
        system.set(L=0.5)
        set_it.set()
        changed.wait(10)
        with pytest.raises(OptionError, match="Another thread has changed parameters"):
            simulate(system, (0, 0.1), h=1e-2)
        system.set(L=0.5)
        refused.append(simulate(system, (0, 0.1), h=1e-2).info.parameters["L"])

    def second() -> None:
        set_it.wait(10)
        system.set(L=2.0)
        changed.set()

    in_threads(first, second)
    assert refused == [0.5]


def test_callbacks_change_their_run_and_the_system() -> None:
    system = load("pendulum")
    seen = []

    def change(t: float, q: Any, v: Any) -> None:
        if t > 0.05 and not seen:
            system.set(m=3.0)
            seen.append(system.work.p.copy())

    simulate(system, (0, 0.1), h=1e-2, callback=change)
    assert system.parameters["m"] == 3.0
    assert np.array_equal(system.work.p, seen[0])


def test_copies_have_their_own_numbers() -> None:
    system: System = load("pendulum")
    copies: list[System] = []
    simulate(system, (0, 0.02), h=1e-2, callback=lambda *_: copies.append(system.copy()))
    copies[0].set(L=3.0)
    assert system.parameters["L"] == 1.0 and copies[0].parameters["L"] == 3.0
