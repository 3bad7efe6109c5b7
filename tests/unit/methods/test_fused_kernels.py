"""Fused kernels do what the generic loops do, and step aside where their pivots do not suit."""

import shutil

import numpy as np
import pytest
import sympy

from mbdgen import Model, load, simulate
from mbdgen.errors import MbdgenError
from mbdgen.runtime import integrators
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.function_addresses import AddressedFunction
from mbdgen.runtime.program.kernel_abi import KERNEL, KERNEL_SIGNATURE
from mbdgen.runtime.stepping.stepper_selection import reason_against_fused
from mbdgen.symbolic.fuse.straight_elimination import NoPivotError, factorise, solve
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


def eliminated(matrix: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Solve through graph nodes, every entry an input."""
    n = len(rhs)
    builder = GraphBuilder()
    places = {(i, j): builder.input(f"a{i}_{j}") for i, j in zip(*np.nonzero(matrix), strict=True)}
    numbers = {k: np.array([matrix[k]]) for k in places}
    factors = factorise(builder, places, numbers, n)
    x = solve(builder, factors, [builder.input(f"b{i}") for i in range(n)])
    inputs = {f"a{i}_{j}": matrix[i, j] for i, j in places}
    inputs |= {f"b{i}": b for i, b in enumerate(rhs)}
    return np.array(evaluate(builder.finish(), x, inputs))


@pytest.mark.parametrize("seed", range(5))
def test_elimination_solves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 9
    matrix = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.4) + np.diag(rng.normal(size=n))
    rhs = rng.normal(size=n)
    x = eliminated(matrix, rhs)
    condition = np.linalg.cond(matrix)
    assert np.abs(matrix @ x - rhs).max() < 1e-13 * condition


def test_elimination_refuses_a_singular_matrix() -> None:
    with pytest.raises(NoPivotError):
        eliminated(np.array([[1.0, 2.0], [0.0, 0.0]]), np.ones(2))


@pytest.mark.representatives(id="pendulum-3.0-0.001")
@needs_c
@pytest.mark.parametrize(
    ("name", "end", "h"),
    [
        ("pendulum", 3.0, 1e-3),
        ("n_four_bar", 3.0, 1e-2),
        ("andrews", 0.01, 1e-5),
        ("bricard", 5.0, 1e-2),
    ],
)
def test_same_motion_as_the_generic_loop(name: str, end: float, h: float) -> None:
    """Both solve the same equations: they differ by what Newton's tolerance leaves."""
    system = load(name, backend="c")
    assert system.data.fused_size > 0
    fused = simulate(system, (0, end), h=h)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mbdgen.runtime.stepping.stepper_selection.has_fused_step", lambda *_: False)
        generic = simulate(system, (0, end), h=h)
    assert fused.success
    assert fused.counters.max_phi <= 1e-10
    assert fused.counters.max_phi_dot <= 1e-8
    np.testing.assert_allclose(fused.q, generic.q, atol=5e-6)
    assert fused.counters.energy_drift == pytest.approx(generic.counters.energy_drift, rel=0.05)


@needs_c
@pytest.mark.parametrize(
    ("name", "reduced", "end", "h"),
    [
        ("pendulum", False, 0.5, 1e-2),
        ("heavy_top", False, 0.05, 1e-3),
        ("n_four_bar", False, 0.5, 1e-2),
        ("n_four_bar", True, 0.1, 1e-3),
        ("andrews", False, 1e-3, 1e-5),
        ("slider_crank", False, 0.05, 1e-3),
        ("torque_free_body", False, 0.5, 1e-2),
    ],
)
def test_explicit_steps_are_those_of_the_generic_loop(
    name: str, reduced: bool, end: float, h: float
) -> None:
    """Motions agree to what projections to round-off leave.

    Accelerations differ by the regularisation, which the generic loop removes by iteration.
    """
    system = load(name, backend="c", layout="flat", reduced=reduced)
    assert system.data.fused_size > 0
    fused = simulate(system, (0, end), method="rk4", h=h)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mbdgen.runtime.stepping.stepper_selection.has_fused_step", lambda *_: False)
        generic = simulate(system, (0, end), method="rk4", h=h)
    assert fused.success
    size = 1.0 + np.abs(generic.q).max(), 1.0 + np.abs(generic.v).max()
    assert np.abs(fused.q - generic.q).max() <= 1e-11 * size[0]
    assert np.abs(fused.v - generic.v).max() <= 1e-10 * size[1]
    assert np.abs(fused.a - generic.a).max() <= 1e-6 * (1.0 + np.abs(generic.a).max())
    # One factorisation for each stage: those of the last one serve the projection, too.
    assert fused.counters.factorisations == 4 * fused.counters.steps
    assert generic.counters.factorisations == 4 * generic.counters.steps
    assert fused.counters.max_phi <= 2e-13 * size[0]
    assert fused.counters.max_phi_dot <= 1e-11 * size[1]


@needs_c
@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_a_step_that_is_refused_leaves_the_state_alone(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels that always say no: the motion is that of the generic loop, bit for bit."""
    system = load("double_pendulum", backend="c", layout="flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mbdgen.runtime.stepping.stepper_selection.has_fused_step", lambda *_: False)
        generic = simulate(system, (0, 0.1), method=method, h=1e-2)
    names = ("consistent", "finish")  # the last kernel of a step refuses, all others work
    no = AddressedFunction.of(refuse, KERNEL)
    kernels = system.kernels._replace(**dict.fromkeys(names, no))
    monkeypatch.setattr(system, "kernels", kernels)
    fused = simulate(system, (0, 0.1), method=method, h=1e-2)
    assert fused.success
    for name in ("q", "v", "a", "lam"):
        np.testing.assert_array_equal(getattr(fused, name), getattr(generic, name))


@separate(KERNEL_SIGNATURE)
def refuse(t, q, v, a, lam, w, p, m, out):  # type: ignore[no-untyped-def]
    return 1


@needs_c
@pytest.mark.parametrize(("method", "each"), [("newmark", 1), ("rk4", 4)])
def test_pivots_that_do_not_suit_are_stepped_over(
    method: str, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pendulum turns through a half turn of its quaternion: the fixed pivots vanish there."""
    from mbdgen.runtime.stepping.fused_run import FusedRun  # which compiles

    system = load("pendulum", backend="c")
    entries: list[int] = []
    run = FusedRun.run

    def counted(self: FusedRun, *args: object) -> int:
        status = run(self, *args)  # type: ignore[arg-type]
        entries.append(status)
        return status

    monkeypatch.setattr(FusedRun, "run", counted)
    result = simulate(system, (0, 3), method=method, h=1e-3, t_eval=[0, 3])
    assert result.success
    # Steps that are tried in vain and made by the generic loop factorise more often.
    assert result.counters.factorisations > each * result.counters.steps
    assert max(entries) < 9


@needs_c
def test_work_of_loads_is_counted_in_every_step() -> None:
    """Recording rarely changes nothing about the work that was done."""
    system = load("slider_crank", backend="c")
    often = simulate(system, (0, 0.5), h=1e-3)
    rarely = simulate(system, (0, 0.5), h=1e-3, t_eval=[0, 0.5])
    work = often["energy.work"][-1]
    assert work != 0.0
    # Not bit-equal: differences of recorded instants are rounded, so are the steps.
    assert rarely["energy.work"][-1] == pytest.approx(work, rel=1e-12)


@pytest.mark.slow
@needs_c
def test_the_same_bits_in_every_run() -> None:
    """The loop is left and entered again by the clock; that must not show in the numbers."""
    system = load("andrews", backend="c")
    runs = [simulate(system, (0, 0.02), h=5e-6, t_eval=[0, 0.02]) for _ in range(3)]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].q, other.q)
        np.testing.assert_array_equal(runs[0].lam, other.lam)


@needs_c
def test_why_kernels_are_not_fused() -> None:
    """The module says whether its backend fuses kernels; nobody asks for names of backends."""
    method = integrators.method("newmark")
    reasons = [
        reason_against_fused(load("pendulum", backend=backend, layout=layout), method)
        for backend, layout in (("c", "flat"), ("c", "loop"), ("numba", "flat"))
    ]
    assert reasons == ["", "the layout loop has none", "the backend numba has none"]
    assert load("pendulum", backend="c", layout="loop").data.fuses


@needs_c
def test_a_potential_without_a_value_where_pivots_are_chosen_is_no_error() -> None:
    """Where energy has the logarithm of a distance, the samples may lie where there is none."""
    model = Model("well", gravity=(0, 0, 0))
    ball = model.point_mass("ball", 1.0, position=(-1, 0, 0))
    model.potential("well", energy=sympy.log(ball.at().x) + sympy.sqrt(ball.at().x))
    with pytest.raises(MbdgenError):
        simulate(load(model, backend="c"), (0.0, 0.1), progress=False)
