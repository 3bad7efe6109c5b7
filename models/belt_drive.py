"""Belt drive: a flat belt between two pulleys, the first driven, the second turned by friction."""

from mbdgen import Model, loop, material, rectangle
from mbdgen.functions import piecewise, versine

R1, HALF = 0.08125, 0.191441  # radius of the driver, half of the distance of the axles, m
START, END = 0.05, 0.6  # of the ramp, s


def model(
    elements=20,
    elongation=0.0025,
    young=1e8,
    bending=0.01,
    slope=1e5,
    R2=0.08125,
    speed=12.0,
    load=0.0,
    points=5,
    profile=0,
):
    """Return the model.

    Parameters
    ----------
    elements : how many make up the belt
    elongation : of the belt at the start, which gives its pretension
    young : its modulus, Pa
    bending : part of the stiffness against bending that it has
    slope : friction per length and speed of sliding, N s/m2
    R2 : radius of the driven pulley, m
    speed : of the driver in the end, rad/s
    load : resisting torque on the driven pulley in the end, N m
    points : where an element is asked for contact
    profile : places of every element that outputs tell normal force and friction of; 0: none
    """
    m = Model("belt_drive", gravity=(0, 0, 0))
    elongation = m.parameter("elongation", elongation)
    young, bending = m.parameter("young", young, "Pa"), m.parameter("bending", bending)
    slope, load = m.parameter("slope", slope, "N s/m2"), m.parameter("load", load, "N m")
    speed = m.parameter("speed", speed, "rad/s")

    rubber, square = material(young=young, density=1036, poisson=0.3), rectangle(0.01, 0.01)
    line = loop(((-HALF, 0), R1), ((HALF, 0), R2))
    mesh = {"elements": elements, "kind": "belt", "bending": bending}
    belt = m.beam("belt", line, square, rubber, elongation=elongation, **mesh)

    law = {"stiffness": 1e7, "damping": 10, "coefficient": 1.2, "slope": slope, "points": points}
    for name, x, radius in (("driver", -HALF, R1), ("driven", HALF, R2)):
        wheel = m.planar_body(name, 1.0, 0.1, position=(x, 0), radius=radius, color="gray")
        m.revolute(f"{name}_axle", m.ground, wheel, at=(x, 0), axis=(0, 0, 1))
        contact = m.beam_disc(f"on_{name}", belt, wheel, **law)
        m.output(f"{name}_speed", wheel.angle_rate, unit="rad/s")
        if profile:
            contact.report("normal", "friction", per_element=profile)

    driver, driven = m.bodies["driver"], m.bodies["driven"]
    rate = speed / (END - START)
    turn = piecewise(
        *(0, START, lambda t: rate * (t - START) ** 2 / 2),
        *(END, lambda t: speed * (t - (START + END) / 2)),
    )
    motor = m.rotation_driver("motor", m.ground, driver, axis=(0, 0, 1), angle=turn(m.t))
    m.output("torque", motor.torque[2], unit="N m")
    m.torque("resistance", driven, torque=(0, 0, -versine(START, END, 0, load)(m.t)))
    m.suggest(t=1.0, h=2e-5, method="newmark", statics=True)
    return m
