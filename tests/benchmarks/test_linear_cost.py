"""What a step of a large system costs, counted: linear in the number of unknowns.

Operations of the kernels and multiplications of the factorisations, no clock. The baseline has the
counts of medium sizes; ``pytest tests/benchmarks --update-baseline`` writes it.
"""

import json
import math
from typing import Any

import numpy as np
import pytest

from mbdgen.bench.counts import operation_counts
from mbdgen.build_options import BuildOptions
from mbdgen.compiler import load
from mbdgen.language.read import read
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.linalg.linear_solver import analyse
from mbdgen.runtime.linalg.sparsity import lasting_entries
from mbdgen.runtime.system.run_workspace import INDEX_1
from tests.benchmarks.test_operation_counts import BASELINE, growth

TANGENT = (2.5e-7, 5e-4, 1.0)
"""Newmark's weights for h = 1 ms."""
BYTES = 2000.0
EXPONENT = 1.05


def factor_counts(name: str, arguments: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return multiplications and entries of both factorisations at the initial state."""
    system = load(name, backend="c", layout="loop", **arguments)
    state, work = assemble(system), system.work
    found = {}
    for what, weights in (("mass", INDEX_1), ("tangent", TANGENT)):
        matrix = system.matrix(0.0, state.q, state.v, state.a, state.lam, weights)
        matrix.data[work.diagonal] += work.eps
        kept = lasting_entries(system, state, weights)
        made = analyse(work.indptr, work.indices, matrix.data, kept)
        products = int(np.diff(made.l_ptr.astype(np.int64))[made.u_row].sum()) + made.l_row.size
        held = sum(array.nbytes for array in made)
        found[f"factors of {what}"] = {
            "products": products,
            "entries": made.l_row.size + made.u_row.size,
            "unknowns": system.n,
            "bytes": held,
        }
    return found


@pytest.mark.representatives(id="n_four_bar-16")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("crank_dyads", {"k": 36}),
        ("chain", {"n": 100}),
        ("chain", {"n": 100, "kind": "spherical"}),
        ("n_four_bar", {"n": 16}),
        ("bricard", {}),
    ],
    ids=lambda x: x if isinstance(x, str) else "-".join(str(v) for v in x.values()),
)
def test_factorisations_cost_no_more_than_their_baseline(
    name: str, arguments: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    counts = factor_counts(name, arguments)
    key = ", ".join([name, *(f"{k}={v}" for k, v in arguments.items()), "factors"])
    known = json.loads(BASELINE.read_text("utf-8"))
    if request.config.getoption("--update-baseline"):
        known["counts"][key] = counts
        known["counts"] = dict(sorted(known["counts"].items()))
        BASELINE.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
        return
    assert not growth(known["counts"].get(key, {}), counts), key


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "sizes", "arguments"),
    [
        ("crank_dyads", "k", (400, 4000), {}),
        ("chain", "n", (1000, 10_000), {}),
        ("chain", "n", (1000, 10_000), {"kind": "spherical"}),
        ("flexible_pendulum", "elements", (1000, 10_000), {"length": 25.0}),
    ],
)
def test_cost_of_a_step_is_linear_in_the_number_of_bodies(
    name: str, size: str, sizes: tuple[int, int], arguments: dict[str, Any]
) -> None:
    """Over the last decade the exponent of every count is at most 1.05, memory at most 2 kB."""
    counts, unknowns = [], []
    for bodies in sizes:
        given = {size: bodies, **arguments}
        kernels = operation_counts(read(name, given), BuildOptions(backend="c", layout="loop"))
        factors = factor_counts(name, given)
        unknowns.append(factors["factors of mass"]["unknowns"])
        found = {f"kernel {k}": float(c["operations"]) for k, c in kernels.items()}
        for what, numbers in factors.items():
            found |= {f"{what}: {k}": float(numbers[k]) for k in ("products", "entries")}
        counts.append(found)
        assert sum(f["bytes"] for f in factors.values()) <= BYTES * unknowns[-1]
    decade = math.log(unknowns[1] / unknowns[0])
    exponents = {
        what: math.log(counts[1][what] / count) / decade
        for what, count in counts[0].items()
        if count > 1000.0
    }
    assert {"kernel mass", "factors of mass: products"} <= set(exponents)
    assert max(exponents.values()) <= EXPONENT, exponents
