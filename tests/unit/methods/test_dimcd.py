"""DIMCD: central differences, Newton's method, steps that run one position ahead, options."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import asin, cos, exp, pi, sin, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen import Model, Result, load, measures, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.program.compiled_functions import compiled
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace, new_dense_workspace
from mbdgen.runtime.steps.dimcd_null_spaces import new_spaces
from mbdgen.runtime.steps.dimcd_step import AHEAD, BEHIND, look_ahead
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED
from mbdgen.runtime.system.system import System
from tests.mechanisms import spinning_pair

Array = NDArray[np.float64]


@cache
def bars() -> System:
    """Three bars with four parallel hinges in space: three of the equations are redundant."""
    m = Model("bars_in_space", gravity=(0, -9.81, 0))
    inertia, up = (1e-3, 1 / 12, 1 / 12), {"angle": pi / 2, "angular_velocity": (0, 0, -1)}
    left = m.body("left", 1, inertia, position=(0, 0.5, 0), velocity=(0.5, 0, 0), **up)
    right = m.body("right", 1, inertia, position=(1, 0.5, 0), velocity=(0.5, 0, 0), **up)
    top = m.body("top", 1, inertia, position=(0.5, 1, 0), velocity=(1, 0, 0))
    pins = (m.ground, left, 0, 0), (left, top, 0, 1), (top, right, 1, 1), (m.ground, right, 1, 0)
    for k, (one, other, x, y) in enumerate(pins):
        m.revolute(f"pin{k}", one, other, at=(x, y, 0), axis=(0, 0, 1))
    return load(m)


@cache
def spring(damping: float) -> System:
    """1 kg on a spring of 100 N/m, half a metre too long."""
    m = Model("mass_on_spring", gravity=(0, 0, 0))
    mass = m.body("mass", mass=1.0, coordinates="point", position=(1.5, 0, 0))
    c = m.parameter("damping", damping)
    m.spring("spring", m.ground.at(), mass.at(), stiffness=100.0, length=1.0, damping=c)
    return load(m)


def run(system: System, end: float, h: float, **options: Any) -> Result:
    result = simulate(system, (0, end), method="dimcd", h=h, progress=False, **options)
    # Near the limit of stability, 2 / (10 rad/s), the formula is not the motion of the mechanism.
    assert result.success or (h > 0.1 and result.status == -BROKEN), result.message
    return result


def test_rates_are_central_differences_of_the_recorded_positions() -> None:
    h, result = 0.01, run(bars(), 0.5, 0.01)
    q = result.q
    assert np.abs(result.v[1:-1] - (q[2:] - q[:-2]) / (2 * h)).max() < 1e-12
    assert np.abs(result.a[1:-1] - (q[2:] - 2 * q[1:-1] + q[:-2]) / h**2).max() < 1e-9


def test_redundant_bars_keep_constraints_and_energy() -> None:
    result = run(bars(), 5.0, 0.01)
    assert (result.info.dof, result.info.redundant) == (1, 3)
    assert measures.energy_deviation(result) == pytest.approx(2.288e-2, abs=1e-5)
    assert result.counters.max_phi < 1e-12
    assert result.counters.newton_iterations < 3.1 * result.counters.steps


@cache
def pair() -> System:
    return load(spinning_pair("revolute"))


@compiled
def iterated(
    kernels: Any, work: Any, state: Any, dense: DenseWorkspace, h: float, options: Array
) -> tuple[int, Array]:
    """The next position after a limited number of iterations, with one before the state."""
    for i in range(len(state.q)):
        work.scratch[BEHIND][i] = state.q[i] - h * state.v[i] + 0.5 * h * h * state.a[i]
    status = look_ahead(kernels, work, state, new_spaces(work, dense), h, h, options)
    return status, work.scratch[AHEAD].copy()


@pytest.mark.representatives(id="bars-0.3-3")
@pytest.mark.parametrize(("system", "h", "seen"), [(pair, 0.2, 4), (bars, 0.3, 3)])
def test_newton_is_quadratic(system: Callable[[], System], h: float, seen: int) -> None:
    """Errors 0.36, 2.4e-2, 1.8e-4, 9.6e-9, 0 of the pair; the bars have redundant constraints."""
    mechanism, guesses = system(), []
    for limit in range(1, 8):
        state = assemble(mechanism, 0.0)
        dof = diagnose(mechanism, 0.0, state.q).dof
        dense = new_dense_workspace(
            mechanism,
            np.array([0, 0, 1.0, 0]),
            dof,
            np.zeros(0),
            2,
            projects=False,
            completes=False,
        )
        options = np.array([0.0, 0.0, 0.0, 1e-15, limit])
        status, ahead = iterated(mechanism.kernels, mechanism.work, state, dense, h, options)
        assert status in (0, NOT_CONVERGED)
        guesses.append(ahead)
    errors = [float(np.abs(guess - guesses[-1]).max()) for guess in guesses]
    assert errors[seen] < 1e-14 < errors[seen - 1] < 1e-7, errors
    for before, after in pairwise(errors[:seen]):
        assert after < 0.5 * before**2, errors


VARIANTS = ({"split": 1}, {"predictor": 0}, {"predictor": 1}, {"predictor": 2}, {"stop": 1})


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_variants_give_the_same_motion(options: dict[str, float]) -> None:
    """They differ in work, not in what is solved."""
    base, other = run(bars(), 0.5, 0.01), run(bars(), 0.5, 0.01, **options)
    assert np.abs(other.q - base.q).max() < 1e-12
    assert np.abs(other.v - base.v).max() < 1e-10
    assert np.abs(other.lam - base.lam).max() < 1e-7


def test_predictors_save_iterations() -> None:
    counts = [run(bars(), 0.5, 0.01, predictor=p).counters.newton_iterations for p in (0, 2, 3)]
    assert counts[0] > counts[1] > counts[2]


def test_spring_follows_the_difference_equation() -> None:
    """``cos(2 n asin(h omega / 2))`` instead of ``cos(omega t)``; unstable above ``2 / omega``."""
    system = spring(0.0)
    end = run(system, 2.0, 0.01).q[-1, 0]
    assert end == pytest.approx(1.0 + 0.5 * cos(200 * 2 * asin(0.05)), abs=1e-12)
    stable = run(system, 300 * 0.199, 0.199)
    assert np.abs(stable.q[:, 0] - 1.0).max() < 0.5 + 1e-9
    grown = run(system, 30 * 0.21, 0.21)
    assert np.abs(grown.q[:, 0] - 1.0).max() > 1e3


def test_damper_keeps_the_order() -> None:
    system, w = spring(2.0), sqrt(99.0)
    system.set(damping=2.0)
    exact = 1.0 + 0.5 * exp(-2.0) * (cos(2 * w) + sin(2 * w) / w)
    steps = [0.02, 0.01, 0.005]
    errors = [abs(run(system, 2.0, h).q[-1, 0] - exact) for h in steps]
    assert errors == pytest.approx([2.06e-3, 5.08e-4, 1.27e-4], rel=5e-3)
    assert measures.order(steps, errors) == pytest.approx(2.0, abs=0.02)


def test_unequal_steps_keep_the_order() -> None:
    """Every interval has another step; what is known ahead is found again."""
    instants = np.cumsum([0.0, 0.31, 0.2, 0.17, 0.32])
    exact = simulate(bars(), (0, 1), method="dop853", h=1e-3, t_eval=instants, progress=False)
    steps = [8e-3, 4e-3, 2e-3]
    runs = [run(bars(), 1.0, h, t_eval=instants) for h in steps]
    errors = [float(np.abs(r.q - exact.q).max()) for r in runs]
    assert measures.order(steps, errors) == pytest.approx(2.0, abs=0.1)
    assert max(r.counters.max_phi for r in runs) < 1e-12


def test_reactions_converge_also_those_of_redundant_joints() -> None:
    """At ``t0`` they are exact; later of order 2, in the metric of the other methods."""
    exact = simulate(bars(), (0, 0.4), method="dop853", h=1e-3, progress=False)
    steps = [1e-2, 5e-3]
    runs = [run(bars(), 0.4, h) for h in steps]
    strides = [round(h / 1e-3) for h in steps]
    errors = [
        float(np.abs(r.lam - exact.lam[::k]).max()) for r, k in zip(runs, strides, strict=True)
    ]
    assert np.abs(runs[0].lam[0] - exact.lam[0]).max() < 1e-8
    assert measures.order(steps, errors) == pytest.approx(2.0, abs=0.1)


def test_terminal_event_ends_between_steps() -> None:
    system = bars()

    def event(t: float, q: Array, v: Array) -> float:
        return float(q[0] - 0.2)

    terminal: Callable[..., float] = event
    terminal.terminal = True  # type: ignore[attr-defined]
    found = run(system, 1.0, 0.01, events=terminal)
    exact = simulate(system, (0, 1), method="dop853", h=1e-3, events=terminal, progress=False)
    assert found.status == 1
    assert found.t[-1] == pytest.approx(exact.t[-1], abs=1e-4)
    assert found.q[-1, 0] == pytest.approx(0.2, abs=1e-6)
    assert measures.violations(system, found).position.max() < 1e-12


def test_formulations_are_refused() -> None:
    with pytest.raises(OptionError, match="brings its own treatment"):
        simulate(bars(), (0, 1), method="dimcd", formulation="index1")


def test_steps_that_are_too_long_end_with_a_message() -> None:
    result = simulate(pair(), (0, 3000), method="dimcd", h=1e3, progress=False)
    assert not result.success
    assert "did not converge" in result.message and "smaller step" in result.message
