"""A crank that drives k rods with sliders, in natural coordinates: points and unit vectors.

The crank has its pin B, a vector across and an angle (7 coordinates, 9 equations); every rod has
its end C on the slider and the vectors u and w (9 coordinates, 10 equations); B belongs to all of
them. Published inertias, which violate the triangle inequality, are used as they are.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

import numpy as np

from mbdgen import Model
from mbdgen.bodies.base import BodyKind
from mbdgen.forces.base import Force
from mbdgen.geometry.functions import cos as cosine
from mbdgen.geometry.functions import sin as sine
from mbdgen.geometry.symbolic_vectors import Vec
from mbdgen.joints.base import Joint

TILT = pi / 6
ARM = (-sin(TILT), cos(TILT), 0.0)
AXIS = (cos(TILT), sin(TILT), 0.0)


class Turn(BodyKind):
    """An angle about z: a body without extension that turns at the origin."""

    name = "turn"
    coordinates = ("theta",)
    rows = ("moment z",)
    parameters = ("I",)
    planar = True

    def columns(self, motion):
        return (motion.inertia[2][2],)

    def initial(self, motion):
        return (motion.plane_angle(),), (motion.angular_velocity[2],)

    def origin(self, body):
        return Vec(0, 0, 0)

    def axes(self, body):
        c, s = cosine(body.q[0]), sine(body.q[0])
        return Vec(c, s, 0), Vec(-s, c, 0), Vec(0, 0, 1)

    def angular_velocity(self, body):
        return Vec(0, 0, body.v[0])

    def generalised_force(self, body, loads, torque):
        return [torque[2] + sum(load.arm.cross(load.value)[2] for load in loads)]

    def inertia(self, body, p):
        return [p[0] * body.a[0]]

    def kinetic_energy(self, body, p):
        return p[0] * body.v[0] ** 2 / 2

    def centre_of_mass(self, p):
        return Vec(0, 0, 0)

    def mass(self, p):
        return 0

    def variables(self, body):
        return {"angle": body.q[0], "angle_rate": body.v[0]}


@dataclass(frozen=True)
class CrankPoints(Joint):
    """The pin and the vector across turn with an angle about e3 of the bearing."""

    name = "crank_points"
    ends = ("bearing", "pin", "across", "turn")
    radius: Any = 2.0

    def equations(self, *frames):
        bearing, pin, across, turn = frames
        r, v, length, axis = pin.r - bearing.r, across.r, self.radius, bearing.e3
        c, s = turn.e1[0], turn.e1[1]
        return [
            r.dot(bearing.e1) - length * c, *(bearing.e1.cross(r) - axis * (length * s)),
            v.dot(v) - 1, v.dot(axis), r.dot(v), r.dot(r) - length**2, r.dot(axis),
        ]  # fmt: skip


@dataclass(frozen=True)
class RodPoints(Joint):
    """A rod from the pin to a point on the guide's line e1, with u normal to its e3, and w."""

    name = "rod_points"
    ends = ("guide", "pin", "end", "u", "w")
    length: Any = 6.0

    def equations(self, *frames):
        guide, pin, end, *across = frames
        d, u, w = end.r - pin.r, across[0].r, across[1].r
        return [
            *(end.r - guide.r).cross(guide.e1), d.dot(d) - self.length**2, u.dot(guide.e3),
            u.dot(d), u.dot(u) - 1, w.dot(d), w.dot(u), w.dot(w) - 1,
        ]  # fmt: skip


@dataclass(frozen=True)
class Inertia(Force):
    """Rigid body with points i and j and a vector w (others along its principal axes)."""

    name = "inertia_of_points"
    ends = ("i", "j", "u", "w")
    m_ii: Any = 0.0
    m_ij: Any = 0.0
    m_jj: Any = 0.0
    m_uu: Any = 0.0
    m_ww: Any = 0.0
    weight_i: Any = 0.0
    weight_j: Any = 0.0

    def kinetic_energy(self, *frames):
        i, j, u, w = frames
        of_points = self.m_ii * i.v.dot(i.v) + 2 * self.m_ij * i.v.dot(j.v)
        of_vectors = self.m_uu * u.v.dot(u.v) + self.m_ww * w.v.dot(w.v)
        return (of_points + self.m_jj * j.v.dot(j.v) + of_vectors) / 2

    def potential(self, *frames):
        i, j, _, _ = frames
        return self.weight_i * i.r[2] + self.weight_j * j.r[2]


def constants(mass, moments, length, g):
    """Mass matrix ``S (x) 1`` of a bar along its first axis, centre in the middle."""
    ix, iy, iz = moments
    far = mass / 4 + (iy + iz - ix) / 2 / length**2
    return {
        "m_ii": far, "m_ij": mass / 2 - far, "m_jj": far, "m_uu": (ix + iz - iy) / 2,
        "m_ww": (ix + iy - iz) / 2, "weight_i": mass * g / 2, "weight_j": mass * g / 2,
    }  # fmt: skip


def model(k=1, g=9.81, theta=0.0, speed=0.0):
    """Return the model.

    Parameters
    ----------
    k : int
        Number of rods, and of sliders.
    g : float
        Gravity along -z.
    theta, speed : float
        Initial angle of the crank, and its rate.
    """
    if not isinstance(k, int) or k < 1:
        raise ValueError(f"k is {k!r}; give a whole number of rods, 1 or more")
    mech = Model("point_dyads", gravity=(0, 0, -g))
    axis, arm = np.array(AXIS), np.array(ARM)
    radial = cos(theta) * arm + sin(theta) * np.array([0, 0, 1])
    pin, across = 2 * radial, np.cross(axis, radial)
    bearing = mech.ground.at(axis=AXIS, reference=ARM)
    point: dict[str, Any] = {"coordinates": "point"}
    turn = mech.body("turn", 0, 0, coordinates=Turn, angle=theta, angular_velocity=speed)
    at_pin = mech.body("B", 0, **point, position=pin, velocity=2 * speed * across)
    v2 = mech.body("across", 0, **point, position=across, velocity=-speed * radial)
    mech.add("crank", CrankPoints, bearing, at_pin.at(), v2.at(), turn.at())
    ground = mech.ground.at()
    of_crank = constants(1.0, (0.05, 0.0098, 0.008), 2.0, g)
    # The bearing's axis does not move: of the crank's vectors only the one across has inertia.
    of_crank |= {"m_ww": 0.0}
    mech.add("crank_inertia", Inertia, ground, at_pin.at(), v2.at(), v2.at(), **of_crank)
    of_rod = constants(3.0, (0.002, 0.0012, 0.0234), 6.0, g)
    x = pin[0] + (32 + pin[0] ** 2) ** 0.5
    rate = (pin * 2 * speed * across) @ [0, 1, 1] / -(x - pin[0]) + 2 * speed * across[0]
    end, end_rate = np.array([x, 0, 0]), np.array([rate, 0, 0])
    d, d_rate = end - pin, end_rate - 2 * speed * across
    level = np.cross([0, 0, 1], d)
    u = level / np.linalg.norm(level)
    u_rate = np.cross([0, 0, 1], d_rate)
    u_rate = (u_rate - u * (u @ u_rate)) / np.linalg.norm(level)
    w, w_rate = np.cross(d, u) / 6, (np.cross(d_rate, u) + np.cross(d, u_rate)) / 6
    for i in range(k):
        slider = mech.body(f"C{i}", 1.0, **point, position=end, velocity=end_rate)
        ends = [at_pin.at(), slider.at()]
        for name, at, at_rate in (("u", u, u_rate), ("w", w, w_rate)):
            ends.append(mech.body(f"{name}{i}", 0, **point, position=at, velocity=at_rate).at())
        mech.add(f"rod{i}", RodPoints, mech.ground.at(), *ends)
        mech.add(f"inertia{i}", Inertia, *ends, **of_rod)
    mech.output("angle", turn.angle)
    mech.output("rate", turn.angle_rate)
    mech.output("slider", mech.bodies["C0"].at())
    return mech
