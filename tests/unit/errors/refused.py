"""What every refusal must look like, and the small models that are refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mbdgen import Model
from mbdgen.build_options import BuildOptions
from mbdgen.errors import MbdgenError, ModelError
from mbdgen.language.bodies.body import Body
from mbdgen.stages import derive_types, lower_model
from mbdgen.symbolic.ir.system_ir import SystemIR
from mbdgen.topology.specify import specify

Change = Callable[[Model, Body, Body], object]


@contextmanager
def refused(*words: str, kind: type[MbdgenError] = ModelError) -> Iterator[None]:
    """Expect an error of ours that names the culprit (`words`) and says what to do."""
    with pytest.raises(MbdgenError) as caught:
        yield
    error = caught.value
    assert isinstance(error, kind), error
    for word in words:
        assert word in error.cause, error
    assert error.remedy and error.remedy[0].isupper() and error.remedy.rstrip()[-1] in ".?", error
    text = str(error)
    assert "\n" not in text and "Traceback" not in text and len(text) < 700


def analysed(model: Model) -> SystemIR:
    """Do every stage but the last: nothing is compiled."""
    specs = specify(model)
    irs = derive_types(specs, "sympy")
    return lower_model(model, specs, irs, BuildOptions())


def two_bodies(change: Change, coordinates: str = "quaternion") -> Model:
    """Return a model of two bodies after a change to it."""
    model = Model("two", gravity=(0, -9.81, 0), coordinates=coordinates)
    inertia = 1.0 if coordinates == "planar" else (1.0, 1.0, 1.0)
    rod = model.body("rod", 1.0, inertia)
    bar = model.body("bar", 1.0, inertia, position=(1.0, 0.0, 0.0))
    change(model, rod, bar)
    return model


def is_empty(folder: Path) -> bool:
    """Whether nothing is left in a folder (or of it)."""
    return not folder.exists() or not any(folder.iterdir())
