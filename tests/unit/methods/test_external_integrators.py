"""Integrators of SciPy and SUNDIALS give results like ours, to their tolerances."""

import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Event, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.external.solver_names import CVODE, SCIPY
from mbdgen.runtime.results.result import STATE_ARRAYS, Result
from mbdgen.runtime.system.system import System

END, H = 1.0, 0.02
needs_sundials = pytest.mark.skipif(
    __import__("importlib.util").util.find_spec("sksundae") is None, reason="needs scikit-sundae"
)


@cache
def system() -> System:
    return load("pendulum")


@cache
def ours() -> Result:
    return simulate(system(), (0, END), "dop853", 1e-3, t_eval=np.arange(51) * H)


def check(result: Result, error: float, projected: bool = True) -> None:
    """Compare everything that is recorded at every instant."""
    assert result.success, result.message
    assert np.allclose(result.t, ours().t, rtol=0.0, atol=1e-15)
    for name in STATE_ARRAYS:
        found, expected = getattr(result, name), getattr(ours(), name)
        size = 1.0 + np.abs(expected).max()
        assert np.abs(found - expected).max() < 30.0 * error * size, name
    counters = result.counters
    assert counters.steps > 0 and counters.energy_drift < 1e3 * error and result.info.h is None
    if projected:
        assert max(counters.max_phi, counters.max_phi_dot, counters.max_phi_ddot) < 1e-10


@pytest.mark.parametrize("solver", SCIPY)
def test_scipy(solver: str) -> None:
    result = simulate(system(), (0, END), "solve_ivp", H, solver=solver, rtol=1e-8, atol=1e-10)
    check(result, 1e-6)


def test_tolerances_are_those_of_the_library() -> None:
    def error(rtol: float) -> float:
        result = simulate(system(), (0, END), "solve_ivp", H, rtol=rtol)
        return float(np.abs(result.q - ours().q).max())

    assert error(1e-4) > 10.0 * error(1e-7) > 100.0 * error(1e-11)


def test_formulations_and_projections() -> None:
    arguments: dict[str, Any] = {"rtol": 1e-9, "solver": "DOP853"}
    run = [simulate, system(), (0, END), "solve_ivp", H]
    drifting = run[0](*run[1:], formulation="index1", **arguments)
    check(drifting, 1e-6, projected=False)
    assert drifting.counters.max_phi > 1e-13
    check(run[0](*run[1:], formulation="baumgarte", **arguments), 1e-6, projected=False)


@needs_sundials
@pytest.mark.parametrize("family", CVODE)
def test_cvode(family: str) -> None:
    result = simulate(system(), (0, END), "cvode", H, family=family, rtol=1e-9, atol=1e-11)
    check(result, 1e-6)


@needs_sundials
@pytest.mark.parametrize("formulation", [None, "index1", "baumgarte", "index2"])
def test_ida(formulation: str | None) -> None:
    arguments: dict[str, Any] = {"formulation": formulation, "rtol": 1e-8, "atol": 1e-10}
    check(simulate(system(), (0, END), "ida", H, **arguments), 1e-5, projected=formulation is None)


@needs_sundials
def test_ida_stabilised() -> None:
    """Positions drift without multipliers of their own; what IDA itself does, unprojected."""
    arguments: dict[str, Any] = {"projection": "none", "rtol": 1e-7}
    plain, ggl = (
        simulate(system(), (0, END), "ida", 0.1, stabilised=name, **arguments)
        for name in ("no", "ggl")
    )
    for result in (plain, ggl):
        assert result.success and np.abs(result.q[-1] - ours().q[-1]).max() < 1e-5
    assert ggl.counters.max_phi < 0.2 * plain.counters.max_phi
    assert ggl.counters.max_phi_dot < 1e-5


@needs_sundials
def test_ida_on_index_3_leaves_velocities_and_multipliers_out_of_its_error_test() -> None:
    def error(rtol: float) -> float:
        result = simulate(
            system(), (0, END), "ida", H, formulation="index3", rtol=rtol, atol=rtol / 100
        )
        assert result.success, result.message
        assert result.counters.max_phi < 10.0 * rtol
        return float(np.abs(result.q - ours().q).max())

    coarse, fine = (error(rtol) for rtol in (1e-5, 1e-9))
    assert coarse < 1e-3 and fine < 0.02 * coarse, (coarse, fine)


@needs_sundials
def test_multipliers_of_compliant_constraints_are_part_of_what_ida_solves() -> None:
    """``phi`` gives way by ``-lam / (alpha omega^2)``, as with an integrator of ours."""
    run = {"formulation": "penalty", "penalty": 1e3, "omega": 30.0, "projection": "none"}
    ida = simulate(system(), (0, 0.2), "ida", H, rtol=1e-9, **run)  # type: ignore[arg-type]
    radau = simulate(system(), (0, 0.2), "radau", 1e-3, t_eval=ida.t, **run)  # type: ignore[arg-type]
    assert ida.success and radau.success
    assert np.abs(ida.q - radau.q).max() < 1e-6
    assert radau.counters.max_phi > 1e-6  # what would be missed without the compliance


@needs_sundials
@pytest.mark.parametrize("formulation", ["index1", "index3", "baumgarte", "penalty"])
def test_multipliers_of_positions_belong_to_index_2(formulation: str) -> None:
    with pytest.raises(OptionError, match="Take formulation index2"):
        simulate(system(), (0, END), "ida", H, formulation=formulation, stabilised="ggl")


def test_hyphens_are_as_good_as_underscores() -> None:
    one, other = (simulate(system(), (0, 0.2), name, H) for name in ("solve_ivp", "solve-ivp"))
    assert np.array_equal(one.q, other.q) and one.info.method == "solve-ivp"


def test_what_eliminations_keep_goes_with_the_motion() -> None:
    """The pivots of ``nullspace-lu`` are chosen once, and handed on by checkpoints."""
    first = simulate(system(), (0, 0.5), "solve_ivp", H, formulation="nullspace-lu")
    held = [array for array in first.checkpoint().groups["memory"] if array.any()]
    assert held
    whole = simulate(system(), (0, END), "solve_ivp", H, formulation="nullspace-lu", rtol=1e-9)
    second = simulate(
        system(), (0.5, END), "solve_ivp", H, formulation="nullspace-lu", start=first.checkpoint()
    )
    assert np.allclose(second.q[-1], whole.q[-1], rtol=0.0, atol=1e-5)


@needs_sundials
def test_redundant_constraints() -> None:
    bars = load("n_four_bar", layout="loop", coordinates="quaternion")
    expected = simulate(bars, (0, 0.3), "dop853", 1e-3).q[-1]
    for method in ("solve_ivp", "cvode"):
        found = simulate(bars, (0, 0.3), method, 0.1, rtol=1e-9)
        assert found.success and np.allclose(found.q[-1], expected, rtol=0.0, atol=1e-6)


@pytest.mark.slow
@needs_sundials
def test_drifting_positions_with_dependent_constraints() -> None:
    """The whole system contradicted itself there: drift 3.9 J, and no complaint."""
    bars = load("bricard", layout="flat")
    expected = simulate(bars, (0, 5), "newmark", 2e-3).q[-1]
    for method, rtol, bound in (("cvode", 1e-5, 2e-2), ("solve_ivp", 1e-6, 1e-3)):
        found = simulate(bars, (0, 5), method, 0.1, rtol=rtol)
        assert found.success and np.abs(found.q[-1] - expected).max() < bound
    with pytest.raises(OptionError, match=r"'ida'.*independent constraints: 1 equation of 'J5'"):
        simulate(bars, (0, 1), "ida", 0.1)


def test_events_callback_and_restart() -> None:
    stop = Event("tip.x", terminal=True)
    found = simulate(system(), (0, END), "solve_ivp", H, events=stop, rtol=1e-9)
    fine = simulate(system(), (0, END), "dop853", 1e-3, events=stop)
    assert found.status == 1 and found.t_events[0] == pytest.approx(fine.t_events[0], abs=1e-6)
    first = simulate(system(), (0, 0.5), "solve_ivp", H, rtol=1e-9)
    second = simulate(system(), (0.5, END), "solve_ivp", H, rtol=1e-9, start=first.checkpoint())
    assert np.allclose(second.q[-1], ours().q[-1], rtol=0.0, atol=1e-6)
    back = simulate(system(), (END, 0), "solve_ivp", H, rtol=1e-9, start=second.checkpoint())
    assert back.success and np.allclose(back.q[-1], ours().q[0], rtol=0.0, atol=1e-6)


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.ida", None)
    with pytest.raises(OptionError, match=r"needs sksundae.*pip install 'mbdgen\[sundials\]'"):
        simulate(system(), (0, END), "ida", H)


def test_unknown_choice() -> None:
    with pytest.raises(
        OptionError, match=r"'Euler' of 'solve-ivp' is unknown. Choose one of: RK45"
    ):
        simulate(system(), (0, END), "solve_ivp", H, solver="Euler")
    assert simulate(system(), (0, 0.1), "solve_ivp", H, solver=2).success
    with pytest.raises(OptionError, match="stiff"):
        simulate(system(), (0, END), "solve_ivp", H, stiff=1)
