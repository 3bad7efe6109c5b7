"""Reduced systems: fewer unknowns, the same mechanism."""

import shutil
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.build_options import BuildOptions
from mbdgen.errors import BuildError, OptionError
from mbdgen.symbolic.coordinates.reduced_system import ReducedSystem
from mbdgen.symbolic.coordinates.reduction import Reduction, reduce
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.lower import lowering as lowering

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


def reduction_of(model: Model, monkeypatch: pytest.MonkeyPatch) -> Reduction:
    """Compile a model as far as its reduction."""
    from mbdgen.stages import derive_types, lower_model
    from mbdgen.topology.specify import specify

    found: list[Reduction] = []

    def kept(*arguments: Any) -> Reduction:
        found.append(reduce(*arguments))
        return found[-1]

    monkeypatch.setattr(lowering, "reduce", kept)
    specs = specify(model)
    options = BuildOptions("c", "flat", reduced=True)
    lower_model(model, specs, derive_types(specs, "sympy"), options)
    return found[-1]


def shipped(name: str, **arguments: Any) -> Model:
    from mbdgen.language.read import read

    return read(name, arguments)


@pytest.mark.representatives(
    id=[
        "double_pendulum-arguments0-2-0",
        "n_four_bar-arguments1-7-6",
        "heavy_top-arguments3-4-0",
        "slider_crank-arguments4-3-2",
        "pendulum-arguments5-1-0",
    ]
)
@pytest.mark.parametrize(
    ("name", "arguments", "coordinates", "multipliers"),
    [
        ("double_pendulum", {}, 2, 0),  # a tree: its angles
        ("n_four_bar", {"n": 3}, 7, 6),  # three closed chains, two rows for each
        ("andrews", {}, 7, 6),
        ("heavy_top", {}, 4, 0),  # the quaternion; its norm is a row without multiplier
        ("slider_crank", {}, 3, 2),  # the angle of the slider is given by its sine only
        ("pendulum", {}, 1, 0),  # the angle of its joint
        ("bricard", {}, 5, 5),  # five of six angles, one joint cut
        ("crank_dyads", {}, 5, 3),  # crank, one rod's quaternion; the slider follows the rod
    ],
)
def test_what_remains(
    name: str,
    arguments: dict[str, Any],
    coordinates: int,
    multipliers: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reduction = reduction_of(shipped(name, **arguments), monkeypatch)
    assert len(reduction.coordinates) == coordinates
    assert len(reduction.multipliers) == multipliers


@pytest.mark.representatives(id=["double_pendulum", "n_four_bar", "heavy_top", "pendulum"])
@pytest.mark.parametrize(
    "name", ["double_pendulum", "n_four_bar", "heavy_top", "crank_dyads", "pendulum", "bricard"]
)
def test_matrix_against_the_complex_step(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reduction = reduction_of(shipped(name), monkeypatch)
    system = ReducedSystem(reduction)
    state = system.state()
    entries, residual = system.matrix(state), system.residual(state)
    graph = system.builder.finish()
    rng = np.random.default_rng(7)
    weights = {"c_q": 0.3, "c_v": 0.7, "c_a": 1.0}
    point = {n: float(rng.normal()) for n, (a, _) in system.sources.items() if a in "q v a lam t"}
    point |= {n: float(system.p[k]) for n, (a, k) in system.sources.items() if a == "p"} | weights
    rows = sorted(residual)
    found = np.zeros((system.n, system.n))
    for place, value in zip(entries, evaluate(graph, list(entries.values()), point), strict=True):
        found[place] = value
    arrays = {kind: [graph.nodes[k][1] for k in state[kind]] for kind in ("q", "v", "a", "lam")}

    def slopes(names: list[str], sizes: list[float]) -> np.ndarray:
        step = {
            **point,
            **{n: complex(point[n], 1e-30 * s) for n, s in zip(names, sizes, strict=True)},
        }
        values = evaluate(graph, [residual[r] for r in rows], step)
        return np.array([complex(x).imag / 1e-30 for x in values])

    for k in range(system.n):
        if k < system.n_q:
            dynamics = slopes([arrays[kind][k] for kind in "qva"], list(weights.values()))
            placed = slopes([arrays["q"][k]], [1.0])
        else:
            dynamics = slopes([arrays["lam"][k - system.n_q]], [1.0])
            placed = 0.0 * dynamics
        is_constraint = np.isin(rows, reduction.constraint_rows)
        expected = np.where(is_constraint, placed, dynamics)
        scale = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(found[rows, k], expected, atol=1e-12 * scale)


@pytest.mark.representatives(id="pendulum-1.0-0.001")
@needs_c
@pytest.mark.parametrize(
    ("name", "end", "h"),
    [
        ("pendulum", 1.0, 1e-3),
        ("double_pendulum", 1.0, 1e-3),
        ("n_four_bar", 1.0, 1e-3),
        ("crank_dyads", 0.1, 1e-3),
        ("andrews", 0.01, 5e-6),
        ("bricard", 1.0, 1e-3),
        ("heavy_top", 0.2, 1e-4),
    ],
)
def test_all_equations_of_the_mechanism_hold(name: str, end: float, h: float) -> None:
    """What the reduced kernels find satisfies the kernels that know nothing of a reduction."""
    system = load(name, backend="c", layout="flat", reduced=True)
    assert system.data.reduced is not None
    result = simulate(system, (0, end), h=h)
    assert result.success
    for k in (0, len(result.t) // 2, -1):
        state = (result.t[k], result.q[k], result.v[k], result.a[k], result.lam[k])
        residual = np.array(system.residual(*state))
        rows = system.data.constraint_rows
        assert np.abs(residual[rows]).max() < 1e-12
        size = max(1.0, np.abs(result.lam[k]).max())
        dynamics = np.delete(residual, rows)
        assert np.abs(dynamics).max() < 1e-8 * size
    assert result.counters.max_phi_dot < 1e-9


@pytest.mark.representatives(id=["pendulum-1.0-0.002", "double_pendulum-1.0-0.002"])
@needs_c
@pytest.mark.parametrize(
    ("name", "end", "h"),
    [("pendulum", 1.0, 2e-3), ("double_pendulum", 1.0, 2e-3), ("andrews", 0.01, 1e-5)],
)
def test_the_difference_to_all_coordinates_is_of_second_order(
    name: str, end: float, h: float
) -> None:
    """Newmark's rule for other coordinates has another error of the same order."""
    reduced = load(name, backend="c", layout="flat", reduced=True)
    full = load(name, backend="c", layout="flat")
    gaps = []
    for step in (h, h / 2, h / 4):
        a, b = (simulate(s, (0, end), h=step, t_eval=[0, end]) for s in (reduced, full))
        gaps.append(np.abs(a.q[-1] - b.q[-1]).max())
    orders = np.log2(np.array(gaps[:-1]) / gaps[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.15)


@pytest.mark.slow
@needs_c
def test_singular_positions_are_passed_with_less_error() -> None:
    """Two four-bars on one line, every second: ten seconds through such positions."""
    drift = [
        simulate(
            load("n_four_bar", backend="c", layout="flat", reduced=reduced), (0, 10), h=1e-2
        ).counters.energy_drift
        for reduced in (False, True)
    ]
    assert drift[1] < 0.3 * drift[0]


@needs_c
def test_steps_that_fused_kernels_refuse() -> None:
    """The pendulum's pivots vanish at a half turn of its quaternion."""
    system = load("pendulum", backend="c", layout="flat", reduced=True)
    result = simulate(system, (0, 3), h=1e-3, t_eval=[0, 3])
    often = simulate(system, (0, 3), h=1e-3)
    assert result.success
    np.testing.assert_allclose(result.q[-1], often.q[-1], atol=1e-12)
    assert result.counters.energy_drift < 1e-4


@needs_c
def test_every_step_refused_is_the_generic_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one good pivot the loop still runs, with the steps of the generic loop."""
    system = load("double_pendulum", backend="c", layout="flat", reduced=True)
    expected = load("double_pendulum", backend="c", layout="flat")
    with monkeypatch.context() as patch:
        patch.setattr("mbdgen.runtime.stepping.stepper_selection.has_fused_step", lambda *_: False)
        generic = simulate(expected, (0, 0.1), h=1e-3)
    system.kernels = system.kernels._replace(newton=refusing())
    refused = simulate(system, (0, 0.1), h=1e-3)
    np.testing.assert_allclose(refused.q, generic.q, atol=1e-10)
    assert (refused.counters.generic_steps, generic.counters.generic_steps) == (100, 0)


def refusing() -> Any:
    """Return a kernel that refuses every state."""
    from mbdgen.runtime.program.compiled_functions import separate
    from mbdgen.runtime.program.function_addresses import AddressedFunction
    from mbdgen.runtime.program.kernel_abi import KERNEL, KERNEL_SIGNATURE

    @separate(KERNEL_SIGNATURE)
    def kernel(t, q, v, a, lam, w, p, m, out):  # type: ignore[no-untyped-def]
        return 1

    return AddressedFunction.of(kernel, KERNEL)


@needs_c
def test_events_go_back_to_their_instant() -> None:
    system = load("double_pendulum", backend="c", layout="flat", reduced=True)

    def low(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return float(q[0])

    low.terminal = True  # type: ignore[attr-defined]
    start = simulate(system, (0, 5), h=1e-3, t_eval=[0, 5]).q[0, 0]
    assert start != 0.0
    result = simulate(system, (0, 5), h=1e-3, events=low)
    assert result.status == 1
    assert abs(result.q[-1, 0]) < 1e-8


@pytest.mark.slow
@needs_c
def test_the_same_bits_in_every_run() -> None:
    system = load("andrews", backend="c", layout="flat", reduced=True)
    runs = [simulate(system, (0, 0.02), h=5e-6, t_eval=[0, 0.02]) for _ in range(3)]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].q, other.q)
        np.testing.assert_array_equal(runs[0].lam, other.lam)


def test_reduced_needs_fused_kernels() -> None:
    with pytest.raises(BuildError, match="no fused kernels"):
        load("pendulum", backend="numba", reduced=True)
    with pytest.raises(BuildError, match="not loop"):
        load("pendulum", backend="c", layout="loop", reduced=True)
    with pytest.raises(OptionError, match="truth value"):
        load("pendulum", backend="c", reduced="yes")  # type: ignore[arg-type]


@needs_c
def test_result_tells_whether_steps_were_reduced() -> None:
    """Methods without a fused step use all coordinates."""
    system = load("double_pendulum", backend="c", layout="flat", reduced=True)
    for method, reduced in (("newmark", True), ("rk4", True), ("generalized-alpha", False)):
        assert simulate(system, (0, 0.01), h=1e-3, method=method).info.reduced is reduced
