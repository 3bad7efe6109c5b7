"""Andrews' mechanism (A03) with bodies in space, their orientations quaternions.

The shipped model is planar. A method that differentiates positions numerically has other
differences of angles than of quaternions, and published numbers belong to the latter.
"""

from math import cos, sin

from mbdgen import Model
from mbdgen.models import andrews as data

Place = tuple[float, float]


def place(pin: Place, angle: float, along: float, across: float = 0.0) -> Place:
    """A point of a body that is turned by an angle about a pin."""
    c, s = cos(angle), sin(angle)
    return pin[0] + c * along - s * across, pin[1] + s * along + c * across


def andrews_in_space() -> Model:
    """The start of the library of benchmarks, the crank at -0.062 rad."""
    beta, theta, gamma, phi, delta, omega, epsilon = data.STARTS["iftomm"]
    m = Model("andrews_in_space", gravity=(0, 0, 0))
    o, a, b = (0.0, 0.0), data.A, data.B
    f = place(o, beta, data.RR)
    g, h = place(a, delta, data.ZT), place(a, epsilon, 0.0, -data.U)
    e = place(b, gamma, 0.0, -data.SS)
    rows = (
        ("K1", 0.04325, 2.194e-6, o, beta, data.RA, 0.0),
        ("K2", 0.00365, 4.410e-7, f, beta + theta, -data.DA, 0.0),
        ("K3", 0.02373, 5.255e-6, b, gamma, data.SB, -data.SA),
        ("K4", 0.00706, 5.667e-7, g, phi + delta, 0.0, data.EA - data.E),
        ("K5", 0.07050, 1.169e-5, a, delta, data.TA, data.TB),
        ("K6", 0.00706, 5.667e-7, h, omega + epsilon, data.ZF - data.FA, 0.0),
        ("K7", 0.05498, 1.912e-5, a, epsilon, -data.UB, -data.UA),
    )
    bodies = {"ground": m.ground}
    for name, mass, inertia, pin, angle, x, y in rows:
        moments = (0.0, inertia, inertia)
        bodies[name] = m.body(name, mass, moments, position=place(pin, angle, x, y), angle=angle)
    pins = (
        *(("O", "ground", "K1", o), ("F", "K1", "K2", f), ("B", "ground", "K3", b)),
        *(("A5", "ground", "K5", a), ("A7", "ground", "K7", a)),
        *(("G", "K5", "K4", g), ("H", "K7", "K6", h)),
        *(("E2", "K3", "K2", e), ("E4", "K3", "K4", e), ("E6", "K3", "K6", e)),
    )
    joints = [
        m.revolute(name, bodies[one], bodies[other], at=(*at, 0.0), axis=(0, 0, 1))
        for name, one, other, at in pins
    ]
    m.motor("motor", m.ground.at(), bodies["K1"].at(-data.RA), torque=0.033)
    end = bodies["K3"].at(*place(b, gamma, data.SD, -data.SC), 0.0, axes="global")
    m.spring("spring", m.ground.at(*data.C), end, stiffness=4530.0, length=data.L0)
    m.output("beta", joints[0].angle)
    return m
