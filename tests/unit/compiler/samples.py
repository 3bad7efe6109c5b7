"""Models that use every joint and every force, with parameters in all places they may stand."""

import sympy

from mbdgen import Model
from mbdgen.language.read import read


def everything() -> Model:
    """Every body kind, joint and force, user expressions, drivers and many outputs."""
    m = Model("everything", gravity=(0.1, -9.81, 0.2))
    length, mass = m.parameter("length", 0.8), m.parameter("mass", 1.7)
    gain, speed = m.parameter("gain", 2.5), m.parameter("speed", 1.3)
    tensor = ((0.2, 0.03, 0), (0.03, 0.2, 0), (0, 0, mass * length**2 / 12))
    spatial = [
        m.body(f"space{k}", mass, tensor, position=(k * length, 0.1 * k, 0), angle=0.2 * k)
        for k in range(4)
    ]
    disc = m.planar_body("disc", 1.0, 0.2, position=(length, 1), centre_of_mass=(0.1, 0))
    bar = m.body("bar", 1.0, 0.1, coordinates="natural", length=length, position=(0, 1))
    ball = m.point_mass("ball", mass, position=(0, 0, 1))
    z = (0, 0, 1)
    pin = m.revolute("pin", m.ground, spatial[0], at=(0, 0, 0), axis=z)
    guide = m.cylindrical("guide", spatial[0], spatial[1], at=(length / 2, 0, 0), axis=(1, 1, 0))
    m.universal("cardan", spatial[1], spatial[2], at=(1, 0, 0), axis_a=(0, 1, 0), axis_b=z)
    m.spherical("ball_joint", spatial[2], spatial[3], at=(2, 0, 0))
    m.prismatic("slot", m.ground, disc, at=(length, 1, 0), axis=(1, 0, 0))
    m.revolute("hinge", disc, bar, at=(0, 1, 0), axis=z)
    m.distance("rod", spatial[3], ball)
    m.point_in_plane("floor", spatial[3], ball.at(), axis=(0, 1, 1))
    m.rotation_driver("drive", m.ground, spatial[0], axis=z, angle=speed * m.t + sympy.sin(m.t))
    m.translation_driver("push", m.ground, disc, axis=(1, 0, 0), distance=length + gain * m.t**2)
    s = m.spring("s", spatial[0].at(length), bar.at(), stiffness=gain, damping=0.1, force=m.t)
    m.torsion_spring("twist", m.ground, disc, axis=z, stiffness=gain, damping=0.2)
    m.motor("motor", disc, bar, axis=z, torque=gain * sympy.cos(m.t) - 0.1 * pin.rate)
    x, y, _ = ball.at().position
    m.potential("field", energy=gain * (x**2 + sympy.cos(y)) / 2)
    wind = sympy.Piecewise((gain * x, x > 0), (sympy.Min(x, y), True))
    m.force("wind", spatial[3].at(0, length, 0), force=(wind, 0, m.t), axes="body")
    m.torque("couple", spatial[2], torque=(gain, 0.5, sympy.exp(-m.t)))
    m.output("tip", spatial[3].at(length, 0, 0))
    m.output("angle", pin.angle)
    m.output("slide", guide.displacement)
    m.output("reaction", guide.force)
    m.output("moment", guide.torque)
    m.output("tension", s.tension)
    m.output("mixed", sympy.sqrt(x**2 + 1) * gain + spatial[1].at().ax)
    return m


SAMPLES = {
    "pendulum": lambda: read("pendulum"),
    "n_four_bar": lambda: read("n_four_bar", {"n": 3}),
    "bricard": lambda: read("bricard"),
    "everything": everything,
}
