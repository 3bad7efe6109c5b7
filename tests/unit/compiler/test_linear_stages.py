"""No stage of the compiler costs more than linear time: counted calls, no clock."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from mbdgen.build_options import BuildOptions
from mbdgen.emit.backends import find_backend
from mbdgen.emit.module_header import facts_of
from mbdgen.language.read import read
from mbdgen.stages import derive_types, emit_text, lower_model
from mbdgen.topology.specify import specify

STAGES = ("read", "analyse", "derive", "lower", "emit")


def counted(work: Callable[[], Any]) -> tuple[int, int, Any]:
    """Return how many calls a piece of work makes, how many of them in SymPy, and its result."""
    calls = sympy = 0

    def notice(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls, sympy
        calls += event in ("call", "c_call")
        sympy += event == "call" and frame.f_globals.get("__name__", "").startswith("sympy.")

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    return calls, sympy, result


def stages(name: str, arguments: dict[str, Any], layout: str) -> list[tuple[int, int]]:
    """Return calls of every stage, and those of SymPy, with derived types in the cache."""
    options, backend = BuildOptions("c", layout), find_backend("c")
    model = counted(lambda: read(name, arguments))
    elements = counted(lambda: specify(model[2]))
    derive_types(elements[2], "sympy")
    types = counted(lambda: derive_types(elements[2], "sympy"))
    system = counted(lambda: lower_model(model[2], elements[2], types[2], options))
    facts = facts_of(model[2], system[2], options)
    texts = counted(lambda: emit_text(system[2], backend, facts))
    return [(calls, sympy) for calls, sympy, _ in (model, elements, types, system, texts)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "sizes", "layout"),
    [
        ("chain", "n", (40, 80, 160), "loop"),
        pytest.param("chain", "n", (3, 6, 12), "flat", marks=pytest.mark.slow),
        pytest.param("chain", "n", (100, 1000, 10_000), "loop", marks=pytest.mark.slow),
        pytest.param(
            *("flexible_pendulum", "elements", (100, 1000, 10_000), "loop"), marks=pytest.mark.slow
        ),
        pytest.param("crank_dyads", "k", (4, 8, 16), "flat", marks=pytest.mark.slow),
    ],
)
def test_no_stage_is_worse_than_linear(
    name: str, size: str, sizes: tuple[int, int, int], layout: str
) -> None:
    """Calls for one more element do not grow with the number of elements."""
    stages(name, {size: sizes[0]}, layout)  # imports, and what is made once for each process
    small, middle, large = (stages(name, {size: n}, layout) for n in sizes)
    for stage, a, b, c in zip(STAGES, small, middle, large, strict=True):
        first = (b[0] - a[0]) / (sizes[1] - sizes[0])
        second = (c[0] - b[0]) / (sizes[2] - sizes[1])
        assert second <= 1.15 * max(first, 0.0) + 10, (stage, first, second)


@pytest.mark.slow
def test_sympy_does_not_see_the_number_of_elements() -> None:
    """What is known of a link is known of all: SymPy is not in the loop over elements."""
    stages("chain", {"n": 10}, "loop")
    few, many = (stages("chain", {"n": n}, "loop") for n in (10, 40))
    assert [sympy for _, sympy in many] == [sympy for _, sympy in few]
