"""Two bodies of chosen kinds in general position, and markers on them that are legal."""

from typing import Any

import numpy as np

from mbdgen import Model
from mbdgen.language.body import Body
from mbdgen.language.marker import Marker

KINDS = ("quaternion", "planar", "natural", "point")
PLANAR = ("planar", "natural")
ENDS = ("ground", *KINDS)
PAIRS = tuple((a, b) for a in ENDS for b in ENDS if (a, b) != ("ground", "ground"))


def in_plane(kinds: tuple[str, ...]) -> bool:
    """Whether some end has to respect a plane."""
    return any(k in PLANAR for k in kinds)


def make_body(model: Model, name: str, kind: str, rng: np.random.Generator) -> Body:
    """A body of that kind with everything that can be different from zero."""
    x, y, z = rng.uniform(-1, 1, 3)
    if kind == "ground":
        return model.ground
    if kind == "point":
        return model.point_mass(name, 0.8, position=(x, y, z))
    if kind in PLANAR:
        return model.body(
            name,
            mass=1.3,
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
        mass=1.3,
        inertia=((0.5, 0.03, -0.02), (0.03, 0.4, 0.05), (-0.02, 0.05, 0.3)),
        position=(x, y, z),
        orientation=q / np.linalg.norm(q),
        velocity=rng.uniform(-1, 1, 3),
        angular_velocity=rng.uniform(-1, 1, 3),
        centre_of_mass=(0.2, -0.1, 0.15),
    )


def make_marker(
    body: Body, rng: np.random.Generator, plane: bool, axis: str, reference_z: bool = False
) -> Marker:
    """A marker anywhere on a body, its e3 in general, along z, or somewhere in the plane."""
    kind = "ground" if body.kind is None else body.kind.name
    if kind == "point":
        return body.at()
    x, y, z = rng.uniform(-0.5, 0.5, 3)
    if plane and kind != "quaternion":
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
