"""Conditions of loops: asked of every element, and at every place, as straight lines choose."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, build, circle, load, material
from mbdgen.errors import BuildError
from mbdgen.forces.base import Force, Relation
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.runtime.program import c_compiler
from tests.backends.node import evaluate, needs_node
from tests.unit.compiler.printed import (
    assert_same_numbers,
    call,
    plain_module,
    random_arguments,
    text_of,
)

KERNELS = ("residual", "matrix", "rates")


@dataclass(frozen=True)
class Cushion(Force):
    """An elastic force per length inside of a disc."""

    name = "cushion"
    distributed = True

    radius: Any = 0.5

    def acts(self, *frames: Any) -> list[Relation]:
        """Only there."""
        return [self._depth(*frames) > 0]

    def potential(self, *frames: Any) -> Expr:
        """Of the depth."""
        return 350 * self._depth(*frames) ** 2

    def _depth(self, *frames: Any) -> Expr:
        """Of a point inside."""
        return frames[0].tape.name("depth", self.radius - (frames[0].r - frames[1].r).norm())


def model() -> Model:
    """A belt on a disc that slides along a beam: it counts on one piece, where it is pressed."""
    m = Model("conditions", gravity=(0, -9.81, 0))
    law, section = material(1e3, 1e3), circle(0.01)
    ends = [(0.0, 0.0), (2.0, 0.0)]
    carrier = m.beam("carrier", ends, section, law, elements=2, kind="euler-nonlinear")
    belt = m.beam("rope", [(0.6, 0.5), (1.6, 0.5)], section, law, elements=1, kind="omar")
    centre = carrier.along("centre", 1.05)
    m.add("on", Cushion, belt, centre)
    m.output("s", centre.s)
    return m


@pytest.fixture(scope="module")
def loops() -> Any:
    """What Numba would compile, run by Python."""
    return plain_module(text_of(model(), layout="loop", sensitivities=True))


@pytest.mark.slow
def test_loops_and_straight_lines(loops: Any) -> None:
    """On both pieces, pressed at some of the places."""
    lines = plain_module(text_of(model(), layout="flat", sensitivities=True))
    place = loops.system.names.coordinates.index("centre.s")
    on = set()
    for seed in range(4):
        assert_same_numbers(loops, lines, 1e-13, seed)
        t, q, v, a, lam, _ = random_arguments(loops.system, seed)
        state = [t, *(np.tile(x, 2) for x in (q, v, a, lam))]
        one, two = (
            call(each, "residual_variation", [*state, np.zeros(len(each.system.work.p))])
            for each in (loops, lines)
        )
        np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-13 * abs(one).max())
        on.add(bool(q[place] < 1.0))
    assert on == {True, False}


@pytest.mark.slow
def test_each_is_asked_once_and_as_early_as_it_can_be() -> None:
    """The piece before the loop over places, the depth in it, and no choice behind them."""
    text = text_of(model(), layout="loop")
    body = text.split("cushion_omar_euler_nonlinear_residual(")[1].split("\n\n\n")[0]
    before, _, there = body.partition("for k in range")
    assert [line.strip() for line in before.splitlines() if " if " in line] == [
        "if not (from_sb <= s_sb):",
        "if not (s_sb < to_sb):",
    ]
    assert there.count("if not ") == 1 and "to_sb" not in there


@pytest.mark.slow
def test_c(loops: Any) -> None:
    """The same numbers."""
    try:
        c_compiler.compiler()
    except BuildError:
        pytest.skip("there is no C compiler")
    system, arguments = load(model(), backend="c", layout="loop"), random_arguments(loops.system)
    expected = call(loops, "residual", arguments)
    found = system.residual(*arguments[:5])
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13 * abs(expected).max())


@needs_node
def test_javascript(loops: Any, tmp_path: Any) -> None:
    """The same numbers."""
    arguments = random_arguments(loops.system)
    named = dict(zip(("t", "q", "v", "a", "lam", "w"), arguments, strict=False))
    given = {k: x if k == "t" else np.asarray(x).tolist() for k, x in named.items()}
    expected = {name: call(loops, name, arguments) for name in KERNELS}
    path = build(model(), tmp_path, backend="js", layout="loop")
    calls = [{"kernel": name, "size": len(x), **given} for name, x in expected.items()]
    (results,) = evaluate([{"task": "kernels", "module": str(path), "calls": calls}])
    for x, result in zip(expected.values(), results, strict=True):
        np.testing.assert_allclose(result["out"], x, rtol=1e-12, atol=1e-13 * abs(x).max())
