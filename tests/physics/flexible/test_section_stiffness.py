"""Sections by their stiffnesses: those of a rectangle, and those that no material has."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mbdgen import (
    Model,
    bending_frequency,
    damping_factor,
    load,
    material,
    modes,
    rectangle,
    section_stiffness,
    torsion_frequency,
)
from mbdgen.errors import ModelError
from mbdgen.language.beams.beam_numbers import beam_numbers
from mbdgen.language.registry import beam_kinds
from tests.beam_mesh import Mesh
from tests.unit.kernels.element import ElementCase, close

SECTION = rectangle(0.08, 0.05)
RUBBER = material(2e6, 1100.0, poisson=0.3, damping=0.02, shear_damping=0.01)
NUMBERS = beam_numbers(SECTION, RUBBER)
SAME = section_stiffness(
    ea=NUMBERS["EA"],
    ei=NUMBERS["EIz"],
    ei_y=NUMBERS["EIy"],
    ga=NUMBERS["GAy"],
    gj=NUMBERS["GJ"],
    mass=NUMBERS["rhoA"],
    damping=0.02,
    shear_damping=0.01,
)
LENGTH = 2.0
# Two faces of 2 mm on a core of 40 mm, 0.1 m wide: EA and EI have different moduli, GA has a third.
FACE, CORE, WIDTH, THICK, DEEP = 7e10, 5e7, 0.1, 2e-3, 0.04
SANDWICH = section_stiffness(
    ea=FACE * WIDTH * 2 * THICK + CORE * WIDTH * DEEP,
    ei=FACE * WIDTH * ((DEEP + 2 * THICK) ** 3 - DEEP**3) / 12 + CORE * WIDTH * DEEP**3 / 12,
    ga=CORE / 2.6 * WIDTH * (DEEP + THICK) ** 2 / DEEP,
    mass=WIDTH * (2700 * 2 * THICK + 60 * DEEP),
)


def test_numbers_are_those_of_a_rectangle() -> None:
    """Everything that it knows, elastic, viscous, inertia and moments."""
    found = SAME.numbers(axial=2.0, bending=0.5)
    expected = beam_numbers(SECTION, RUBBER, axial=2.0, bending=0.5)
    assert {"EA", "GIz_v", "rhoIz", "Iyyzz", "EI4", "ES"} <= set(found)
    assert found == pytest.approx({name: expected[name] for name in found}, rel=1e-12)
    assert SAME.height == pytest.approx(0.08)
    assert SAME.width == pytest.approx(0.05)
    assert bending_frequency(SAME, None, 3.0) == pytest.approx(
        bending_frequency(SECTION, RUBBER, 3.0), rel=1e-12
    )
    assert torsion_frequency(SAME, None, 3.0) == pytest.approx(
        torsion_frequency(SECTION, RUBBER, 3.0), rel=1e-12
    )


@pytest.mark.representatives(id=["euler-nonlinear-False", "euler-nonlinear-True", "exact-False"])
@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("kind", ["euler-nonlinear", "exact", "dufva", "belt"])
def test_elements_are_those_of_a_rectangle(kind: str, curved: bool) -> None:
    """Forces of a random state, elastic and viscous, and inertia; straight and curved."""
    line = [(0, 0), (0.4, 0.1), (0.9, 0.0)] if curved else [(0, 0), (1, 0)]
    for part in ("beam_strain", "beam"):
        found = []
        for made in ((SAME,), (SECTION, RUBBER)):
            m = Model("one", gravity=(0, -9.81, 0))
            m.beam("beam", line, *made, elements=1, kind=kind)
            e = ElementCase(m, part)
            s = e.random_state(np.random.default_rng(1))
            found.append(np.concatenate([e.residual(s).real, e.energies(s).real]))
        close(*found, part, 1e-11)


@pytest.mark.parametrize(("kind", "shears"), [("euler-nonlinear", False), ("dufva", True)])
def test_sandwich(kind: str, shears: bool) -> None:
    """P L^3/3EI, P L/GA and N L/EA, of which no rectangle of one material has two.

    The node in the clamp is held with its slopes, so that it does neither shear nor stretch: shear
    lacks a part of an element, and stretch is taken from the half beyond.
    """
    force, half = 1.0, LENGTH / 2
    mesh = Mesh(kind, 8, LENGTH, SANDWICH, None)
    bent = force * LENGTH**3 / 3 / SANDWICH.ei
    sheared = force * LENGTH / SANDWICH.ga if shears else 0.0
    assert mesh.tip(force)[1] == pytest.approx(-bent - sheared, abs=1e-6 * bent + 0.05 * sheared)
    x = mesh.loaded(-1e3 * force, axis=0)[:: mesh.size]
    assert x[8] - x[4] - half == pytest.approx(1e3 * force * half / SANDWICH.ea, rel=2e-3)
    if not shears:
        expected = bending_frequency(SANDWICH, None, LENGTH, ends="clamped-free")
        assert mesh.frequencies()[0] == pytest.approx(expected, rel=1e-4)


def test_damping_ratio() -> None:
    """The first mode of a clamped beam has the ratio that its factor was chosen for."""
    ratio = 0.03
    frequency = bending_frequency(SANDWICH, None, LENGTH, ends="clamped-free")
    damped = section_stiffness(
        ea=SANDWICH.ea,
        ei=SANDWICH.ei,
        mass=SANDWICH.mass,
        damping=damping_factor(ratio, frequency),
    )
    m = Model("sandwich", gravity=(0, 0, 0))
    beam = m.beam("beam", [(0, 0), (LENGTH, 0)], damped, elements=4, kind="euler-nonlinear")
    m.fixed("clamp", m.ground.at(0, 0, 0), beam.start)
    first = modes(load(m, layout="loop")).damping_ratio[0]
    assert first == pytest.approx(ratio, rel=1e-2)


def test_floating_beams_take_it() -> None:
    tables = []
    for made in ((SAME,), (SECTION, RUBBER)):
        m = Model("one", gravity=(0, 0, 0))
        floating = m.floating_beam("beam", [(0, 0), (1, 0)], *made, modes=(2, 1))
        tables.append(floating.body.motion.modes)
    for name in ("stiffness", "damping"):
        assert getattr(tables[0], name) == pytest.approx(getattr(tables[1], name), rel=1e-12)


def beam(kind: str = "dufva", section: Any = SAME, stuff: Any = None) -> Any:
    return Model("m").beam("b", [(0, 0), (1, 0)], section, stuff, elements=1, kind=kind)


@pytest.mark.parametrize(
    ("made", "message", "advice"),
    [
        (lambda: beam("omar"), "'omar' of beam 'b' are continua", "euler-nonlinear"),
        (lambda: beam("dufva", SANDWICH, RUBBER), "and it has a material", "Leave the material"),
        (lambda: beam("dufva", SECTION), "material of beam 'b' is None", "material=material"),
        (
            lambda: beam("exact", section_stiffness(1, 1, mass=1)),
            "'exact' of beam 'b' need ga=",
            "section_stiffness",
        ),
        (
            lambda: beam("euler-chord", section_stiffness(1, -1, mass=1)),
            "The ei of the section of beam 'b' is -1",
            "positive",
        ),
        (lambda: beam().measure("stress", 0.5, y=0.1), "fibres have a strain", "moment"),
        (lambda: torsion_frequency(SANDWICH, None, 1.0), "no gj", "section_stiffness"),
    ],
)
def test_mistakes(made: Callable[[], object], message: str, advice: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        made()
    assert advice in str(caught.value)


def test_kinds_that_take_it_are_named() -> None:
    with pytest.raises(ModelError) as caught:
        beam("yakoub")
    named = set(str(caught.value).split(": ")[-1].strip(".").split(", "))
    assert named == set(beam_kinds()) - {"omar", "omar-relaxed", "yakoub", "yakoub-relaxed"}
