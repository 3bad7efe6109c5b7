"""Mistakes about coordinates of orientations: every message names what is wrong and what to do."""

import pytest

from mbdgen import Model
from mbdgen.errors import MbdgenError, ModelError, OptionError
from mbdgen.language.read import read
from mbdgen.language.recoordinate import recoordinated
from mbdgen.orientations.base import OrientationSet


def a_model() -> Model:
    m = Model("two")
    m.body("rod", 1, (1, 1, 1))
    m.planar_body("plate", 1, 1)
    m.point_mass("ball", 1)
    return m


def test_rigid_bodies_in_space_change_and_others_do_not() -> None:
    model = a_model()
    other = recoordinated(model, "gibbs")
    kinds = [b.kind.name for b in other.bodies.values() if b.kind is not None]
    assert kinds == ["gibbs", "planar", "point"]
    kept = model.bodies["rod"].kind
    assert kept is not None and kept.name == "quaternion"
    back = recoordinated(other, "quaternion").bodies["rod"].kind
    assert back is not None and back.name == "quaternion"


def test_unknown_coordinates() -> None:
    with pytest.raises(MbdgenError, match=r"'gibs'.*Did you mean 'gibbs'"):
        recoordinated(a_model(), "gibs")
    with pytest.raises(MbdgenError, match=r"the class int, which states none"):
        recoordinated(a_model(), int)


def test_coordinates_of_the_plane() -> None:
    with pytest.raises(
        OptionError, match=r"'planar' are not those of a rigid body in space.*gibbs"
    ):
        recoordinated(a_model(), "planar")


def test_nothing_to_change() -> None:
    model = Model("flat")
    model.planar_body("plate", 1, 1)
    with pytest.raises(OptionError, match=r"No body of 'flat' is a rigid body in space"):
        recoordinated(model, "gibbs")


def test_a_fixed_coordinate_is_lost() -> None:
    model = Model("fixed")
    model.body("rod", 1, (1, 1, 1), fixed=("x", "q1"))
    with pytest.raises(ModelError, match=r"'rod' fixes q1, which coordinates 'gibbs' have not"):
        recoordinated(model, "gibbs")


def test_a_model_with_such_an_argument_gets_it() -> None:
    model = read("double_pendulum", coordinates="natural")
    assert {b.kind.name for b in model.bodies.values() if b.kind is not None} == {"natural"}


class Hopeless(OrientationSet):
    """A set that has no numbers for anything, and no base."""

    name = "hopeless"
    coordinates = ("u", "v", "w")
    reach, singular, home, rebased = "nothing", "everywhere", (0.0, 0.0, 0.0), False

    def rotation(self, o, name):  # type: ignore[no-untyped-def]
        raise AssertionError("not reached")

    def initial(self, orientation):  # type: ignore[no-untyped-def]
        raise ZeroDivisionError


def test_no_numbers_for_the_initial_orientation() -> None:
    body = Model("m").body("rod", 1, (1, 1, 1), coordinates=Hopeless)
    assert body.kind is not None
    with pytest.raises(
        ModelError, match=r"'rod' has no hopeless coordinates.*everywhere.*Turn the"
    ):
        body.kind.initial(body.motion)


def test_a_class_of_something_else() -> None:
    with pytest.raises(
        ModelError, match=r"Body 'rod' has coordinates of the class int.*OrientationSet"
    ):
        Model("m").body("rod", 1, (1, 1, 1), coordinates=int)
