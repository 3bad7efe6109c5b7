"""Random mechanisms by Numba: few, because each takes seconds to compile."""

import numpy as np
import pytest

from mbdgen import load
from tests.properties.assembled import MechanismCase
from tests.properties.running import PARTS, on_random_mechanisms
from tests.properties.test_compiled import check_kernels, run
from tests.random_mechanisms import GROUND, Link, Load, Recipe, mechanism


def check_numba(recipe: Recipe) -> None:
    """Kernels of both layouts, and the same motion as in C."""
    model = mechanism(recipe)
    e = MechanismCase(model)
    systems = [load(model, backend="numba", layout=layout) for layout in ("loop", "flat")]
    for system in systems:
        check_kernels(e, system, np.random.default_rng(recipe.seed))
    if e.can_move or len(systems[0].data.driven):
        expected = run(load(model, backend="c", layout="loop"))
        size = 1 + np.abs(expected.v).max(initial=0.0)
        for system in systems:
            found = run(system)
            np.testing.assert_allclose(found.q, expected.q, rtol=0, atol=1e-9 * size)
            np.testing.assert_allclose(found.v, expected.v, rtol=0, atol=1e-8 * size)


@pytest.mark.slow
def test_numba() -> None:
    links = (Link("revolute", GROUND, 0), Link("distance", 1, 0))
    check_numba(Recipe(("planar", "natural"), links, (Load("motor", 0, 1),), seed=7))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_numba_of_many(part: int) -> None:
    on_random_mechanisms(check_numba, part, 4)
