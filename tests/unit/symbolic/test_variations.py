"""Kernels of variations against the complex step, and that nobody gets them without asking."""

from collections.abc import Callable

import numpy as np
import pytest

from mbdgen.build_options import BuildOptions
from mbdgen.emit.backends import find_backend
from mbdgen.emit.module_header import facts_of
from mbdgen.interface import VARIATION_KERNELS, WEIGHTS
from mbdgen.language.read import read
from mbdgen.stages import derive_types, emit_text, lower_model
from mbdgen.symbolic.derive.variation import (
    change_of,
    parameter_changes,
    varied_kernel,
    vary_derived,
    vary_element,
)
from mbdgen.symbolic.fuse.index1_kernel import index_1_entries
from mbdgen.symbolic.ir.graph import Graph
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.system_ir import FlatKernel, SystemIR
from mbdgen.topology.specify import specify

STEP = 1e-30
MODELS = ("pendulum", "slider_crank", "four_bar_path", "bricard")


def lowered(name: str, layout: str, sensitivities: bool = True) -> SystemIR:
    model = read(name)
    specs = specify(model)
    types = derive_types(specs, "sympy")
    options = BuildOptions(layout=layout, sensitivities=sensitivities)
    return lower_model(model, specs, types, options)


def along(
    graph: Graph, roots: list[int], values: dict[str, float], changes: dict[str, float]
) -> np.ndarray:
    """Derivatives of nodes along a direction."""
    moved = {name: x + 1j * STEP * changes.get(name, 0.0) for name, x in values.items()}
    return np.array([complex(x).imag / STEP for x in evaluate(graph, roots, moved)])


def numbers(names: Callable[[], list[str]], seed: int) -> dict[str, float]:
    return dict(zip(names(), np.random.default_rng(seed).uniform(0.3, 0.9, 10_000), strict=False))


@pytest.mark.parametrize("model", MODELS)
def test_elements(model: str) -> None:
    compared = 0
    for table in lowered(model, "loop").types:
        ir, weights = table.ir, dict.fromkeys(WEIGHTS, 0.0)
        values = numbers(lambda: sorted(ir.graph.inputs), 1) | weights  # noqa: B023
        varied = {*table.columns, *(x.name for x in ir.inputs())}
        changes = numbers(lambda: sorted(varied & values.keys()), 2)  # noqa: B023
        given = values | {change_of(name): x for name, x in changes.items()}
        for kernel in ("residual", "mass", "rates", "energies", "outputs"):
            graph, entries = ir.graph, list(ir.entries(kernel))
            if kernel == "mass":
                graph, places = index_1_entries(ir)
                entries = [((j,), node) for j, node in places]
            expected = along(graph, [n for _, n in entries], values, changes)
            of_changes, found = vary_element(ir, kernel, table.columns)
            got = dict.fromkeys((index for index, _ in entries), 0.0)
            results = evaluate(of_changes, [n for _, n in found], given)
            got |= dict(zip((index for index, _ in found), results, strict=True))
            scale = 1.0 + np.abs(expected).max(initial=0.0)
            np.testing.assert_allclose(list(got.values()), expected, atol=1e-13 * scale)
            compared += int((expected != 0.0).sum())
    assert compared > 20


def of_inputs(kernel: FlatKernel, arrays: dict[str, np.ndarray]) -> dict[str, float]:
    return {name: float(arrays[array][k]) for name, array, k in kernel.inputs}


@pytest.mark.parametrize("model", MODELS)
def test_straight_lines(model: str) -> None:
    """What is laid out for the whole mechanism, read from the places that the runtime fills."""
    system = lowered(model, "flat")
    rng = np.random.default_rng(3)
    n_q, n_lam = system.sizes["n_q"], system.sizes["n_lam"]
    sizes = {"t": 1, "q": n_q, "v": n_q, "a": n_q, "lam": n_lam, "p": len(system.p)}
    at = {array: rng.uniform(0.3, 0.9, size) for array, size in sizes.items()}
    delta = {array: rng.uniform(0.3, 0.9, size) for array, size in sizes.items()}
    delta["t"][:] = 0.0
    at["w"] = np.array([0.0, 0.0, 1.0])
    doubled = at | {a: np.concatenate([at[a], delta[a]]) for a in ("q", "v", "a", "lam")}
    doubled["w"] = delta["p"]
    kernels = {kernel.name: kernel for kernel in system.flat}
    for name in VARIATION_KERNELS:
        plain, varied = kernels[varied_kernel(name)], kernels[name]
        changes = {given: float(delta[a][k]) for given, a, k in plain.inputs if a != "w"}
        roots = [node for _, node in plain.outputs]
        expected = along(plain.graph, roots, of_inputs(plain, at), changes)
        got = dict.fromkeys((place for place, _ in plain.outputs), 0.0)
        roots = [node for _, node in varied.outputs]
        results = evaluate(varied.graph, roots, of_inputs(varied, doubled))
        got |= dict(zip((place for place, _ in varied.outputs), results, strict=True))
        scale = 1.0 + np.abs(expected).max(initial=0.0)
        np.testing.assert_allclose(list(got.values()), expected, atol=1e-13 * scale)


def test_expressions_of_parameters() -> None:
    derived = lowered("four_bar_path", "loop").derived
    values = dict(zip(derived.names, derived.defaults, strict=True))
    graph, roots = vary_derived(derived)
    for k, name in enumerate(derived.names):
        expected = along(derived.graph, list(derived.roots), values, {name: 1.0})
        unit = np.eye(len(derived.names))[k]
        changes = dict(zip(parameter_changes(derived.names), unit, strict=True))
        np.testing.assert_allclose(evaluate(graph, roots, values | changes), expected, atol=1e-14)


def test_names_of_changes_are_no_other_parameters() -> None:
    assert parameter_changes(("L", "L_delta")) == ("L_delta_", "L_delta_delta")


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["loop", "flat"])
@pytest.mark.parametrize("backend", ["numba", "c", "js"])
def test_only_who_asks_gets_them(layout: str, backend: str) -> None:
    def text(sensitivities: bool) -> str:
        model = read("pendulum")
        specs = specify(model)
        options = BuildOptions(backend, layout, sensitivities=sensitivities)
        system = lower_model(model, specs, derive_types(specs, "sympy"), options)
        texts = emit_text(system, find_backend(backend), facts_of(model, system, options))
        return "\n".join(texts.values())

    assert "variation" not in text(False) and "_delta" not in text(False)
    assert all(name in text(True) for name in VARIATION_KERNELS)
