"""Planar slider-crank with gravity and a constant torque on the crank.

With equal lengths (r = L) it passes positions where it could change its branch: there the slider
stands above the crank's pin and has one more degree of freedom for an instant.
"""

from math import asin, cos, pi, sin

from mbdgen import Model


def model(
    r=0.3, L=0.6, m1=1.0, m2=1.0, m3=1.0, torque=0.2, angle=pi / 2, speed=0.0, width=0.0, g=9.81,
    coordinates="planar",
):  # fmt: skip
    """Return the model.

    Parameters
    ----------
    r, L : float
        Lengths of the crank and of the rod, both uniform.
    m1, m2, m3 : float
        Masses of crank, rod and slider; the slider may be massless.
    torque : float
        Constant torque on the crank.
    angle, speed : float
        Initial angle of the crank from +x, and its rate.
    width : float
        Side of the square section of crank and rod; 0 means thin.
    g : float
        Gravity along -y.
    coordinates : str
        Body kind: planar, natural or quaternion.
    """
    mech = Model("slider_crank", gravity=(0, -g, 0), coordinates=coordinates)
    drive = mech.parameter("torque", torque, unit="N m")

    def bar(name, m, length, **start):
        across, along = m * (length**2 + width**2) / 12, m * width**2 / 6
        inertia = (along, across, across)
        return mech.body(name, m, inertia, centre_of_mass=(length / 2, 0), length=length, **start)

    tilt = asin(-r * sin(angle) / L)  # the slider is on the +x side of the pin
    tilt_rate = -r * cos(angle) * speed / (L * cos(tilt))
    pin = (r * cos(angle), r * sin(angle))
    pin_velocity = (-speed * pin[1], speed * pin[0])
    x = pin[0] + L * cos(tilt)
    vx = pin_velocity[0] - tilt_rate * L * sin(tilt)

    crank = bar("crank", m1, r, angle=angle, angular_velocity=speed)
    rod = bar(
        "rod", m2, L, position=pin, velocity=pin_velocity, angle=tilt, angular_velocity=tilt_rate
    )
    slider = mech.body("slider", mass=m3, position=(x, 0), velocity=(vx, 0))

    a = mech.revolute("A", mech.ground.at(), crank.at())
    b = mech.revolute("B", crank.at(r), rod.at())
    mech.revolute("C", rod.at(L), slider.at())
    guide = mech.prismatic("guide", mech.ground, slider, axis=(1, 0, 0))
    mech.motor("drive", mech.ground.at(), crank.at(), torque=drive)

    mech.output("angle", a.angle)
    mech.output("rate", a.rate)
    mech.output("rod_angle", a.angle + b.angle)
    mech.output("pin", crank.at(r))
    mech.output("slider", slider.at().x, unit="m")
    mech.output("slider_velocity", slider.at().vx, unit="m/s")
    mech.output("slider_acceleration", slider.at().ax, unit="m/s2")
    mech.output("guide_force", guide.force)
    return mech
