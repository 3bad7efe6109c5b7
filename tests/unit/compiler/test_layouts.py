"""Flat and loop kernels, and both algebra engines, give the same numbers."""

from functools import cache
from types import ModuleType

import pytest

from tests.unit.compiler.printed import assert_same_numbers, plain_module, text_of
from tests.unit.compiler.samples import SAMPLES

names = pytest.mark.parametrize("name", SAMPLES)


@cache
def module(name: str, layout: str, engine: str = "sympy") -> ModuleType:
    return plain_module(text_of(SAMPLES[name](), layout=layout, engine=engine))


@pytest.mark.representatives(id=["pendulum", "n_four_bar"])
@names
def test_flat_equals_loop(name: str) -> None:
    for seed in range(3):
        assert_same_numbers(module(name, "loop"), module(name, "flat"), 1e-13, seed)


@pytest.mark.representatives(name=["pendulum", "n_four_bar"])
@names
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_layout_is_named(name: str, layout: str) -> None:
    assert module(name, layout).LAYOUT == layout
    assert module(name, layout).system.data.layout == layout


@pytest.mark.representatives(name="pendulum")
@names
def test_symengine_equals_sympy(name: str) -> None:
    pytest.importorskip("symengine")
    assert_same_numbers(module(name, "loop"), module(name, "loop", "symengine"), 1e-13)


@pytest.mark.slow
def test_auto_is_flat_for_small_and_loop_for_large() -> None:
    assert plain_module(text_of(SAMPLES["pendulum"]())).LAYOUT == "flat"
    assert plain_module(text_of(SAMPLES["everything"]())).LAYOUT == "loop"
