"""Formulations that eliminate the multipliers: what is particular to them.

Order and levels of all formulations are in `test_schemes`.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import sin

from mbdgen import Result, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.initialisation.assembly import accelerations
from mbdgen.runtime.system.run_workspace import new_state
from mbdgen.runtime.system.system import System
from tests import mechanisms

FloatArray = NDArray[np.float64]

ELIMINATIONS = (
    "nullspace-svd",
    "nullspace-qr",
    "nullspace-lu",
    "nullspace-gs",
    "maggi",
    "maggi-frozen",
    "udwadia-kalaba",
    "projective",
    "matrix-r",
)
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "pendulum": ("pendulum", {}),
    "planar": ("n_four_bar", {"n": 2}),
    "spatial": ("n_four_bar", {"n": 2, "coordinates": "quaternion"}),
    "bricard": ("bricard", {}),
    "top": ("spinning_top", {}),
    "free": ("torque_free_body", {}),
}


@cache
def system_of(name: str) -> System:
    if name == "driven":
        return load(mechanisms.four_bar(driver=lambda t: np.pi / 2 + 0.2 * t**2 + 0.3 * sin(t)))
    model, arguments = MODELS[name]
    return load(model, **arguments)


def run(name: str, formulation: str | None, t: float, h: float, **more: Any) -> Result:
    result = simulate(system_of(name), (0, t), h=h, formulation=formulation, progress=False, **more)
    assert result.success, result.message
    return result


@cache
def states_of(name: str) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Positions of a motion with random velocities, which assembly makes consistent."""
    system = system_of(name)
    motion = simulate(system, (0, 0.3), method="rk4", h=0.003, progress=False)
    random = np.random.default_rng(5)
    return tuple((motion.q[k], random.standard_normal(system.n_q)) for k in (17, 61, 99))


@pytest.mark.representatives("name", "formulation")
@pytest.mark.parametrize("formulation", ELIMINATIONS)
@pytest.mark.parametrize("name", MODELS)
def test_accelerations_are_those_of_the_whole_system(name: str, formulation: str) -> None:
    """The first slope against a sparse LU of the whole matrix, iterated until nothing changes."""
    system = system_of(name).copy()
    for q, v in states_of(name):
        system.q0[:], system.v0[:] = q, v
        start = simulate(system, (0, 1e-6), "rk4", 1e-6, formulation=formulation, projection="none")
        state = new_state(system.n_q, system.n_lam)
        state.q[:], state.v[:] = start.q[0], start.v[0]
        system.regularise(0.0, state.q)
        accelerations(system, state)
        size = 1.0 + np.abs(state.a).max()
        assert np.abs(start.a[0] - state.a).max() < 1e-10 * size
        reactions = np.abs(system.residual(0.0, state.q, state.v, start.a[0], start.lam[0]))
        assert reactions[: system.n_q].max() < 1e-9 * size
        if name != "bricard":  # dependent equations may share a reaction in many ways
            forces = 1.0 + np.abs(state.lam).max(initial=0.0)
            assert np.abs(start.lam[0] - state.lam).max(initial=0.0) < 1e-9 * forces


@pytest.mark.parametrize("formulation", ["nullspace-svd", "nullspace-lu", "udwadia-kalaba"])
def test_multipliers_of_dependent_constraints_are_the_smallest(formulation: str) -> None:
    """Orthogonal to all combinations of reactions that do nothing."""
    system = system_of("bricard")
    motion = simulate(system, (0, 0.1), "rk4", 1e-3, formulation=formulation, progress=False)
    matrix = system.index_1_matrix(0.1, motion.q[-1]).toarray()
    reactions = matrix[: system.n_q, system.n_q :]
    _, sizes, rows = np.linalg.svd(reactions)
    idle = rows[-1]
    assert sizes[len(idle) - 1] < 1e-6 * sizes[0]  # one of them, or the test is none
    assert abs(idle @ motion.lam[-1]) < 1e-8 * np.abs(motion.lam[-1]).max()


@pytest.mark.representatives(id="maggi")
@pytest.mark.parametrize("formulation", ELIMINATIONS)
def test_known_rank_keeps_dependent_constraints_accurate(formulation: str) -> None:
    """Off the constraints ``rk4`` would lose orders if ranks or rows were chosen anew there."""
    ends = [
        run("bricard", formulation, 0.4, h, method="rk4", projection="none").q[-1]
        for h in (8e-3, 4e-3, 1e-3)
    ]
    exact = run("bricard", None, 0.4, 1e-3, method="dop853").q[-1]
    coarse, fine, finest = (np.abs(end - exact).max() for end in ends)
    assert finest < 1e-10
    assert np.log2(coarse / fine) > 3.7


@pytest.mark.representatives(id=["newmark-index2-0.0003", "rk4-index1-1e-07"])
@pytest.mark.parametrize(
    ("method", "formulation", "bound"),
    [
        ("newmark", "index1", 3e-4),
        ("newmark", "index2", 3e-4),
        ("newmark", "baumgarte", 3e-4),
        ("sdirk", "index1", 1e-8),
        ("sdirk", "baumgarte", 1e-7),
        ("rk4", "index1", 1e-7),
    ],
)
def test_known_rank_replaces_what_dependent_constraints_break(
    method: str, formulation: str, bound: float
) -> None:
    """The whole system contradicts itself off the constraints: LU failed, or lost digits."""
    found = run("bricard", formulation, 0.5, 1 / 240, method=method, projection="none")
    exact = run("bricard", None, 0.5, 1e-3, method="dop853")
    assert np.abs(found.q[-1] - exact.q[-1]).max() < bound


def test_what_dependent_constraints_cost_is_said() -> None:
    own = run("bricard", None, 0.1, 5e-3, method="rk4")
    assert "'rk4' by itself loses accuracy: formulation 'nullspace-qr' does not" in own.message
    for result in (
        run("bricard", None, 0.1, 5e-3),
        run("bricard", "index1", 0.1, 5e-3, method="rk4"),
        run("pendulum", None, 0.1, 5e-3, method="rk4"),
    ):
        assert result.message == "The end was reached at t = 0.1 s."
    with pytest.raises(OptionError, match=r"'radau' with 'index1' wants independent") as caught:
        run("bricard", "index1", 0.1, 5e-3, method="radau")
    assert "Take one of: index3, penalty;" in str(caught.value)


def test_what_wants_a_regular_mass_matrix_says_so() -> None:
    failed = simulate(
        system_of("pendulum"), (0, 0.1), "rk4", 1e-3, formulation="staggered", progress=False
    )
    assert not failed.success and "mass matrix of 'pendulum' is singular" in failed.message
    assert "or one of these formulations: alf1, baumgarte" in failed.message


@pytest.mark.parametrize("formulation", ELIMINATIONS)
@pytest.mark.parametrize("method", ["rk4", "newmark"])
def test_no_freedom_and_no_constraints(formulation: str, method: str) -> None:
    driven = run("driven", formulation, 0.2, 2e-3, method=method)
    exact = run("driven", None, 0.2, 2e-3, method="rk4")
    assert driven.info.dof == 0
    assert np.abs(driven.q[-1] - exact.q[-1]).max() < 1e-6
    assert np.abs(driven.lam[-1] - exact.lam[-1]).max() < 1e-3
    free = run("free", formulation, 0.2, 2e-3, method=method)
    assert free.info.dof == 6
    assert free.counters.energy_drift < 1e-5


@pytest.mark.parametrize(
    ("formulation", "phi"), [("maggi", 1e-6), ("maggi-frozen", 1e-6), ("matrix-r", 1e-12)]
)
@pytest.mark.parametrize("name", ["pendulum", "planar", "spatial", "top"])
def test_what_depends_is_at_round_off(name: str, formulation: str, phi: float) -> None:
    """Also through the dead centre of the four-bars; quaternions change their partition often."""
    h = 2e-4 if name == "top" else 2e-3
    result = run(name, formulation, 500 * h, h, method="rk4")
    speed = 1.0 + np.abs(result.v).max()
    assert result.counters.max_phi_dot < 1e-12 * speed
    assert result.counters.max_phi_ddot < 1e-11 * (1.0 + np.abs(result.a).max())
    assert result.counters.max_phi < phi


def test_frozen_basis_may_be_frozen_for_long() -> None:
    """A quarter of a turn of the pendulum; the basis changes how errors split, not their order."""
    exact = run("pendulum", None, 0.5, 1e-3, method="dop853").q[-1]
    errors = {
        steps: np.abs(
            run("pendulum", "maggi-frozen", 0.5, 2e-3, method="rk4", frozen=steps).q[-1] - exact
        ).max()
        for steps in (1, 10, 200)
    }
    assert max(errors.values()) < 1e-8
    assert len(set(errors.values())) == len(errors)
    with pytest.raises(OptionError, match="frozen"):
        run("pendulum", "maggi-frozen", 0.5, 2e-3, method="rk4", frozen=0)


@pytest.mark.parametrize(
    "formulation", ["nullspace-lu", "nullspace-qr", "maggi-frozen", "matrix-r"]
)
def test_events_restore_what_is_kept(formulation: str) -> None:
    """The step an event repeats begins with the pivots and bases of the step before."""

    def upright(t: float, q: FloatArray, v: FloatArray) -> float:
        return float(q[0] - q0 - 0.02)

    upright.terminal = True  # type: ignore[attr-defined]
    q0 = system_of("spatial").q0[0]
    stopped = run("spatial", formulation, 1.0, 7e-3, method="rk4", events=upright)
    t = stopped.t[-1]
    again = run("spatial", formulation, t, 7e-3, method="rk4", t_eval=stopped.t)
    assert np.array_equal(stopped.q[-1], again.q[-1])
    assert np.array_equal(stopped.a[-1], again.a[-1])


@pytest.mark.representatives(method="newmark")
@pytest.mark.parametrize("projection", ["geometric", "nullspace"])
@pytest.mark.parametrize("method", ["rk4", "newmark"])
def test_projections(projection: str, method: str) -> None:
    """Constraints of all levels hold on dependent ones too, and the order is kept."""
    exact = run("bricard", None, 0.4, 1e-3, method="dop853").q[-1]
    ends = [
        run("bricard", "nullspace-lu", 0.4, h, method=method, projection=projection)
        for h in (8e-3, 4e-3)
    ]
    coarse, fine = (np.abs(end.q[-1] - exact).max() for end in ends)
    assert np.log2(coarse / fine) > {"rk4": 3.8, "newmark": 1.9}[method]
    assert ends[-1].counters.max_phi < 1e-12
    assert ends[-1].counters.max_phi_dot < 1e-11


def test_what_projections_keep() -> None:
    """The geometric change is the shortest, the other one leaves independent coordinates alone."""
    system = system_of("top")
    moved = {}
    for projection in ("none", "geometric", "nullspace", "mass"):
        result = run("top", "nullspace-qr", 1e-3, 1e-3, method="newmark", projection=projection)
        moved[projection] = result.q[-1]
    change = {name: q - moved["none"] for name, q in moved.items() if name != "none"}
    length = {name: np.linalg.norm(d) for name, d in change.items()}
    assert length["geometric"] <= min(length.values()) * (1 + 1e-6)
    kept = int((change["nullspace"] == 0.0).sum())
    assert kept == result.info.dof
    assert 0 < length["nullspace"] < 1e-2
    assert system.n_q == kept + np.count_nonzero(change["nullspace"])
