"""Every shipped model is described by its file alone; what its equations cost is a slow test."""

import pytest

from mbdgen.language.model_files import shipped
from mbdgen.language.read import read
from mbdgen.topology.specify import specify


@pytest.mark.parametrize("name", shipped())
def test_it_is_read(name: str) -> None:
    """All its bodies are moved or held by elements whose equations are to be derived."""
    model = read(name)
    used = {body.name for spec in specify(model) for body in spec.bodies}
    assert used and {*model.bodies} <= used
