"""Three forms of joints between beams and rigid bodies: their counts, and what is refused."""

from math import cos, sin
from typing import Any

import pytest

from mbdgen import Model, material, rectangle
from mbdgen.errors import ModelError
from mbdgen.language.registry import elements
from mbdgen.show.joint_counts import joint_rows
from mbdgen.stages import derive_types
from mbdgen.topology.specify import specify

SECTION = rectangle(0.03, 0.02)
STEEL = material(young=2e11, density=7850.0)
HINGE = {"axis": (0, 1, 0)}
CROSS = {"axis_a": (0, 1, 0), "axis_b": (0, 0, 1)}
OBLIQUE = {"axis": (0, 1, 1)}


def joined(
    joint: str, form: str, coordinates: str = "natural", turn: bool = False, **given: Any
) -> Model:
    """A rigid body with its point A and its vectors u, v, w where a beam along x begins."""
    m = Model("joined", gravity=(0, 0, -9.81))
    arm = m.body("arm", 1.0, (0.1, 0.1, 0.1), coordinates=coordinates, centre_of_mass=(-0.3, 0, 0))
    (rod,) = m.beam(
        "rod", [(0, 0, 0), (1, 0, 0)], SECTION, STEEL, elements=1, kind="yakoub"
    ).elements
    ends = (rod, arm) if turn else (arm, rod)
    m.add("joint", elements()[joint], *ends, form=form, at=(0, 0, 0), **given)
    return m


def told(model: Model) -> str:
    """The equations of the joint as `mbdgen check` prints them, without what is shared."""
    specs = [spec for spec in specify(model) if spec.name == "joint"]
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


@pytest.mark.representatives(id=["spherical1-body first", "spherical1-beam first"])
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


PLANE = [
    ("omar", "revolute", {"axis": (0, 0, 1)}, "2 linear", "2 linear", "0"),
    ("omar", "prismatic", {"axis": (0, 1, 0)}, "2", "2 linear + 1*", "1*"),
    ("omar", "fixed", {}, "2 linear + 1", "6 linear*", "0*"),
    ("omar", "fixed", {"slopes": "ry"}, "", "4 linear*", "0*"),
    ("euler-nonlinear", "fixed", {}, "2 linear + 1", "4 linear*", "0*"),
    ("euler-nonlinear", "prismatic", {"axis": (1, 0, 0)}, "2", "2 linear + 1*", "1*"),
]


@pytest.mark.representatives(
    id=[
        "omar-revolute-more0-2 linear-2 linear-0",
        "omar-fixed-more3--4 linear*-0*",
        "euler-nonlinear-fixed-more4-2 linear + 1-4 linear*-0*",
    ]
)
@pytest.mark.parametrize(("kind", "joint", "more", "general", "linear", "shared"), PLANE)
def test_counts_in_the_plane(
    kind: str, joint: str, more: dict[str, Any], general: str, linear: str, shared: str
) -> None:
    """Pin, rail and weld of a planar beam: the tangent is free where ``slopes`` leaves it out."""
    for form, wanted in dict(general=general, linear=linear, shared=shared).items():
        if not wanted:
            continue
        m = Model("flat", gravity=(0, -9.81, 0))
        basic = {"points": ((0, 0),), "vectors": ((1, 0), (0, 1))}
        arm = m.body("arm", 1.0, 0.1, coordinates="natural", **basic)
        (rod,) = m.beam("rod", [(0, 0), (1, 0)], SECTION, STEEL, elements=1, kind=kind).elements
        m.add("joint", elements()[joint], arm, rod, form=form, at=(0, 0, 0), **more)
        assert told(m) == wanted, form


def beams(form: str, joint: str = "fixed", angle: float = 0.0, **given: Any) -> Model:
    """A beam on the end of another, at an angle."""
    m = Model("two")
    end = (1 + cos(angle), sin(angle), 0)
    one = m.beam("one", [(0, 0, 0), (1, 0, 0)], SECTION, STEEL, elements=1, kind="yakoub")
    two = m.beam(
        "two", [(1, 0, 0), end], SECTION, STEEL, elements=1, kind="yakoub", across=(0, 0, 1)
    )
    m.add(
        "joint", elements()[joint], one.end.body, two.start.body, form=form, at=(1, 0, 0), **given
    )
    return m


@pytest.mark.slow
def test_beams_on_beams() -> None:
    """No star: the sections of both deform together."""
    assert told(beams("general", angle=0.5)) == "3 linear + 3"
    assert told(beams("linear", angle=0.5)) == "12 linear"
    assert told(beams("linear", "revolute", axis=(0, 0, 1))) == "6 linear"
    assert told(beams("shared", "revolute", axis=(0, 0, 1))) == "0"


def test_the_ground_holds_slopes_too() -> None:
    m = Model("clamped")
    beam = m.beam("rod", [(0, 0, 0), (1, 0, 0)], SECTION, STEEL, elements=1, kind="yakoub")
    m.fixed("joint", m.ground, beam.start.body, at=(0, 0, 0), form="linear")
    assert told(m) == "12 linear*"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"joint": "fixed", "form": "rigid"}, r"form of fixed 'joint' is 'rigid'"),
        ({"joint": "fixed", "form": "linear", "slopes": "r"}, r"slopes of fixed 'joint' is 'r'"),
        ({"joint": "fixed", "form": "general", "slopes": "ry"}, r"has the general form"),
        (
            {"joint": "cylindrical", "form": "linear", **OBLIQUE},
            r"cylindrical 'joint' has form='linear', but its axis is along no slope .*'rod'",
        ),
        (
            {"joint": "fixed", "form": "shared", "coordinates": "quaternion"},
            r"'arm' and 'rod' have no point where they meet",
        ),
        (
            {"joint": "prismatic", "form": "shared", "coordinates": "quaternion", **HINGE},
            r"have no vector that is ry of the section",
        ),
    ],
)
def test_forms_that_there_cannot_be(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        joined(**given)


def test_a_linear_form_needs_linear_coordinates() -> None:
    m = joined("fixed", "linear", coordinates="quaternion")
    with pytest.raises(ModelError, match=r"'arm' are not linear in its coordinates"):
        told(m)


def test_slopes_that_sections_do_not_have() -> None:
    m = Model("flat")
    beam = m.beam("rod", [(0, 0), (1, 0)], SECTION, STEEL, elements=1, kind="euler-nonlinear")
    with pytest.raises(ModelError, match=r"holds ry of 'rod', which has: rx"):
        m.fixed("joint", m.ground, beam.elements[0], at=(0, 0, 0), form="linear", slopes="ry")


@pytest.mark.parametrize("form", ["linear", "shared"])
def test_places_that_move_have_the_general_form(form: str) -> None:
    m = Model("sliding")
    rail, rod = (
        m.beam(name, [(0, 0), end], SECTION, STEEL, elements=1, kind="euler-nonlinear")
        for name, end in (("rail", (1, 0)), ("rod", (0, 1)))
    )
    with pytest.raises(ModelError, match=r"'place' moves along its path.*form='general'"):
        m.spherical("joint", rail.along("place", 0.0), rod.start, form=form)


def test_forms_are_of_beams() -> None:
    m = Model("rigid")
    arm = m.body("arm", 1.0, (1, 1, 1), coordinates="natural")
    with pytest.raises(ModelError, match="joins no section that has slopes"):
        m.fixed("joint", m.ground, arm, at=(0, 0, 0), form="linear")


def test_what_is_shared_has_no_known_reaction() -> None:
    m = joined("fixed", "shared")
    m.output("force", m.attached["joint"].force)
    (spec,) = (s for s in specify(m) if s.name == "force")
    with pytest.raises(ModelError, match=r"the force of 'joint' is not known"):
        derive_types([spec], "sympy")
