"""A slender beam is spun up about its root: it lags, swings back and is stretched.

Published by Kane, Ryan and Banerjee, by Wu and Haug, and by Berzeri and Shabana: an element that
knows no geometric stiffening becomes unstable above its first natural frequency.
"""

from mbdgen import Model, functions, general_section, material


def model(
    kind="euler-nonlinear", elements=8, speed=4.0, ramp=15.0, frame="rotating", damping=0.0,
):  # fmt: skip
    """Return the model.

    Parameters
    ----------
    kind : str
        Element of the beam; euler-tangent is the one with a critical speed.
    elements : int
        How many.
    speed, ramp : float
        Angular velocity in rad/s, and after how many seconds it is reached.
    frame : str
        rotating: the beam is clamped in a frame that turns, where steady rotation is an equilibrium
        with modes (mbdgen modes --at "t=20"); inertial: its root is turned, for the same motion.
    damping : float
        Of the material, in s.
    """
    m = Model("rotating_beam", gravity=(0, 0, 0))
    rate, time = m.parameter("speed", speed, unit="rad/s"), m.parameter("ramp", ramp, unit="s")
    angle = functions.spin_up(0, time, rate)(m.t)
    beam = m.beam(
        "beam",
        points=[(0, 0), (8, 0)],
        section=general_section(area=7.299e-5, iz=8.215e-9),
        material=material(young=6.895e10, density=2766.67, damping=damping),
        elements=elements,
        kind=kind,
    )
    if frame == "rotating":
        m.fixed("root", m.ground.at(), beam.start)
        for element in beam.elements:
            m.rotating_frame(f"spin_{element.name}", element.at(), angle=angle)
    else:
        m.revolute("root", m.ground.at(), beam.start)
        m.rotation_driver("spin", m.ground.at(), beam.start, axis=(0, 0, 1), angle=angle)
    m.displacement("tip", beam.start, beam.end)
    m.suggest(t=20, h=0.01, method="generalized-alpha")
    return m
