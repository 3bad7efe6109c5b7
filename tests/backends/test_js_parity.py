"""JavaScript and Numba print the same graph and get the same numbers, kernel by kernel.

The reference is what the Numba backend prints, run by Python itself: the same operations without
the time that compiling takes. Its modules are made with fused kernels, which Numba itself never
gets.
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from mbdgen import build
from mbdgen.emit.backends import find_backend
from mbdgen.errors import BuildError
from mbdgen.language.model_files import shipped
from mbdgen.language.read import read
from tests.backends.node import evaluate, needs_node
from tests.unit.compiler.printed import plain_module, text_of

pytestmark = needs_node

SMALL: dict[str, dict[str, Any]] = {
    "catenary_beam": {"elements": 4},
    "chain": {"n": 2, "kind": "spherical"},
    "crank_dyads": {"k": 1},
    "sphere_box": {"n": 3},
}
BASE = ("residual", "matrix", "rates", "energies", "outputs")
UNTOUCHED = 7.0
"""What a kernel does not write stays as it was."""
REFUSED = ("falling_ball", "sphere_box", "sphere_incline", "sphere_v_groove", "two_spheres_plane")
"""What contacts remember is kept by loops that JavaScript does not have."""
SOON = ("andrews", "bricard", "chain", "heavy_top", "n_four_bar", "pendulum", "rolling_disc")
"""Of the default run: planar and spatial, redundant, rolling, with every kind of kernel."""
LONG = ("belt_drive",)
"""Its straight code would have a million statements."""
MODELS = [
    pytest.param(name, marks=[] if name in SOON else [pytest.mark.slow])
    for name in shipped()
    if name not in (*REFUSED, *LONG)
]


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


@cache
def compared(name: str, layout: str) -> list[tuple[Call, dict[str, Any]]]:
    """Calls of a shipped model, and what Node computes for each."""
    numba = find_backend("numba")
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        fused = replace(numba, fuse_limit=find_backend("js").fuse_limit)
        patch.setattr("mbdgen.emit.backends.numba.BACKEND", fused)
        reference = Reference(name, layout)
        calls = [*reference.base_calls(0), *reference.fused_calls(), *reference.base_calls(1)]
        patch.undo()
        path = build(name, folder, backend="js", layout=layout, **SMALL.get(name, {}))
        task = {"task": "kernels", "module": str(path), "calls": [call.task() for call in calls]}
        (results,) = evaluate([task])
    return list(zip(calls, results, strict=True))


@pytest.mark.representatives(id=["bricard-loop", "n_four_bar-loop", "pendulum-loop"])
@pytest.mark.parametrize("layout", ["flat", "loop"])
@pytest.mark.parametrize("name", MODELS)
def test_kernels_agree(name: str, layout: str) -> None:
    """To 1e-12 of the largest number; sine and cosine come from other libraries."""
    check_agreement(name, layout)


PRESSED = """
from mbdgen import Model, circle, material

m = Model("pressed", gravity=(0, -9.81))
soft, ends = material(1e6, 1000), [(-0.2, 0.099), (0.2, 0.099)]
beam = m.beam("beam", ends, circle(0.01), soft, elements=2, kind="euler-nonlinear")
wheel = m.planar_body("wheel", 1.0, 0.1, radius=0.1, angular_velocity=3.0)
m.beam_disc("on", beam, wheel, stiffness=1e4, damping=1.0, coefficient=0.4, slope=50, points=9)
model = m
"""


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["flat", "loop"])
def test_forces_that_act_somewhere_agree(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "pressed.py"
    path.write_text(PRESSED, "utf-8")
    check_agreement(str(path), layout)


def check_agreement(name: str, layout: str) -> None:
    pairs = compared(name, layout)
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


@pytest.mark.representatives(id=["heavy_top", "n_four_bar", "pendulum"])
@pytest.mark.parametrize("name", MODELS)
def test_fused_kernels_are_compared(name: str) -> None:
    """Flat modules have them, so that the test above is about them too."""
    found = {call.kernel for call, _ in compared(name, "flat")}
    assert {"newton", "consistent", "finish", "accelerations", "retract", "power"} <= found


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_contacts_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="'js'"):
        build(name, tmp_path, backend="js", **SMALL.get(name, {}))
    assert not any(tmp_path.iterdir())
