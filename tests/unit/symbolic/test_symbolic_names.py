"""Names of inputs and of intermediate results never stand for two things."""

import pytest

from mbdgen import Model
from mbdgen.bodies.planar import Planar
from mbdgen.errors import BuildError
from mbdgen.stages import derive_types
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.derive.tape import Tape
from mbdgen.topology.specify import specify


class Clash(Planar):
    """Its coordinate c of body a would be called like the weight c_a."""

    name = "clash"
    coordinates = ("x", "y", "c")


def test_coordinate_named_like_a_weight_is_refused() -> None:
    m = Model("clash", coordinates="planar")
    m.body("rod", 1, 1, coordinates=Clash)
    with pytest.raises(BuildError, match="'c_a'"):
        derive_types(specify(m), "sympy")


def test_intermediate_result_gives_way_to_an_input() -> None:
    tape = Tape(make_engine("sympy"))
    length = tape.input("length")
    named = tape.name("length", length**2)
    assert str(named) == "length_2"
    slope = tape.derivative(named, length)
    assert tape.definitions[slope] == 2 * length


def test_input_after_a_result_of_that_name_is_refused() -> None:
    tape = Tape(make_engine("sympy"))
    tape.name("length", tape.input("x") ** 2)
    with pytest.raises(BuildError, match="'length'"):
        tape.input("length")
