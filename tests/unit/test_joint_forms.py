"""Three forms of joints between beams and rigid bodies: their counts, and what is refused."""

from typing import Any

import pytest

from mbdgen import Model, material, rectangle
from mbdgen.compiler import derive_types
from mbdgen.errors import ModelError
from mbdgen.show.joints import joint_rows
from mbdgen.topology.specify import specify

SECTION = rectangle(0.03, 0.02)
STEEL = material(young=2e11, density=7850.0)
HINGE = {"axis": (0, 1, 0)}
CROSS = {"axis_a": (0, 1, 0), "axis_b": (0, 0, 1)}
OBLIQUE = {"axis": (0, 1, 1)}


def joined(
    joint: str,
    form: str,
    coordinates: str = "natural",
    kind: str = "yakoub",
    turn: bool = False,
    **given: Any,
) -> Model:
    """A rigid body with its point A and its vectors u, v, w where a beam along x begins."""
    m = Model("joined", gravity=(0, 0, -9.81))
    arm = m.body("arm", 1.0, (0.1, 0.1, 0.1), coordinates=coordinates, centre_of_mass=(-0.3, 0, 0))
    beam = m.beam("rod", [(0, 0, 0), (1, 0, 0)], SECTION, STEEL, elements=2, kind=kind)
    ends = (beam.elements[0], arm) if turn else (arm, beam.elements[0])
    placing = {} if joint == "fixed" else given
    m.add("joint", _class(joint), *ends, form=form, at=(0, 0, 0), **placing)
    if joint == "fixed" and given:
        raise AssertionError("a weld has no axis")
    return m


def _class(name: str) -> Any:
    from mbdgen.language.registry import elements

    return elements()[name]


def told(model: Model) -> str:
    """The equations of the joint as `mbdgen check` prints them, without what is shared."""
    specs = specify(model)
    rows = joint_rows(model, specs, derive_types(specs, "sympy"))
    return dict((row[0], row[-1]) for row in rows)["joint"].partition(",")[0]


# Garcia Vallejo's Table 4.1. After "linear" the author's b), where there is one; his 3 of the
# shared prismatic joint is one vector in common, not all three.
TABLE = [
    ("fixed", {}, "3 linear + 3", "12 linear*", "0*"),
    ("spherical", {}, "3 linear", "3 linear", "0"),
    ("revolute", HINGE, "3 linear + 2", "6 linear*", "0*"),
    ("revolute", OBLIQUE, "3 linear + 2", "", "2"),
    ("cylindrical", HINGE, "4", "3 linear + 2*", "2*"),
    ("prismatic", HINGE, "5", "3 linear + 3*", "3*"),
    ("universal", CROSS, "3 linear + 1", "3 linear + 1", "1"),
]


@pytest.mark.parametrize("turn", [False, True], ids=["body first", "beam first"])
@pytest.mark.parametrize(
    ("joint", "axes", "general", "linear", "shared"),
    TABLE,
    ids=["-".join((name, *axes)) + str(k) for k, (name, axes, *_) in enumerate(TABLE)],
)
def test_counts_of_joints(
    joint: str, axes: dict[str, Any], general: str, linear: str, shared: str, turn: bool
) -> None:
    counts = dict(general=general, linear=linear, shared=shared)
    for form, wanted in counts.items():
        if wanted:
            assert told(joined(joint, form, turn=turn, **axes)) == wanted, form
