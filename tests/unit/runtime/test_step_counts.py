"""Steps that are too many for a number are refused by our error."""

import pytest

from mbdgen.errors import OptionError
from mbdgen.runtime.stepping.argument_validation import schedule


@pytest.mark.parametrize("h", [5e-324, 1e-320, 1e-300, 1e-18])
def test_steps_without_number(h: float) -> None:
    with pytest.raises(OptionError, match="too small"):
        schedule((0.0, 0.05), h, None)
