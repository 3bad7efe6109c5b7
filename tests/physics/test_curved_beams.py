"""A quarter of a circle, clamped at one end, with a force at the other: Castigliano's theorem."""

from math import pi

import numpy as np
import pytest
from scipy.optimize import brentq

from mbdgen import Model, load, material, rectangle, statics
from mbdgen.language.read import read
from tests.beam_mesh import Array, Mesh

YOUNG = 1e9
SMALL = 1e-4
"""Displacement in radii: what is left of its square is below the tolerances."""


def errors(kind: str, elements: int, height: float) -> Array:
    """Return the relative errors of both displacements under a force against x.

    The radius is 1. Of a thin ring, P R^3/EI times pi/4 against x and 1/2 along y.
    """
    section = rectangle(height, 0.03)
    mesh = Mesh(kind, elements, pi / 2, section, material(YOUNG, 1000.0), angle=pi / 2)
    moved = mesh.loaded(SMALL * YOUNG * section.iz, axis=0) - mesh.straight
    found: Array = moved[-mesh.size :][:2] / SMALL / (-pi / 4, 1 / 2) - 1
    return found


@pytest.mark.parametrize(
    ("kind", "elements", "order", "last"),
    [
        ("euler-chord", 8, 3.5, 3e-3),
        ("euler-tangent", 8, 3.0, 5e-2),
        ("euler-nonlinear", 4, 3.5, 2e-4),
        ("omar", 8, 3.5, 4e-3),
        ("dufva", 2, 3.5, 3e-3),
    ],
)
def test_quarter_circle(kind: str, elements: int, order: float, last: float) -> None:
    """Height/radius 1/20. The order is taken where neither locking nor thickness rules the error.

    What `dufva` and `omar` are left with is shear and what a thick ring has besides.
    """
    coarse, fine = (np.abs(errors(kind, n, 0.05)[1]) for n in (elements, 2 * elements))
    assert np.log2(coarse / fine) > order
    assert np.abs(errors(kind, 16, 0.05)).max() < last


def test_what_is_neglected_in_thick_rings() -> None:
    """It falls with the square of height/radius: 0.8 % at 1/10 and 0.2 % at 1/20."""
    thick, thin = (errors("dufva", 16, h)[0] for h in (0.1, 0.05))
    assert thick == pytest.approx(8e-3, rel=0.05)
    assert thick / thin == pytest.approx(4, rel=0.05)


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
