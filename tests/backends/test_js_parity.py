"""JavaScript and Numba print the same graph and get the same numbers, kernel by kernel.

The reference is what the Numba backend prints, run by Python itself: the same operations without
the time that compiling takes. Its modules are made with fused kernels, which Numba itself never
gets. All modules are evaluated by one Node process.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from mbdgen import build
from mbdgen.emit.backends import find_backend
from mbdgen.language.files import shipped
from mbdgen.language.read import read
from tests.backends.node import evaluate, needs_node
from tests.unit.compiler.printed import plain_module, text_of

pytestmark = needs_node

SMALL: dict[str, dict[str, Any]] = {"chain": {"n": 2, "kind": "spherical"}, "crank_dyads": {"k": 1}}
BASE = ("residual", "matrix", "rates", "energies", "outputs")
UNTOUCHED = 7.0
"""What a kernel does not write stays as it was."""
CASES = [(name, layout) for name in shipped() for layout in ("flat", "loop")]


@dataclass(frozen=True)
class Call:
    """One call of a kernel and what the reference wrote."""

    kernel: str
    arguments: dict[str, Any]
    expected: np.ndarray

    def task(self) -> dict[str, Any]:
        return {"kernel": self.kernel, "size": len(self.expected), **self.arguments}


class Reference:
    """The module that Numba would compile, run by Python."""

    def __init__(self, name: str, layout: str) -> None:
        self.module = plain_module(text_of(read(name, SMALL.get(name)), layout=layout))
        self.system = self.module.system
        self.kernels = [n for n in (*BASE, "mass") if n in vars(self.module)]

    def call(self, kernel: str, size: int, **arguments: Any) -> Call:
        """Call a kernel; lists, because Python calculates faster with its own numbers."""
        s, out = self.system, [UNTOUCHED] * size
        state = [list(map(float, arguments[x])) for x in ("q", "v", "a", "lam", "w")]
        p, m = s.work.p.tolist(), s.work.m.tolist()
        assert getattr(self.module, kernel)(arguments["t"], *state, p, m, out) == 0
        named = dict(zip(("q", "v", "a", "lam", "w"), state, strict=True))
        return Call(kernel, {"t": arguments["t"], **named}, np.array(out))

    def base_calls(self, seed: int) -> list[Call]:
        """Evaluate at a state none of whose numbers is special."""
        s, rng = self.system, np.random.default_rng(seed)
        sizes = {"residual": s.n, "rates": 2 * s.n, "energies": 3, "outputs": len(s.names.outputs)}
        state = {
            "t": 0.3 + seed,
            "q": s.q0 + 0.1 * rng.normal(size=s.n_q),
            "v": rng.normal(size=s.n_q),
            "a": rng.normal(size=s.n_q),
            "lam": rng.normal(size=s.n_lam),
            "w": np.array([1.1, 1.2, 1.3]),
        }
        return [self.call(k, sizes.get(k, len(s.work.indices)), **state) for k in self.kernels]

    def fused_calls(self) -> list[Call]:
        """Evaluate near the initial position, which the fixed pivots suit."""
        s, rng = self.system, np.random.default_rng(0)
        size = s.data.fused_size
        if size == 0:
            return []
        state = {
            "t": 0.3,
            "q": s.q0 + 1e-3 * rng.normal(size=s.n_q),
            "v": s.v0 + 0.1 * rng.normal(size=s.n_q),
            "a": rng.normal(size=s.n_q),
            "lam": rng.normal(size=s.n_lam),
            "w": [1e-4, 1e-2, 1.0, *[1e-9] * s.n_lam],
        }
        consistent = self.call("consistent", size, **state)
        slope = self.call("accelerations", size, **state)
        earlier, factors = consistent.expected, slope.expected[s.n_q :]
        return [
            self.call("newton", s.n + 1, **state),
            self.call("power", 1, **state),
            consistent,
            slope,
            self.call("finish", size, **{**state, "a": earlier}),
            self.call("retract", s.n_q + 1, **{**state, "a": factors}),
        ]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What Node computes for all cases of this session: pairs of a call and its result."""
    tasks, calls = [], {}
    numba = find_backend("numba")
    for name, layout in CASES:
        with pytest.MonkeyPatch.context() as patch:
            fused = replace(numba, fuse_limit=find_backend("js").fuse_limit)
            patch.setattr("mbdgen.emit.backends.numba.BACKEND", fused)
            reference = Reference(name, layout)
        calls[name, layout] = [*reference.base_calls(0), *reference.fused_calls()]
        calls[name, layout] += reference.base_calls(1)
        folder = tmp_path_factory.mktemp(f"{name}_{layout}")
        path = build(name, folder, backend="js", layout=layout, **SMALL.get(name, {}))
        tasks.append(
            {
                "task": "kernels",
                "module": str(path),
                "calls": [call.task() for call in calls[name, layout]],
            }
        )
    results = evaluate(tasks)
    return {
        case: list(zip(calls[case], result, strict=True))
        for case, result in zip(calls, results, strict=True)
    }


@pytest.mark.parametrize(("name", "layout"), CASES)
def test_kernels_agree(name: str, layout: str, found: Any) -> None:
    """To 1e-12 of the largest number; sine and cosine come from other libraries."""
    pairs: Sequence[tuple[Call, dict[str, Any]]] = found[name, layout]
    assert set(BASE) <= {call.kernel for call, _ in pairs}
    for call, result in pairs:
        assert result["status"] == 0, call.kernel
        size = np.abs(call.expected).max(initial=0.0)
        np.testing.assert_allclose(
            np.array(result["out"], float),
            call.expected,
            rtol=1e-12,
            atol=1e-12 * size,
            err_msg=call.kernel,
        )


@pytest.mark.parametrize("name", shipped())
def test_fused_kernels_are_compared(name: str, found: Any) -> None:
    """Flat modules have them, so that the test above is about them too."""
    compared = {call.kernel for call, _ in found[name, "flat"]}
    assert {"newton", "consistent", "finish", "accelerations", "retract", "power"} <= compared
