"""What the theory of penalties, integrated multipliers and augmented Lagrangians says."""

from dataclasses import replace

import numpy as np
import pytest

from mbdgen import Result, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime import formulations
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.system.system import System
from tests.quickest import quickest
from tests.schemes import system_of

A02 = "A02"
END = 0.2


def violations(result: Result, level: int = 0) -> np.ndarray:
    """``phi`` or ``phi_dot`` of the joints at every recorded instant."""
    system, a = system_of(A02), np.zeros(result.q.shape[1])
    lam = np.zeros(result.lam.shape[1])
    rows = slice(result.q.shape[1], None)
    if level == 0:
        found = [
            system.residual(t, q, v, a, lam)[rows]
            for t, q, v in zip(result.t, result.q, result.v, strict=True)
        ]
    else:
        found = [
            system.rates(t, q, v, a, lam)[0][rows]
            for t, q, v in zip(result.t, result.q, result.v, strict=True)
        ]
    return np.array(found)


def run(method: str, formulation: str | Formulation, h: float = 1e-3, **options: float) -> Result:
    system = system_of(A02)
    result = simulate(
        system, (0, END), method=method, h=h, formulation=formulation, progress=False, **options
    )
    assert result.success, result.message
    return result


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rk4", "newmark"])
def test_penalties_leave_a_hundredth_for_a_hundredfold_penalty(method: str) -> None:
    soft, stiff = (run(method, "penalty", h=2e-4, penalty=alpha) for alpha in (1e3, 1e5))
    assert abs(soft.counters.max_phi / stiff.counters.max_phi - 100) < 5


def test_a_penalty_is_a_spring_under_the_reaction() -> None:
    """``lam = -alpha omega^2 phi`` once the stabilisation has come to rest."""
    alpha, omega = 1e3, 200.0
    result = run("rk4", "penalty", penalty=alpha, omega=omega)
    expected, found = result.lam[-1], -alpha * omega**2 * violations(result)[-1]
    assert np.abs(found - expected).max() < 0.05 * np.abs(expected).max()


@pytest.mark.representatives(method=["rk4", "newmark"])
@pytest.mark.parametrize("method", ["rk4", "newmark", "trapezoidal", "wilson"])
def test_integrated_multipliers_are_springs_with_dampers(method: str) -> None:
    """``phi + tau phi_dot = -epsilon (lam - lam_0)`` along the whole motion."""
    epsilon, tau = 1e-4, 1e-3
    result = run(method, "staggered", h=5e-4, epsilon=epsilon, tau=tau)
    found = violations(result) + tau * violations(result, level=1)
    expected = -epsilon * (result.lam - result.lam[0])
    assert np.abs(found - expected).max() < 1e-3 * np.abs(expected).max()


@pytest.mark.parametrize("tau", [0.0, 1e-3, 2e-2])
def test_errors_of_integrated_multipliers_decay_as_predicted(tau: float) -> None:
    """``epsilon p^2 + tau s p + s = 0`` with an eigenvalue ``s`` of ``H M^-1 G^T``."""
    epsilon, wrong, system = 1e-6, 1e-3, system_of(A02)
    usual = formulations.formulation("staggered")
    n_q, q = system.n_q, run("rk4", "index1", h=END).q[0]
    matrix = system.index_1_matrix(0.0, q).toarray()
    K, H, G_T = matrix[:n_q, :n_q], matrix[n_q:, :n_q], -matrix[:n_q, n_q:]
    s, vectors = np.linalg.eig(H @ np.linalg.solve(K, G_T))
    k = int(np.argmax(s.real))
    s_k, vector = s[k].real, vectors[:, k].real

    def begin_wrong(system: System, state: object) -> np.ndarray:
        assert usual.begin is not None
        return usual.begin(system, state) + wrong * vector  # type: ignore[arg-type]

    h, end = 2e-6, 5e-4
    right, other = (
        simulate(
            system,
            (0, end),
            method="rk4",
            h=h,
            formulation=formulation,
            epsilon=epsilon,
            tau=tau,
            progress=False,
        )
        for formulation in (usual, replace(usual, begin=begin_wrong))
    )
    found = (other.lam[-1] - right.lam[-1]) @ vector / (vector @ vector) / wrong
    companion = np.array([[0.0, 1.0], [-s_k / epsilon, -tau * s_k / epsilon]])
    p, modes = np.linalg.eig(companion.astype(complex))
    start = np.linalg.solve(modes, np.array([1.0, -tau * s_k / epsilon]))
    expected = (modes[0] @ (start * np.exp(p * end))).real
    assert abs(found - expected) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "formulation", "same"),
    [("rk4", "alf1", "baumgarte"), ("newmark", "alf1", "baumgarte"), ("newmark", "alf3", "index3")],
)
def test_limits_of_augmented_lagrangians_do_not_depend_on_the_penalty(
    method: str, formulation: str, same: str
) -> None:
    system, projection = system_of(A02), formulations.formulation(formulation).projection
    expected = simulate(
        system, (0, END), method=method, h=2e-3, formulation=same, projection=projection
    )
    scale = 1.0 if formulation == "alf1" else 1e6
    for alpha in (1e2 * scale, 1e6 * scale):
        found = run(method, formulation, h=2e-3, penalty=alpha)
        assert np.abs(found.q - expected.q).max() < 1e-10
        assert np.abs(found.lam - expected.lam).max() < 1e-6 * np.abs(expected.lam).max()


def test_a_penalty_that_is_too_small_is_not_taken_for_convergence() -> None:
    result = simulate(
        system_of(A02), (0, END), method="rk4", formulation="alf1", penalty=1e-5, progress=False
    )
    assert not result.success and "did not converge" in result.message


def test_the_mass_orthogonal_state_is_the_nearest_one() -> None:
    """``M (q - q*)`` is orthogonal to the motions that the constraints allow."""
    system, h = system_of(A02), 0.05
    one = {"span": (0, h), "method": "rk4", "h": h, "formulation": "index1", "progress": False}
    left = simulate(system, projection="none", **one).q[-1]
    away = []
    for projection in ("mass-orthogonal", "mass"):
        q = simulate(system, projection=projection, **one).q[-1]
        matrix = system.index_1_matrix(h, q).toarray()
        n_q = system.n_q
        _, sizes, rows = np.linalg.svd(matrix[n_q:, :n_q])
        free = rows[len(sizes) :] if sizes[-1] > 1e-8 else rows[(sizes > 1e-8).sum() :]
        away.append(np.abs(free @ matrix[:n_q, :n_q] @ (q - left)).max())
    assert away[0] < 1e-12


def test_methods_that_do_not_know_z_are_refused() -> None:
    with pytest.raises(OptionError, match="staggered") as caught:
        run("bdf", "staggered")
    assert "penalty" in str(caught.value)


@pytest.mark.slow
def test_explicit_steps_have_to_resolve_integrated_multipliers() -> None:
    """A light coin: ``H M^-1 G^T`` is 5 over its mass, and the joints decay with 5 tau/(m epsilon).

    Steps that are far too long are refused by that, and no mass matrix is blamed.
    """
    system = load("rolling_disc", mass=0.05, backend=quickest(), layout="loop")
    with pytest.raises(
        OptionError, match=r"rk4' is explicit.* rates up to 9\.9e\+04 1/s"
    ) as caught:
        simulate(system, (0, 0.01), "rk4", 1e-3, formulation="staggered")
    assert "Take steps below 2e-05 s" in str(caught.value)
    short = simulate(system, (0, 0.01), "rk4", 1e-5, formulation="staggered")
    assert short.success, short.message
    expected = simulate(system, (0, 0.01), "rk4", 1e-4)
    np.testing.assert_allclose(short["centre"][-1], expected["centre"][-1], atol=1e-6)
    between = simulate(system, (0, 0.1), "rk4", 5e-5, formulation="staggered")
    assert not between.success and "springs and dampers with rates" in between.message


def test_mass_orthogonal_projections_take_large_violations() -> None:
    """Their violations shrink with every second pass; once they ended after one that did not."""
    result = simulate(
        system_of("pendulum"), (0, 0.3), "backward-euler", 1e-2, formulation="alf1", progress=False
    )
    assert result.success, result.message
    assert result.counters.max_phi < 1e-11
