"""The kernel ``mass`` is ``matrix`` with the weights (0, 0, 1)."""

import numpy as np
import pytest

from mbdgen.language.read import read
from tests.unit.compiler.printed import call, plain_module, random_arguments, text_of


@pytest.mark.representatives(id=["bricard-loop", "n_four_bar-loop", "slider_crank-loop"])
@pytest.mark.parametrize("layout", ["loop", "flat"])
@pytest.mark.parametrize("name", ["bricard", "n_four_bar", "slider_crank", "governor"])
def test_mass_is_the_matrix_without_stiffness_and_damping(name: str, layout: str) -> None:
    module = plain_module(text_of(read(name), layout=layout))
    arguments = random_arguments(module.system)
    arguments[-1] = np.array([0.0, 0.0, 1.0])
    expected = call(module, "matrix", arguments)
    arguments[-1] = np.array([np.nan, np.nan, np.nan])  # it must not look at them
    found = call(module, "mass", arguments)
    assert np.count_nonzero(found) > module.system.n
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13 * abs(expected).max())
