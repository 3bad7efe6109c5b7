"""Random mechanisms: trees of random joints on random bodies, some closed to a loop."""

import numpy as np

from mbdgen import Model
from mbdgen.language.body import Body
from mbdgen.language.orientation import quaternion

SPATIAL = (
    *("revolute", "spherical", "cylindrical", "prismatic", "universal", "fixed", "planar"),
    *("point_on_line", "common_point", "common_vector", ""),
)
PLANAR = ("revolute", "prismatic", "fixed", "")
WITH_AXIS = ("revolute", "cylindrical", "prismatic", "planar", "point_on_line", "common_vector")


def mechanism(seed: int) -> Model:
    """One to three bodies; every third seed gives a planar mechanism."""
    rng = np.random.default_rng(seed)
    planar = seed % 3 == 0
    gravity = (0.0, -9.81, 0.0) if planar else tuple(map(float, 5 * rng.normal(size=3)))
    m = Model(f"random_{seed}", gravity=gravity, coordinates="planar" if planar else "quaternion")
    bodies: list[Body] = []
    for i in range(int(rng.integers(1, 4))):
        body = _body(m, i, planar, rng)
        near = i == 0 or rng.random() < 0.3
        parent = m.ground if near else bodies[int(rng.integers(len(bodies)))]
        _joint(m, i, parent, body, planar, rng)
        bodies.append(body)
    if len(bodies) > 1 and rng.random() < 0.6:
        m.distance("loop", bodies[0].at(0.1, 0, 0), bodies[-1].at(0, 0.2, 0))
    if rng.random() < 0.5:
        ends = m.ground.at(1, 2, 0), bodies[-1].at(0.1, 0, 0)
        m.spring("spring", *ends, stiffness=3.0, length=1.0, damping=0.2)
    m.output("end", bodies[-1].at())
    return m


def _body(m: Model, i: int, planar: bool, rng: np.random.Generator) -> Body:
    mass = 1 + rng.random()
    if planar:
        place = tuple(map(float, rng.normal(size=2)))
        return m.body(f"body{i}", mass, 0.1 + rng.random(), position=place, angle=rng.normal())
    four = rng.normal(size=4)
    turned = quaternion(*map(float, four / np.linalg.norm(four)))
    inertia = tuple(map(float, 0.5 + 0.3 * rng.random(3)))
    place = tuple(map(float, rng.normal(size=3)))
    return m.body(f"body{i}", mass, inertia, position=place, orientation=turned)


def _joint(
    m: Model, i: int, parent: Body, body: Body, planar: bool, rng: np.random.Generator
) -> None:
    """Join in either order: a joint's equations treat its two ends differently."""
    kinds = PLANAR if planar else SPATIAL
    kind = kinds[int(rng.integers(len(kinds)))]
    ends = (parent, body) if rng.random() < 0.5 else (body, parent)
    at, axis = rng.normal(size=3), rng.normal(size=3)
    if planar:
        at[2] = axis[2] = 0.0
        axis = np.array([0.0, 0.0, 1.0]) if kind == "revolute" else axis
    if not kind:
        return
    options = {} if kind == "common_vector" else {"at": tuple(map(float, at))}
    if kind in WITH_AXIS:
        options["axis"] = tuple(map(float, axis))
    if kind == "universal":
        other = np.cross(axis, rng.normal(size=3))
        options |= {"axis_a": tuple(map(float, axis)), "axis_b": tuple(map(float, other))}
    getattr(m, kind)(f"joint{i}", *ends, **options)
