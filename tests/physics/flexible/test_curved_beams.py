"""A quarter of a circle, clamped at one end, with a force at the other: Castigliano's theorem."""

from math import pi
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from mbdgen import Model, load, material, rectangle, statics
from mbdgen.beams.base import BeamElement
from mbdgen.beams.dufva import Dufva
from mbdgen.language.read import read
from tests.beam_mesh import Array, Mesh

YOUNG = 1e9
SMALL = 1e-4
"""Displacement in radii: what is left of its square is below the tolerances."""


def errors(kind: str, elements: int, height: float, more: float) -> Array:
    """Return the errors of both displacements under a force against x, relative to a thin ring's.

    The radius is 1. Of a thin ring, P R^3/EI times pi/4 against x and 1/2 along y. Both are those
    of a thick one times the factor of `winkler`, and `more` times I/AR^2 of shear and of sections.
    """
    section = rectangle(height, 0.03)
    mesh = Mesh(kind, elements, pi / 2, section, material(YOUNG, 1000.0), angle=pi / 2)
    moved = mesh.loaded(SMALL * YOUNG * section.iz, axis=0) - mesh.straight
    bent, stretched = winkler(height)
    found: Array = moved[-mesh.size :][:2] / SMALL / (-pi / 4, 1 / 2) - bent - more * stretched
    return found


def winkler(height: float) -> tuple[float, float]:
    """Return I over the second moment with fibres by their lengths, and I over A R^2."""
    iz = height**3 / 12
    return iz / (np.log((1 + height / 2) / (1 - height / 2)) - height), iz / height


@pytest.mark.representatives(id="euler-nonlinear-4-3.0-0.0001-0.0")
@pytest.mark.parametrize(
    ("kind", "elements", "order", "last", "more"),
    [
        ("euler-chord", 8, 2.0, 8e-3, 0.0),
        ("euler-tangent", 8, 2.5, 6e-2, 0.0),
        ("euler-nonlinear", 4, 3.0, 1e-4, 0.0),
        ("omar", 8, 3.5, 4e-3, 3.0),
        ("dufva", 2, 3.0, 1e-4, 2.4),
    ],
)
def test_quarter_circle(kind: str, elements: int, order: float, last: float, more: float) -> None:
    """Height/radius 1/20. The order is taken where neither locking nor the load rules the error."""
    coarse, fine = (np.abs(errors(kind, n, 0.05, more)[1]) for n in (elements, 2 * elements))
    assert np.log2(coarse / fine) > order
    assert np.abs(errors(kind, 16, 0.05, more)).max() < last


class Subtracting(Dufva):
    """Dufva's element with the law of a straight one: what a reference of its own is for."""

    name = "subtracting"
    curved_stresses = BeamElement.curved_stresses


def thick(kind: Any, elements: int, height: float, moment: bool) -> float:
    """Return how much a quarter of a ring gives way, relative to E I and a thin ring of radius 1.

    A moment turns its end by M pi/2/EI, a force against x moves it by P pi/4/EI.
    """
    section = rectangle(height, height)
    mesh = Mesh(kind, elements, pi / 2, section, material(YOUNG, 1000.0), angle=pi / 2)
    load, free = np.zeros(mesh.straight.size), slice(mesh.size, None)
    # What turns with the section: r_y = (-1, 0) in the plane, r_z = (1, 0) in space, or the
    # tangent r_x = (0, 1). A moment on r_x alone would shear elements that can be sheared.
    names = [block.name for block in mesh.strain.kinds[0].blocks]
    across = ("ry2", (0, -1)) if mesh.axes == 2 else ("rz2", (0, 1))
    vector, turned = across if across[0] in names else ("rx2", (-1, 0))
    place = mesh.axes * (names.index(vector) - len(names)) if moment else -mesh.size
    at = slice(load.size + place, load.size + place + 2)
    load[at] = turned if moment else (-1, 0)
    _, stiffness = mesh.assembled(mesh.straight)
    change = np.zeros_like(load)
    change[free] = np.linalg.solve(stiffness[free, free], load[free])
    thin = pi / (2 if moment else 4) / YOUNG / section.iz
    return float(load @ change / thin)


@pytest.mark.representatives(
    id=[
        "euler-nonlinear-16-0.0-0-0.2",
        "euler-nonlinear-16-0.0-0-0.05",
        "euler-chord-128-0.0-2-0.05",
        "cable-16-0.0-0-0.05",
        "dufva-16-2.4-0-0.2",
        "dufva-16-2.4-0-0.05",
    ]
)
@pytest.mark.parametrize("height", [1 / 5, 1 / 20])
@pytest.mark.parametrize(
    ("kind", "elements", "shear", "slow"),
    [
        ("euler-nonlinear", 16, 0.0, 0),
        ("euler-chord", 128, 0.0, 2),
        ("cable", 16, 0.0, 0),
        ("dufva", 16, 2.4, 0),
        pytest.param("dufva-3d", 16, 2.4, 0, marks=pytest.mark.slow),
    ],
)
def test_thick_rings(kind: str, elements: int, shear: float, slow: int, height: float) -> None:
    """Winkler's curved beam, to 4 % of what makes it differ from a straight one: R/h 5 and 20.

    A moment M also stretches the midline by M/EAR; E/kG is 2.4. `slow` elements are of second
    order, the others far below the tolerance.
    """
    bent, stretched = winkler(height)
    tolerance = 0.04 * stretched + slow / elements**2
    found = thick(kind, elements, height, moment=True)
    assert found == pytest.approx(bent + stretched, abs=tolerance)
    found = thick(kind, elements, height, moment=False)
    assert found == pytest.approx(bent + shear * stretched, abs=tolerance)


def test_reference_against_subtracting() -> None:
    """The law of a straight beam is wrong by (h/R)^2: 40 times as much at R/h 5."""
    for moment in (True, False):
        bent, stretched = winkler(1 / 5)
        exact = bent + (1 if moment else 2.4) * stretched
        curved, straight = (
            abs(thick(kind, 32, 1 / 5, moment) - exact) for kind in ("dufva", Subtracting)
        )
        assert straight > 5e-3
        assert curved < straight / 40


@pytest.mark.parametrize(
    ("kind", "elements"),
    [("omar", 64), pytest.param("yakoub", 64, marks=pytest.mark.slow)],
)
def test_thick_rings_of_continua(kind: str, elements: int) -> None:
    """Sections that stretch as a whole give way by I/AR^2 once more (no Poisson's ratio).

    A section that can do as it likes gives way by 1.34e-3 more than a thin one (elasticity).
    """
    bent, stretched = winkler(1 / 5)
    found = thick(kind, elements, 1 / 5, moment=True)
    assert found == pytest.approx(bent + 2 * stretched, abs=0.03 * stretched)
    assert abs(found - (1 + 1.34e-3)) < 8e-4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "elements"), [("exact", 24), ("dufva", 16), ("euler-nonlinear", 16)]
)
def test_stresses_of_a_thick_ring(kind: str, elements: int) -> None:
    """Under a moment: -M y/(J (1 - y/R)) + M/(A R), and no axial force."""
    height, section = 0.2, rectangle(0.2, 0.1)
    moment = 1e-6 * YOUNG * section.iz
    m = Model("ring", gravity=(0, 0, 0))
    line = [(np.sin(x), 1 - np.cos(x)) for x in np.linspace(0, pi / 2, 33)]
    ring = m.beam("ring", line, section, material(YOUNG, 1000.0), elements=elements, kind=kind)
    m.fixed("clamp", m.ground.at(0, 0, 0), ring.start)
    m.torque("load", ring.end, torque=(0, 0, moment))
    s = (0.5 + 0.5 / elements) * ring.length  # the middle of an element
    for name, y in (("inner", height / 2), ("outer", -height / 2)):
        m.output(name, ring.measure("stress", s, y=y))
    m.output("force", ring.measure("axial_force", s))
    m.output("moment", ring.measure("moment", s))
    found = statics(load(m, layout="loop")).outputs
    bent, _ = winkler(height)
    for name, y in (("inner", height / 2), ("outer", -height / 2)):
        stress = moment / section.area - moment * y * bent / section.iz / (1 - y)
        assert found[name] == pytest.approx(stress, rel=4e-3)
    assert found["moment"] == pytest.approx(moment, rel=4e-3)
    assert abs(found["force"]) < 1e-2 * moment


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "elements"), [("dufva-3d", 8), ("exact-3d", 16)])
def test_quarter_circle_in_space(kind: str, elements: int) -> None:
    """Across its plane P R^3 (pi/(4 EI) + (3 pi/4 - 2)/GJ): it bends and twists."""
    section, rubber = rectangle(0.02, 0.02), material(YOUNG, 1000.0, poisson=0.25)
    force = SMALL * YOUNG * section.iz
    m = Model("quarter", gravity=(0, 0, 0))
    angles = np.linspace(0, pi / 2, 33)
    line = [(np.sin(x), 1 - np.cos(x), 0) for x in angles]
    beam = m.beam("ring", line, section, rubber, elements=elements, kind=kind, across=(0, 0, 1))
    m.fixed("clamp", m.ground.at(0, 0, 0), beam.start)
    m.force("load", beam.end, force=(-force, 0, force))
    m.output("tip", beam.end)
    found = statics(load(m, layout="loop")).outputs
    stiff = YOUNG * section.iz / (rubber.shear * section.torsion)
    moved = np.array([found["tip.x"] - 1, found["tip.z"]]) / SMALL
    np.testing.assert_allclose(moved, [-pi / 4, pi / 4 + (3 * pi / 4 - 2) * stiff], rtol=5e-3)


def parameter_of(span: float, length: float) -> float:
    """Return a of the catenary y = a cosh(x/a) between points of equal height."""
    found: float = brentq(lambda a: 2 * a * np.sinh(span / 2 / a) - length, 0.5, 50)
    return found


@pytest.mark.slow
def test_catenary() -> None:
    """Thin ropes hang as a catenary of their length; bending lifts by the square of the height."""
    span = 6.0
    lifted = []
    for height in (0.02, 0.01):
        model = read("catenary_beam", {"height": height, "elements": 16})
        found = statics(load(model, layout="loop"))
        assert found.stability == "stable"
        assert found.outputs["middle.x"] == pytest.approx(span / 2, abs=1e-9)
        length = sum(body.motion.length for body in model.bodies.values())
        a = parameter_of(span, length)
        depth = a * (np.cosh(span / 2 / a) - 1)
        lifted.append(1 + found.outputs["middle.y"] / depth)
    assert lifted[1] < 2e-3
    assert lifted[0] / lifted[1] == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize(
    ("kind", "count", "instead"),
    [("omar", 16, "dufva"), ("euler-tangent", 36, "euler-nonlinear"), ("dufva", 0, "")],
)
def test_warning_of_locking(
    kind: str, count: int, instead: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It says how many elements would do, and with these there is none."""
    arc = [(np.sin(x), 1 - np.cos(x)) for x in np.linspace(0, pi / 2, 33)]

    def said(elements: int) -> str:
        caplog.clear()
        section, rubber = rectangle(0.02, 0.03), material(YOUNG, 1000.0)
        Model("ring").beam("hook", arc, section, rubber, elements=elements, kind=kind)
        return caplog.text

    if not count:
        assert not said(2)
        return
    assert f"Take {count} elements or more, or the kind '{instead}'" in said(8)
    assert not said(count)
