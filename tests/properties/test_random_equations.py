"""Random mechanisms: the equations of the whole mechanism are exact derivatives of each other.

Evaluated from the graph in complex arithmetic, without a compiler.
"""

import numpy as np
import pytest

from tests.properties.assembled import (
    MechanismCase,
    check_energy_balance,
    check_momentum_balance,
)
from tests.properties.running import EACH, PARTS, on_random_mechanisms
from tests.random_mechanisms import PARAMETERS, Recipe, mechanism
from tests.unit.kernels.element import check_derivatives, check_power, check_reactions, close


def check_equations(recipe: Recipe) -> None:
    """Tangents and rates by complex steps, G = H T, and the balances of energy and momentum.

    Parameters that became numbers in the code change nothing.
    """
    e = MechanismCase(mechanism(recipe))
    rng = np.random.default_rng(recipe.seed)
    state = e.random_state(rng)
    check_derivatives(e, state)
    frozen = MechanismCase(mechanism(recipe), freeze=tuple(PARAMETERS))
    close(frozen.residual(state), e.residual(state), "frozen parameters")
    read = {
        k for kernel in frozen.kernels.values() for _, array, k in kernel.inputs if array == "p"
    }
    assert read <= {k for near, speed, *_ in frozen.ir.roles.turns for k in (near, speed)}
    proper = e.proper_state(rng)
    check_reactions(e, proper)
    check_power(e, proper)
    check_energy_balance(e, proper)
    if recipe.floating:
        check_momentum_balance(e, e.closed_state(rng))


def test_equations() -> None:
    on_random_mechanisms(check_equations, 0, 4)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_equations_of_many(part: int) -> None:
    on_random_mechanisms(check_equations, part, EACH)
