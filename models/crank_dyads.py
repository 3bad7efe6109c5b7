"""A crank that drives k sliders by k rods in space: one degree of freedom, however large k is.

The lines of all sliders pass through the crank's bearing. The published inertias violate the
triangle inequality of rigid bodies; they are used as they are.
"""

from math import cos, pi, sin

import numpy as np

from mbdgen import Model
from mbdgen.language.bodies.orientation import rotation_matrix

CRANK, ROD, SLIDER = (0.05, 0.0098, 0.008), (0.002, 0.0012, 0.0234), (0.002, 0.0012, 0.0234)
M_CRANK, M_ROD, M_SLIDER = 1.0, 3.0, 1.0
X, Y, Z = np.eye(3)
TILT = pi / 6


def model(k=1, geometry="peers", speed=None, g=9.81):
    """Return the model.

    Parameters
    ----------
    k : int
        Number of rods, and of sliders.
    geometry : {"peers", "paper"}
        "peers": a crank of 0.1 m about x, rods of 0.4 m, sliders all around it on lines tilted by
        30 degrees, 24 rad/s. "paper": a crank of 2 m about an axis at 30 degrees to x, rods of
        6 m, all sliders on the x axis, at rest.
    speed : float
        Initial rate of the crank, if not that of the geometry.
    g : float
        Gravity along -z.
    """
    if not isinstance(k, int) or k < 1:
        raise ValueError(f"k is {k!r}; give a whole number of rods, 1 or more")
    if geometry not in ("peers", "paper"):
        raise ValueError(f"geometry is {geometry!r}; choose peers or paper")
    peers = geometry == "peers"
    mech = Model("crank_dyads", gravity=(0, 0, -g))
    if peers:
        radius, length, axis, arm = 0.1, 0.4, X, Y
        locked, frame, start = X, np.column_stack([X, Y, Z]), 24.0
    else:
        radius, length = 2.0, 6.0
        axis, arm = np.array([cos(TILT), sin(TILT), 0]), np.array([-sin(TILT), cos(TILT), 0])
        locked, frame, start = Z, np.column_stack([arm, np.cross(axis, arm), axis]), 0.0
    rate = start if speed is None else speed
    pin, pin_velocity = radius * arm, rate * radius * np.cross(axis, arm)

    def body(name, m, inertia, x, v, R, omega):
        return mech.body(
            name, m, inertia, allow_unphysical_inertia=True, position=x, velocity=v,
            orientation=rotation_matrix(R), angular_velocity=omega,
        )  # fmt: skip

    crank = body("crank", M_CRANK, CRANK, pin / 2, pin_velocity / 2, frame, rate * axis)
    bearing = mech.revolute("bearing", mech.ground, crank, at=(0, 0, 0), axis=axis)
    for i in range(k):
        line = _line(i, k) if peers else X
        d, s, s_rate = _rod(pin, pin_velocity, line, length)
        along, along_rate = d / length, (s_rate * line - pin_velocity) / length
        normal = np.cross(along, locked) / np.linalg.norm(np.cross(along, locked))
        third = np.cross(normal, along)
        # `normal` must stay at right angles to `locked`: that is the spin about the rod.
        turning = np.cross(along, along_rate)
        spin = -(np.cross(turning, normal) @ locked) / (np.cross(along, normal) @ locked)
        # The second moment belongs to the rod in the one, the first in the other geometry.
        R = [normal, along, third] if peers else [along, normal, -third]

        rod = body(
            f"rod{i}", M_ROD, ROD, pin + d / 2, pin_velocity + length * along_rate / 2,
            np.column_stack(R), turning + spin * along,
        )  # fmt: skip
        end, velocity = s * line, s_rate * line
        slider = body(f"slider{i}", M_SLIDER, SLIDER, end, velocity, np.eye(3), (0, 0, 0))
        mech.spherical(f"pin{i}", crank, rod, at=pin)
        mech.universal(f"fork{i}", rod, slider, at=end, axis_a=normal, axis_b=locked)
        mech.prismatic(f"guide{i}", mech.ground, slider, at=end, axis=line)

    mech.output("angle", bearing.angle)
    mech.output("rate", bearing.rate)
    mech.output("pin", crank.at(*pin, axes="global"))
    mech.output("slider", mech.bodies["slider0"].at())
    return mech


def _line(i, k):
    """Direction of slider i: equal angles around x, tilted towards x."""
    around = 0.3 + 2 * pi * i / k
    return cos(TILT) * (cos(around) * Y + sin(around) * Z) + sin(TILT) * X


def _rod(pin, pin_velocity, line, length):
    """Return the vector from pin to slider, the slider's place on its line, and its speed."""
    s = line @ pin + (length**2 - pin @ pin + (line @ pin) ** 2) ** 0.5
    d = s * line - pin
    return d, s, d @ pin_velocity / (d @ line)
