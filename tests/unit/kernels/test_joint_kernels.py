"""Every joint between every ordered pair of body kinds, at random states."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model
from mbdgen.errors import ModelError
from tests.unit.kernels.element import (
    ElementCase,
    check_derivatives,
    check_power,
    check_rank,
    check_reactions,
)
from tests.unit.kernels.scenes import (
    JOINT_CLASSES,
    JOINTS,
    PAIRS,
    POINT_ENDS,
    USUAL_PAIRS,
    in_plane,
    legal,
    needed,
    scene,
)

# These have no axes, or take the global ones at the start.
AXES_UNUSED = ("common_point", "spherical", "distance", "fixed", "rolling_point")


def attach(model: Model, name: str, first: Any, second: Any) -> None:
    """Add the joint with its fields, drivers with a function of time and of a parameter."""
    fields: dict[str, Any] = {}
    if name == "rotation_driver":
        speed = model.parameter("speed", 1.7)
        fields = {"angle": 0.3 + speed * model.t + 0.5 * model.t**3}
    if name == "translation_driver":
        speed = model.parameter("speed", 1.7)
        fields = {"distance": 0.3 + speed * model.t**2}
    if name == "cam_follower":
        fields = {"radius": 0.1}
    if name == "screw":
        fields = {"lead": 0.8}  # a fine thread magnifies the rounding of any position
    joint = JOINT_CLASSES[name]
    fields |= needed(model, joint, "joint", first, second)
    model.add("joint", joint, *(first, second)[: len(joint.ends)], **fields)


FIRST_PAIRS = (("planar", "natural"), ("natural", "quaternion"))
"""Where each joint is seen by default: in the plane, and out of it."""
STUDIED_FIRST = ("revolute", "distance")
"""Joints that the default run sees with each studied body at each end, along both axes."""


def variants() -> list[Any]:
    """Joint, kinds and direction of its axis; in the plane both legal directions are tried.

    By default each joint in the plane and out of it, with one axis, and two joints between more
    pairs; a thread, that takes twenty seconds in space, only in the plane.
    """
    found = []
    for name in JOINTS:
        for kinds in PAIRS:
            if legal(name, kinds):
                axes = ("normal", "in plane") if in_plane(kinds) else ("normal",)
                if name == "rolling_disc":  # does not lie flat
                    axes = axes[-1:]
                for axis in axes:
                    seen = axis == axes[0] or name in STUDIED_FIRST
                    marks = [] if seen and is_short(name, kinds) else [pytest.mark.slow]
                    found.append(pytest.param(name, kinds, axis, marks=marks))
    return found


def is_short(name: str, kinds: tuple[str, str]) -> bool:
    """Whether the default run does it; others of its kind are in the slow tests."""
    if name == "screw":
        return kinds == ("planar", "planar")
    # Joints see frames only, so few of them are enough for body kinds that nobody studies here.
    return kinds in (USUAL_PAIRS if name in STUDIED_FIRST else FIRST_PAIRS)


def case_id(case: Any) -> str | None:
    return "-".join(case) if isinstance(case, tuple) else None


@pytest.mark.parametrize(("name", "kinds", "axis"), variants(), ids=case_id)
def test_joint(name: str, kinds: tuple[str, str], axis: str) -> None:
    model, first, second = scene(kinds, axis)
    attach(model, name, first, second)
    e = ElementCase(model, "joint")
    rng = np.random.default_rng(7)
    check_derivatives(e, e.random_state(rng))
    check_reactions(e, e.proper_state(rng))
    check_power(e, e.proper_state(rng))
    # Shafts normal to a plane may point against each other: a bend of pi, which is singular.
    if name != "constant_velocity" or axis == "in plane" or not in_plane(kinds):
        check_rank(e, e.proper_state(rng))


ILLEGAL = [(n, k) for n in JOINTS for k in PAIRS if not legal(n, k)]


@pytest.mark.parametrize(("name", "kinds"), ILLEGAL, ids=case_id)
def test_point_mass_has_no_axes(name: str, kinds: tuple[str, str]) -> None:
    model, first, second = scene(kinds)
    attach(model, name, first, second)
    with pytest.raises(ModelError, match=r"joint.*point mass"):
        ElementCase(model, "joint")


@pytest.mark.parametrize("kind", ["planar", "natural"])
@pytest.mark.parametrize("name", [n for n in JOINTS if n not in AXES_UNUSED])
def test_axis_out_of_the_plane_is_refused(name: str, kind: str) -> None:
    model, _, second = scene((kind, "quaternion"))
    body = model.bodies["body0"]
    with pytest.raises(ModelError, match=r"body0.*neither in its plane nor normal"):
        attach(model, name, body.at(0, 0, 0, axis=(0.3, 0, 1)), second)
        ElementCase(model, "joint")


@pytest.mark.parametrize("name", ["spherical", "revolute", "fixed", "planar", "cylindrical"])
def test_planar_bodies_with_a_gap_along_z_are_refused(name: str, tmp_path: Any) -> None:
    from mbdgen import build

    model, _, _ = scene(("planar", "natural"))
    one, two = model.bodies.values()
    axis = (1, 0, 0) if name == "cylindrical" else (0, 0, 1)
    attach(model, name, one.at(0.1, 0, 0.2, axis=axis), two.at(0, 0, 0, axis=axis))
    with pytest.raises(ModelError, match=r"'joint' can never close.*gap of 0\.2"):
        build(model, tmp_path)


def test_every_joint_is_known_here() -> None:
    assert set(POINT_ENDS) <= set(JOINTS)
    assert len(JOINTS) >= 13


def test_driver_that_no_planar_body_can_follow(tmp_path: Any) -> None:
    from mbdgen import build

    model = Model("one")
    disc = model.planar_body("disc", 1, 1)
    axis = (0, 0, 1)
    model.translation_driver("lift", model.ground, disc, axis=axis, distance=0.7 * model.t)
    with pytest.raises(ModelError, match=r"'lift' can never close"):
        build(model, tmp_path)
