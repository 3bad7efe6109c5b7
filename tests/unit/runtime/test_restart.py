"""Runs that go on from a checkpoint: two runs are one, bit for bit."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.integrators import method as method_named
from mbdgen.runtime.results.result import STATE_ARRAYS
from mbdgen.runtime.stepping.checkpoint import Checkpoint
from mbdgen.runtime.system.system import System

H, CUT, END = 0.01, 0.3, 1.0


@pytest.fixture(scope="module")
def bars() -> System:
    """Sparse factors, redundant constraints, no fused kernels, angles of many turns."""
    return load("n_four_bar", layout="loop", coordinates="quaternion")


def in_two(system: System, path: Path, **arguments: Any) -> None:
    """Compare one run with two, the second of which reads what the first wrote to a file."""
    end, cut = arguments.pop("end", END), arguments.pop("cut", CUT)
    instants = arguments.pop("t_eval", None)

    def some(low: float, high: float) -> Any:
        return None if instants is None else [t for t in instants if low <= t <= high]

    whole = simulate(system, (0, end), t_eval=some(0, end), **arguments)
    first = simulate(system, (0, cut), t_eval=some(0, cut), **arguments)
    first.checkpoint().save(path)
    simulate(system, (0, 0.1), "rk4", 0.02)  # whatever is shared is different now
    start = Checkpoint.load(path)
    second = simulate(system, (start.t, end), t_eval=some(cut, end), start=start, **arguments)
    assert whole.success and second.success
    for name in ("t", *STATE_ARRAYS):
        one, a, b = (getattr(result, name) for result in (whole, first, second))
        assert np.array_equal(one, np.concatenate([a, b[1:]]), equal_nan=True), name
        assert np.array_equal(a[-1], b[0], equal_nan=True), name
    for name in ("max_phi", "max_phi_dot", "max_phi_ddot", "energy_drift"):
        assert getattr(whole.counters, name) == getattr(second.counters, name), name


METHODS = ("newmark", "generalized-alpha", "rk4", "dopri5", "dop853")


@pytest.mark.parametrize("method", METHODS)
def test_fused_steps(method: str, tmp_path: Path) -> None:
    in_two(load("pendulum"), tmp_path / "c.npz", method=method, h=H)


@pytest.mark.parametrize("method", METHODS)
def test_single_kernels(method: str, tmp_path: Path, bars: System) -> None:
    in_two(bars, tmp_path / "c.npz", method=method, h=H)


@pytest.mark.parametrize(
    ("method", "formulation"), [("newmark", "index2"), ("rk4", "index1"), ("dop853", "baumgarte")]
)
def test_formulations(method: str, formulation: str, tmp_path: Path) -> None:
    in_two(load("pendulum"), tmp_path / "c.npz", method=method, h=H, formulation=formulation)


@pytest.mark.parametrize("method", ["newmark", "generalized-alpha", "dopri5"])
def test_chosen_steps(method: str, tmp_path: Path) -> None:
    # The cut must be met by the single run too.
    arguments: dict[str, Any] = {"method": method, "rtol": 1e-6, "t_eval": [0, 0.1, CUT, 0.5, END]}
    in_two(load("pendulum"), tmp_path / "c.npz", **arguments)


def test_instants_do_not_depend_on_the_span() -> None:
    system = load("pendulum")
    t = simulate(system, (0, 0.7), h=0.1).t
    assert t.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert simulate(system, (0.3, 0.7), h=0.1).t.tolist() == t[3:].tolist()


def test_the_work_goes_on() -> None:
    system = load("slider_crank", torque=1.0, speed=20.0)
    first = simulate(system, (0, 1), h=1e-3)
    second = simulate(system, (1, 2), h=1e-3, start=first.checkpoint())
    assert second.energies[0, 2] == first.energies[-1, 2] != 0.0


def test_checkpoints_of_something_else(tmp_path: Path) -> None:
    system = load("pendulum")
    start = simulate(system, (0, 0.1), h=H).checkpoint()
    for arguments, what in (
        ({"method": "rk4"}, "method 'newmark', not 'rk4'"),
        ({"gamma": 0.6}, "set of options"),
        ({"formulation": "index3"}, "formulation"),
    ):
        with pytest.raises(OptionError, match=what):
            simulate(system, (0.1, 1), h=H, start=start, **arguments)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"starts at 0.2, but the checkpoint is at t = 0.1"):
        simulate(system, (0.2, 1), h=H, start=start)
    with pytest.raises(OptionError, match="model 'pendulum', not 'slider_crank'"):
        simulate(load("slider_crank"), (0.1, 1), h=H, start=start)
    system.set(m=3.0)
    with pytest.raises(OptionError, match="set of numbers"):
        simulate(system, (0.1, 1), h=H, start=start)
    with pytest.raises(OptionError, match=r"ends with \.npz"):
        start.save(tmp_path / "c.txt")
    (tmp_path / "bad.npz").write_text("no")
    for name in ("bad.npz", "missing.npz"):
        with pytest.raises(OptionError, match=name):
            Checkpoint.load(tmp_path / name)


def test_failed_runs_have_none() -> None:
    result = simulate(load("pendulum"), (0, 1), h=0.1, tolerance=1e-15, max_iterations=1)
    assert not result.success
    with pytest.raises(OptionError, match="no checkpoint"):
        result.checkpoint()


@pytest.mark.parametrize("method", METHODS)
def test_there_and_back(method: str) -> None:
    system = load("pendulum")
    there = simulate(system, (0, 1), method, 1e-3)
    back = simulate(system, (1, 0), method, 1e-3, start=there.checkpoint())
    assert back.success and back.t[-1] == 0.0
    # The trapezoidal rule and the pairs of Runge and Kutta are not reversible through projections.
    assert np.allclose(
        back.q[-1], there.q[0], rtol=0.0, atol=1e-5 if method in METHODS[:2] else 1e-9
    )
    assert np.allclose(back.energies[-1, 1], there.energies[0, 1], atol=1e-4)


def test_back_with_chosen_steps() -> None:
    system = load("pendulum")
    there = simulate(system, (0, 2), "dopri5", rtol=1e-10)
    back = simulate(
        system, (2, 0), "dopri5", rtol=1e-10, start=there.checkpoint(), t_eval=[2, 1, 0]
    )
    assert back.t.tolist() == [2.0, 1.0, 0.0]
    assert np.allclose(back.q[-1], there.q[0], rtol=0.0, atol=1e-8)
    assert np.allclose(back.q[1], there.at(1.0).q, rtol=0.0, atol=1e-6)


def test_methods_that_cannot_go_back() -> None:
    method = replace(method_named("rk4"), backward=False)
    with pytest.raises(OptionError, match=r"cannot go back in time. These can: .*newmark"):
        simulate(load("pendulum"), (1, 0), method, H)
    assert simulate(load("pendulum"), (0, 1), method, H).success


def test_decaying_errors_of_constraints_do_not_go_back(bars: System) -> None:
    """Baumgarte's stabilisation with omega = 10/s enlarges round-off by exp(30) in 3 s."""
    with pytest.raises(OptionError, match="'baumgarte' constraint errors decay forward"):
        simulate(bars, (0, -1), "rk4", 1e-2, formulation="baumgarte")
    aided = {"formulation": "baumgarte", "projection": "mass"}
    assert simulate(bars, (0, -0.1), "rk4", 1e-2, **aided).success
