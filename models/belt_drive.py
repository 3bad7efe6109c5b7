"""Belt drive: a flat belt between two pulleys, the first driven, the second turned by friction."""

from mbdgen import Model, loop, material, rectangle
from mbdgen.functions import piecewise, versine


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
):
    """Return the model."""
    m = Model("belt_drive", gravity=(0, 0, 0))
    R1, half = 0.08125, 0.191441
    line = loop(((-half, 0), R1), ((half, 0), R2))
    rubber = material(young=young, density=1036, poisson=0.3)
    belt = m.beam(
        "belt",
        line,
        rectangle(0.01, 0.01),
        rubber,
        elements=elements,
        kind="belt",
        elongation=elongation,
        bending=bending,
    )
    driver = m.planar_body("driver", 1.0, 0.1, position=(-half, 0), radius=R1)
    driven = m.planar_body("driven", 1.0, 0.1, position=(half, 0), radius=R2)
    for wheel in (driver, driven):
        m.revolute(f"{wheel.name}_axle", m.ground, wheel, at=wheel.motion.position, axis=(0, 0, 1))
    start, end = 0.05, 0.6
    rise = speed / (end - start)
    angle = piecewise(
        0,
        start,
        lambda t: rise * (t - start) ** 2 / 2,
        end,
        lambda t: speed * (t - (start + end) / 2),
    )
    m.rotation_driver("motor", m.ground, driver, axis=(0, 0, 1), angle=angle(m.t))
    law = {"stiffness": 1e7, "damping": 10.0, "coefficient": 1.2, "slope": slope, "points": points}
    m.beam_disc("drives", belt, driver, **law)
    m.beam_disc("driving", belt, driven, **law)
    if load:
        m.torque("load", driven, torque=(0, 0, -versine(start, end, 0, load)(m.t)))
    m.output("driver_speed", driver.angle_rate)
    m.output("driven_speed", driven.angle_rate)
    return m
