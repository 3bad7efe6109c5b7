"""C and Numba print the same graph and get the same numbers; fused kernels do what they say."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import BuildError
from mbdgen.runtime.program import c_compiler
from mbdgen.runtime.system.system import System, call

try:
    c_compiler.compiler()
except BuildError:
    pytest.skip("there is no C compiler", allow_module_level=True)

QUICK = (
    ("double_pendulum", "flat"),
    ("double_pendulum", "loop"),
    ("n_four_bar", "flat"),
    ("n_four_bar", "loop"),
    ("slider_crank", "flat"),
    ("torque_free_body", "loop"),
)
SHIPPED = (
    "andrews",
    "bricard",
    "double_pendulum",
    "n_four_bar",
    "pendulum",
    "slider_crank",
    "spinning_top",
    "torque_free_body",
)
CASES = [
    pytest.param(name, layout, marks=[] if (name, layout) in QUICK else pytest.mark.slow)
    for name in SHIPPED
    for layout in ("flat", "loop")
]
cases = pytest.mark.parametrize(("name", "layout"), CASES)


@cache
def system(name: str, backend: str, layout: str) -> System:
    return load(name, backend=backend, layout=layout)


def states(s: System, seed: int) -> list[Any]:
    """A disturbed state: none of its numbers is special."""
    rng = np.random.default_rng(seed)
    q = s.q0 + 0.1 * rng.normal(size=s.n_q)
    return [0.3 + seed, q, *(rng.normal(size=n) for n in (s.n_q, s.n_q, s.n_lam))]


def kernels(s: System, state: list[Any]) -> dict[str, Any]:
    return {
        "residual": s.residual(*state),
        "matrix": s.matrix(*state, (1.1, 1.2, 1.3)).data,
        "rates": np.concatenate(s.rates(*state)),
        "energies": s.energies(*state),
        "outputs": s.outputs(*state),
    }


@pytest.mark.representatives(id="n_four_bar-flat")
@cases
def test_kernels_agree(name: str, layout: str) -> None:
    """To 1e-13 of the largest number; sine and cosine may come from other libraries."""
    one, other = (system(name, backend, layout) for backend in ("numba", "c"))
    assert other.data.backend == "c" and other.data.layout == layout
    for seed in range(3):
        state = states(one, seed)
        found = kernels(other, state)
        for kernel, expected in kernels(one, state).items():
            size = np.abs(expected).max(initial=0.0)
            np.testing.assert_allclose(
                found[kernel], expected, rtol=1e-13, atol=1e-13 * size, err_msg=kernel
            )


@pytest.mark.representatives(
    id=[
        "double_pendulum-flat",
        "double_pendulum-loop",
        "n_four_bar-flat",
        "slider_crank-flat",
        "torque_free_body-loop",
    ]
)
@cases
def test_motions_agree(name: str, layout: str) -> None:
    """Rounding grows along a motion, so it is short."""
    one, other = (
        simulate(system(name, backend, layout), (0, 2e-3), h=1e-4) for backend in ("numba", "c")
    )
    np.testing.assert_allclose(other.q, one.q, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(other.v, one.v, rtol=1e-7, atol=1e-7)


@pytest.mark.representatives(id="double_pendulum")
@pytest.mark.parametrize("name", SHIPPED)
def test_newton_solves_what_the_other_kernels_say(name: str) -> None:
    s = system(name, "c", "flat")
    assert s.kernels.newton is not s.kernels.residual, "not fused"
    t, q, v, a, lam = states(s, 0)
    q = s.q0 + 1e-3 * (q - s.q0)
    c_q, c_v = 1e-4, 1e-2
    s.regularise(t, q)
    matrix = s.matrix(t, q, v, a, lam, (c_q, c_v, 1.0)).toarray()
    residual = s.residual(t, q, v, a, lam)
    rows = s.data.constraint_rows
    violation = np.abs(residual[rows]).max(initial=0.0)
    residual[rows] /= c_q
    matrix[np.arange(s.n_q, s.n), np.arange(s.n_q, s.n)] += s.work.eps
    x = np.zeros(s.n + 1)
    assert call(s.kernels.newton, t, q, v, a, lam, s.work.weights, s.work.p, s.work.m, x) == 0
    # A small residual is what matters: dependent constraints make the matrix ill-conditioned.
    scale = np.abs(matrix) @ np.abs(x[: s.n]) + np.abs(residual)
    assert (np.abs(matrix @ x[: s.n] + residual) <= 1e-9 * scale.max()).all()
    assert x[s.n] == pytest.approx(violation, rel=1e-12)


@pytest.mark.representatives(
    id=["andrews", "double_pendulum", "n_four_bar", "pendulum", "slider_crank"]
)
@pytest.mark.parametrize("name", SHIPPED)
def test_kernels_of_explicit_methods_solve_what_the_other_kernels_say(name: str) -> None:
    """``[M, -G^T; H, 0] [a; lam] = [f; gamma]`` and, with eps, ``[d; mu]`` for ``[0; -phi]``."""
    s = system(name, "c", "flat")
    t, q, v, _, _ = states(s, 0)
    q = s.q0 + 1e-3 * (q - s.q0)
    none, no_lam, rows = np.zeros(s.n_q), np.zeros(s.n_lam), s.data.constraint_rows
    s.regularise(t, q)
    matrix = s.matrix(t, q, v, none, no_lam, (0.0, 0.0, 1.0)).toarray()
    matrix[np.arange(s.n_q, s.n), np.arange(s.n_q, s.n)] += s.work.eps
    residual = s.residual(t, q, v, none, no_lam)
    force = -residual
    force[rows] = -s.rates(t, q, v, none)[1][rows]
    violation = np.zeros(s.n)
    violation[rows] = -residual[rows]
    written = np.zeros(s.data.fused_size)
    assert fused_call(s, "accelerations", t, q, v, none, written) == 0
    d = np.zeros(s.n_q + 1)
    assert fused_call(s, "retract", t, q, v, written[s.n_q :].copy(), d) == 0
    x = np.linalg.solve(matrix, force)
    left = np.concatenate([none, s.work.eps * x[s.n_q :]])  # what the eps leaves of the rows
    accelerations = x + np.linalg.solve(matrix, left)
    correction = np.linalg.solve(matrix, violation)
    for found, expected in ((written[: s.n_q], accelerations), (d[: s.n_q], correction)):
        exact = expected[: s.n_q]
        # Dependent constraints make the matrix ill-conditioned.
        tolerance = 1e-6 if name == "bricard" else 1e-9
        np.testing.assert_allclose(found, exact, atol=tolerance * (np.abs(exact).max() + 1e-3))
    assert d[s.n_q] == pytest.approx(np.abs(violation).max(), rel=1e-12)


def fused_call(s: System, kernel: str, t: float, q: Any, v: Any, a: Any, out: Any) -> int:
    work = s.work
    return call(
        getattr(s.kernels, kernel), t, q, v, a, np.zeros(s.n_lam), work.weights, work.p, work.m, out
    )


@pytest.mark.representatives(name=["andrews", "double_pendulum", "pendulum", "slider_crank"])
@pytest.mark.parametrize("method", ["newmark", "rk4"])
@pytest.mark.parametrize("name", SHIPPED)
def test_fused_and_generic_steps_agree(name: str, method: str) -> None:
    """The same C kernels, once with and once without the fused ones."""
    fused = system(name, "c", "flat")
    plain = load(name, backend="c", layout="flat")
    plain.data = replace(plain.data, fused_size=0)
    one, other = (simulate(s, (0, 0.02), h=1e-3, method=method) for s in (fused, plain))
    assert fused.data.fused_size > 0
    np.testing.assert_allclose(other.q, one.q, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(other.v, one.v, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("backend", ["numba", "c"])
def test_output_that_is_always_zero(backend: str) -> None:
    """A common direction across the plane gives no force: its kernel has nothing to add."""
    m = Model("no_force")
    disc = m.body("disc", mass=1, inertia=1, coordinates="planar", angular_velocity=1)
    joint = m.common_vector("upright", m.ground.at(), disc.at(), axis=(0, 0, 1))
    m.output("force", joint.force)
    m.output("x", disc.at(1).x)
    system = load(m, backend=backend, layout="loop")
    result = simulate(system, (0, 0.5), h=0.01, progress=False)
    assert np.abs(result["force"]).max() == 0.0
    assert result["x"][-1] == pytest.approx(np.cos(0.5), abs=1e-4)
