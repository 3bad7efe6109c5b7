"""Orientations that joints give: the body kind says whether and where it has a quaternion."""

import pytest

from mbdgen import Model
from mbdgen.bodies.quaternion import Quaternion
from mbdgen.language.registry import body_kinds
from mbdgen.topology.joint_turns import turns
from mbdgen.topology.local_names import LocalName
from mbdgen.topology.specify import specify


class Silent(Quaternion):
    """The same coordinates, but it does not say that four of them are a quaternion."""

    quaternion = None


def arm(first: type[Quaternion] = Quaternion) -> Model:
    """Return a driven pair: ground, a revolute joint, upper, a fixed joint, lower."""
    m = Model("arm")
    upper = m.body("upper", 1, (1, 2, 3), coordinates=first)
    lower = m.body("lower", 1, (1, 2, 3), position=(1, 0, 0))
    m.fixed("weld", upper, lower, at=(1, 0, 0))  # before the joint that carries both
    m.revolute("pin", m.ground, upper, at=(0, 0, 0), axis=(0, 0, 1))
    return m


def test_turns_go_outwards_from_the_ground() -> None:
    found = [
        (t.joint, t.parent and t.parent.name, t.child.name, t.free) for t in turns(specify(arm()))
    ]
    assert found == [("pin", None, "upper", True), ("weld", "upper", "lower", False)]


def test_a_kind_that_states_no_quaternion_is_left_alone() -> None:
    assert turns(specify(arm(Silent))) == ()


@pytest.mark.parametrize("name", sorted(body_kinds()))
def test_places_of_a_quaternion_fit_the_kind(name: str) -> None:
    kind = body_kinds()[name]()
    if (place := kind.quaternion) is None:
        return
    assert (place.coordinates, 4) in kind.unit_blocks
    assert all(kind.rows[place.moments + k] == f"moment {k + 1}" for k in range(3))
    assert place.norm == len(kind.rows) + kind.unit_blocks.index((place.coordinates, 4))


def test_only_one_kind_states_a_quaternion() -> None:
    """So that the test above cannot pass without looking at one."""
    assert [n for n, kind in body_kinds().items() if kind.quaternion is not None] == ["quaternion"]


def test_local_names_are_read_as_they_were_written() -> None:
    name = LocalName("part", "P1", "force", 2)
    assert LocalName.read(str(name)) == name
    assert LocalName.read("L") is None
