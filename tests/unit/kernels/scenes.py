"""Two bodies of chosen kinds in general position, markers on them that are legal, and joints."""

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from mbdgen import Model
from mbdgen.joints.base import Joint
from mbdgen.language.attached import Attached
from mbdgen.language.bodies.body import Body
from mbdgen.language.element import Element
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.markers.marker import Marker
from mbdgen.language.registry import body_kinds, classes

# Kinds whose kinematics tests write down by hand. Any other one that lies in the folder is tested
# by what needs none: derivatives, energies, reactions; with the ground and with a spatial body.
STUDIED = ("quaternion", "planar", "natural", "point")
# Bodies made of orientation sets share everything but R(o), which tests differentiate by complex
# steps. Of Euler angles, one of each sort; joints see frames only, so two sets are enough there.
SETS = tuple(
    k
    for k in sorted(body_kinds())
    if hasattr(body_kinds()[k], "orientation")
    and (not k.startswith("euler") or k in ("euler-zxz", "euler-xyz"))
)
# No bodies but numbers: joints own them, nothing else is attached to them.
NUMBERS = ("auxiliary",)
# Nor these: states without mass or energy, which contacts own.
STATES = ("state",)
OTHERS = tuple(
    k
    for k in sorted(body_kinds())
    if k not in (*STUDIED, *NUMBERS, *STATES) and not hasattr(body_kinds()[k], "orientation")
)
KINDS = (*STUDIED, *OTHERS, *SETS, *NUMBERS)
PLANAR = tuple(k for k in KINDS if body_kinds()[k].planar)
POINTS = tuple(k for k in KINDS if not body_kinds()[k].turns)
ENDS = ("ground", *STUDIED)
PAIRS = (
    *((a, b) for a in ENDS for b in ENDS if (a, b) != ("ground", "ground")),
    *((a, b) for k in OTHERS for a, b in (("ground", k), (k, "quaternion"))),
    ("ground", "euler-zxz"),
    ("gibbs", "quaternion"),
)
USUAL_PAIRS = [
    ("ground", "planar"),
    ("planar", "natural"),
    ("natural", "quaternion"),
    ("quaternion", "ground"),
    ("point", "quaternion"),
]
"""Each studied kind at each end: enough by default for laws that see frames only."""
JOINT_CLASSES = classes("mbdgen.joints", Joint)
JOINTS = sorted(JOINT_CLASSES)
VELOCITY = tuple(
    name
    for name, joint in sorted(JOINT_CLASSES.items())
    if joint.velocity_equations is not Joint.velocity_equations
)
HOLONOMIC = tuple(name for name in JOINTS if name not in VELOCITY)
# Which ends a joint uses as points only: there a point mass is legal.
POINT_ENDS = {
    "common_point": (0, 1),
    "spherical": (0, 1),
    "distance": (0, 1),
    "point_in_plane": (1,),
    "point_on_line": (1,),
    "point_on_curve": (1,),
    "pin_in_slot": (1,),
    "cam_follower": (1,),
    "relative_translation": (1,),
    "translation_driver": (1,),
    "knife_edge": (0,),
    "rolling_point": (0,),
}


# Axes of both ends that are normal to each other.
CROSSED = ("universal", "flat_follower")


def needed(model: Model, element: type[Element], label: str, *ends: Any, **placing: Any) -> Any:
    """Fields that an element cannot be without.

    A curve passes through the point of a along its e1. An expression is a measure of a cylindrical
    pair between the ends, that begins at zero if they are placed together.
    """
    found: dict[str, Any] = {}
    wanted = [f.name for f in fields(element) if f.default is MISSING]
    if wanted:
        pair = model.cylindrical(f"{label}_pair", *ends, **placing)
        found = dict(zip(wanted, (pair.angle, pair.displacement), strict=False))
    for f in fields(element):
        if isinstance(f.default, Function):
            found[f.name] = lambda s, n=f.default.size: (s, s**2, 0 * s)[:n]
    return found


def legal(name: str, kinds: tuple[str, str]) -> bool:
    """Whether the joint can be attached to these kinds."""
    return all(kind not in POINTS or k in POINT_ENDS.get(name, ()) for k, kind in enumerate(kinds))


def in_plane(kinds: tuple[str, ...]) -> bool:
    """Whether some end has to respect a plane."""
    return any(k in PLANAR for k in kinds)


def make_body(
    model: Model, name: str, kind: str, rng: np.random.Generator, mass: Any = 1.3
) -> Body:
    """A body of that kind with everything that can be different from zero."""
    x, y, z = rng.uniform(-1, 1, 3)
    if kind == "ground":
        return model.ground
    if kind in POINTS:
        height = 0.0 if kind in PLANAR else z
        return model.body(name, 0.8, coordinates=kind, position=(x, y, height))
    if kind in PLANAR:
        return model.body(
            name,
            mass=mass,
            inertia=0.4,
            coordinates=kind,
            position=(x, y),
            angle=rng.uniform(-3, 3),
            velocity=rng.uniform(-1, 1, 2),
            angular_velocity=rng.uniform(-1, 1),
            centre_of_mass=(0.2, -0.1),
            length=0.7,
        )
    q = rng.normal(size=4)
    return model.body(
        name,
        mass=mass,
        inertia=((0.5, 0.03, -0.02), (0.03, 0.4, 0.05), (-0.02, 0.05, 0.3)),
        position=(x, y, z),
        orientation=q / np.linalg.norm(q),
        velocity=rng.uniform(-1, 1, 3),
        angular_velocity=rng.uniform(-1, 1, 3),
        centre_of_mass=(0.2, -0.1, 0.15),
        coordinates=kind,
    )


def make_marker(
    body: Body, rng: np.random.Generator, plane: bool, axis: str, reference_z: bool = False
) -> Marker:
    """A marker anywhere on a body, its e3 in general, along z, or somewhere in the plane."""
    kind = "ground" if body.kind is None else body.kind.name
    if kind in POINTS:
        return body.at()
    x, y, z = rng.uniform(-0.5, 0.5, 3)
    if plane and kind in ("ground", *PLANAR):
        along: Any = (0, 0, rng.choice([-1, 1]))
        across: Any = (*rng.uniform(-1, 1, 2), 0)
        if axis == "in plane":
            along, across = across, (0, 0, 1) if reference_z else (*rng.uniform(-1, 1, 2), 0)
        return body.at(x, y, 0, axis=along, reference=across)
    return body.at(x, y, z, axis=rng.uniform(-1, 1, 3), reference=rng.uniform(-1, 1, 3))


def scene(
    kinds: tuple[str, str], axis: str = "normal", seed: int = 1
) -> tuple[Model, Marker, Marker]:
    """A model with two bodies and a marker on each."""
    rng = np.random.default_rng([seed, len(axis), *map(ord, "".join(kinds))])
    model = Model("pair", gravity=(0.3, -9.81, 0.5))
    bodies = [make_body(model, f"body{k}", kind, rng) for k, kind in enumerate(kinds)]
    plane = in_plane(kinds)
    first = make_marker(bodies[0], rng, plane, axis, reference_z=True)
    second = make_marker(bodies[1], rng, plane, axis)
    return model, first, second


def join(
    model: Model, name: str, label: str, bodies: Sequence[Body], rng: np.random.Generator,
    across: bool = False, speed: Any = 0.7,
) -> Attached:  # fmt: skip
    """Close a joint at the initial position, wherever the bodies are.

    Parameters
    ----------
    across : bool
        Whether an axis that has to respect a plane lies in it instead of normal to it.
    speed : scalar
        Of drivers.
    """
    kinds = tuple("ground" if b.kind is None else b.kind.name for b in bodies)
    at, axis, other = rng.uniform(-1, 1, (3, 3))
    if in_plane(kinds):
        at[2], axis[:2] = 0, 0
        other = np.cross(axis, [1, 0.3, 0])
        if across or name == "translation_driver":
            axis, other = other, axis  # the second one is used by universal joints
            if name == "dot_product":
                other = axis + np.cross(axis, other)
    joint: Any = getattr(model, name)
    element = JOINT_CLASSES[name]
    points = [b for b in bodies if b.kind is not None and not b.kind.turns]
    if points:
        at = points[-1].motion.position
        ends = [b.at() if b in points else b.at(*at, axes="global", axis=axis) for b in bodies]
        if name == "distance":
            ends = [b.at() for b in bodies]
        options = {"distance": speed * model.t} if name == "translation_driver" else {}
        return joint(label, *ends, **options, **needed(model, element, label, *ends))
    options: dict[str, Any] = {} if name in ("distance", "dot_product") else {"at": at}
    if name == "distance":
        return joint(label, bodies[0].at(0.1, 0.2), bodies[1].at(0.3))
    if name in CROSSED:
        options |= {"axis_a": axis, "axis_b": np.cross(axis, other), "reference": other}
    elif name == "dot_product":
        options |= {"axis_a": axis, "axis_b": other}
    elif name not in ("fixed", "spherical", "common_point"):
        options["axis"] = axis
    if name == "rotation_driver":
        del options["at"]
        options["angle"] = speed * model.t
    if name == "translation_driver":
        options["distance"] = speed * model.t
    fields_of_it = needed(model, element, label, *bodies, at=at, axis=axis)
    if not element.ends:
        return joint(label, **fields_of_it)
    return joint(label, *bodies, **options, **fields_of_it)
