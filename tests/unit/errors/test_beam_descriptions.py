"""What cannot be a beam is refused where it is described."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mbdgen import (
    Model,
    damping_factor,
    general_section,
    material,
    rectangle,
    section_stiffness,
    torsion_frequency,
    tube,
)
from mbdgen.errors import ModelError
from mbdgen.language.beams.beam import Beam
from tests.unit.errors.refused import refused

SECTION, STEEL = rectangle(0.02, 0.02), material(2.1e11, 7850)


def bar(model: Model | None = None, **given: Any) -> Beam:
    model = model or Model("one", gravity=(0, 0, 0))
    kinds = {"kind": "omar", "elements": 2, **given}
    return model.beam("bar", [(0, 0), (2, 0)], SECTION, STEEL, **kinds)


def laid(points: Any) -> Beam:
    return Model("one").beam("bar", points, SECTION, STEEL, kind="omar")


def beside_a_namesake() -> None:
    model = Model("one", gravity=(0, 0, 0))
    model.body("bar_1", 1.0, (1, 1, 1))
    bar(model)


def joint_beside_its_element() -> None:
    model = Model("one", gravity=(0, 0, 0))
    model.fixed("clamp", model.ground, bar(model).elements[0], at=(1.9, 0, 0))


def joint_to_a_whole_beam() -> None:
    model = Model("one", gravity=(0, 0, 0))
    model.fixed("clamp", model.ground, bar(model))


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (lambda: bar(elment=3), "no option elment"),
        (lambda: Model("one").beam("bar", [(0, 0), (1, 0)], SECTION, STEEL), "has no kind"),
        (lambda: laid((0, 0, 2, 0)), r"bar' are \(0, 0, 2, 0\): not all of them are points"),
        (beside_a_namesake, "Give the beam, whose elements are called bar_1 to bar_2, another"),
        (lambda: bar(velocity=(0, 0, 1)), "velocity out of the plane of beam 'bar' is 1"),
        (lambda: bar(kind=["euler-nonlinear", "exact"]), "hinge between them"),
        (lambda: bar().elements[0].at(1.5), "point on element 1 of beam 'bar' is 1.5 m"),
        (lambda: bar().at(2.1), "not on beam 'bar' of 2 m"),
        (joint_beside_its_element, "but it is 1 m long"),
        (joint_to_a_whole_beam, r"to the beam 'bar', which.*bar\.start, bar\.end, bar\.node\(k\)"),
        (lambda: bar().end.at(0, 0.1), "is a point already.*Use at\\(s, y, z\\) of its beam"),
        (lambda: general_section(area=0, iz=1e-8), "area of a section is 0"),
        (lambda: tube(0.1, -0.05), "diameter of a tube is -0.05"),
        (lambda: damping_factor(0.05, 0), "frequency is 0"),
        (lambda: torsion_frequency(SECTION, STEEL, -1), "length is -1"),
        (lambda: Model("one").flexible_body("box", mode=3), "Did you mean 'modes'"),
        (lambda: Model("one").flexible_body("box"), "lacks mass, stiffness, nodes"),
    ],
)
def test_mistakes_are_told(mistake: Callable[[], object], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        mistake()


def test_a_material_that_gains_energy_is_refused() -> None:
    model = Model("one", gravity=(0, 0, 0))
    rubber = material(1e7, 1000, 0.3, shear_damping=1e-3)
    with pytest.raises(ModelError, match="would gain energy"):
        model.beam("bar", [(0, 0), (1, 0)], SECTION, rubber, kind="omar")


def test_places_on_a_beam_whose_length_is_a_parameter() -> None:
    model = Model("one", gravity=(0, 0, 0))
    length = model.parameter("length", 1.0)
    beam = model.beam("bar", [(0, 0), (length, 0)], SECTION, STEEL, kind="omar", elements=4)
    assert beam.at(0.9 * beam.length).body is beam.elements[3]
    assert beam.at(0.5 * length) == beam.node(2)
    with pytest.raises(ModelError, match="as parameters change"):
        beam.at(0.9)


def test_torsion_of_a_rectangle_does_not_depend_on_who_decides_its_sides() -> None:
    model = Model("one")
    h, w = model.parameter("h", 0.01), model.parameter("w", 0.1)
    symbolic: Any = rectangle(h, w).torsion
    assert float(symbolic.subs({h: 0.01, w: 0.1})) == pytest.approx(rectangle(0.01, 0.1).torsion)
    assert float(symbolic.subs({h: 0.1, w: 0.01})) == pytest.approx(rectangle(0.1, 0.01).torsion)


def arc(**given: Any) -> Beam:
    """A quarter of a circle of radius 1."""
    line = [(math.sin(x), 1 - math.cos(x), 0) for x in np.linspace(0, math.pi / 2, 33)]
    section = rectangle(given.pop("height", 0.02), 0.03)
    return Model("arc").beam("arc", line, section, STEEL, elements=4, **given)


def test_curves_along_their_own_across_are_refused() -> None:
    with refused("beam 'arc' comes to run along its direction `across`"):
        arc(kind="exact-3d", across=(0, 1, 0))
    assert arc(kind="exact-3d", across=(0, 0, 1)).elements


def test_sections_that_are_higher_than_their_curve_allows() -> None:
    with refused("Beam 'arc' is 2.5 m high where its radius is "):
        arc(kind="euler-nonlinear", height=2.5)


def test_stiffnesses_of_zero_are_told_and_no_division() -> None:
    m = Model("soft")
    with refused("The ea of the section of beam 'b' is 0"):
        m.beam("b", [(0, 0), (1, 0)], section_stiffness(ea=0, ei=1, mass=1), kind="cable")
