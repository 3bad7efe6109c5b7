"""Joints between sections of beams and bodies of every kind, in states far from straight.

Sections are frames like any others, so the derivatives are those of `test_joints`: here they are
checked where the frame depends on slopes, at a node and between two.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, circle, material, rectangle
from mbdgen.language.bodies.body import Body
from mbdgen.language.markers.marker import Marker
from mbdgen.language.registry import beam_kinds
from tests.unit.kernels.element import (
    ElementCase,
    check_derivatives,
    check_power,
    check_rank,
    check_reactions,
)
from tests.unit.kernels.scenes import JOINTS, make_body, make_marker
from tests.unit.kernels.test_joint_kernels import attach

KINDS = sorted(beam_kinds())
SECTIONS = {"cable": circle(0.1)}
"""Of kinds that do not know how they are turned."""
PLACES = {"node": 0.0, "between": 0.31}
BESIDES = ("ground", "quaternion", "planar", "natural", "natural-1p3v", "gibbs", "beam")
STUDIED, IN_SPACE = "euler-nonlinear", "yakoub"
FEW = ("revolute", "fixed", "cylindrical", "universal")
"""Joints that are tried with more bodies than the ground by default."""
OTHERS = ("natural-1p3v", "gibbs", "planar")


def beam_marker(model: Model, name: str, kind: str, rng: Any, where: str) -> Marker:
    """A frame on a beam of one element, its e3 in general or normal to the plane."""
    planar = beam_kinds()[kind].planar
    ends = rng.uniform(-1, 1, (2, 3))
    if planar:
        ends[:, 2] = 0
    beam = model.beam(
        name, ends, SECTIONS.get(kind, rectangle(0.1, 0.2)), material(young=2e3, density=3.0),
        elements=1, kind=kind,
    )  # fmt: skip
    at = PLACES[where] * beam.length
    y, z = (0.0, 0.0) if where == "node" else (0.03, 0.0 if planar else 0.02)
    axis = (0, 0, 1) if planar else rng.uniform(-1, 1, 3)
    across = rng.uniform(-1, 1, 3) * ((1, 1, 0) if planar else (1, 1, 1))
    on = beam.at(at, y, z)
    return on.body.at(*on.point, axis=axis, reference=across)


def other_marker(model: Model, other: str, kind: str, rng: Any) -> Marker:
    if other == "beam":
        return beam_marker(model, "other", kind, rng, "node")
    planar = beam_kinds()[kind].planar
    body: Body = make_body(model, "body", other, rng)
    return make_marker(body, rng, planar or other in ("planar", "natural"), "normal")


def chosen() -> list[Any]:
    """Joint, element, body beside it and place: all of one element, some of the others."""
    found = []
    for kind, name, where, other in product(KINDS, JOINTS, PLACES, BESIDES):
        if name == "rolling_disc" and beam_kinds()[kind].planar:
            continue  # does not lie flat
        by_ground, few = (where, other) == ("node", "ground"), name in FEW
        if kind == STUDIED and (by_ground or (few and other not in OTHERS)):
            found.append(pytest.param(name, kind, other, where))
        elif kind == STUDIED or (kind == IN_SPACE and by_ground) or (few and other == "quaternion"):
            found.append(pytest.param(name, kind, other, where, marks=pytest.mark.slow))
    return found


@pytest.mark.representatives("name")
@pytest.mark.parametrize(("name", "kind", "other", "where"), chosen())
def test_joint_on_a_beam(name: str, kind: str, other: str, where: str) -> None:
    rng = np.random.default_rng([3, *map(ord, name + other)])
    model = Model("beam", gravity=(0.3, -9.81, 0.0))
    markers = beam_marker(model, "beam", kind, rng, where), other_marker(model, other, kind, rng)
    attach(model, name, *markers)
    e = ElementCase(model, "joint")
    check_derivatives(e, e.random_state(rng))
    check_reactions(e, e.proper_state(rng))
    check_power(e, e.proper_state(rng))
    if name != "constant_velocity":  # singular where shafts point against each other
        check_rank(e, e.proper_state(rng))
