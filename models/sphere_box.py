"""Spheres that fall into a box and settle there: as many as one likes, of three sizes.

They start on a grid with small random velocities. What they lose, they lose where they touch: each
pair is a linear spring with a damper, and friction by a smooth form of Coulomb's law.
"""

from math import ceil, pi

import numpy as np

from mbdgen import Model
from mbdgen.language.bodies.homogeneous_shapes import sphere


def model(n=1000, radius=0.01, density=2500.0, turning=True, mu=0.3, g=9.81, seed=1):
    """Return the model.

    Parameters
    ----------
    n : int
        Number of spheres.
    radius, density : float
        Radius of the largest ones in m, density in kg/m3.
    turning : bool
        Whether they turn; otherwise they are points with a radius.
    mu : float
        Coefficient of friction of spheres that turn.
    g : float
        Gravity along -z.
    seed : int
        Of sizes and velocities.
    """
    if not isinstance(n, int) or n < 2:
        raise ValueError(f"n is {n!r}; give a whole number of spheres, 2 or more")
    mech = Model("sphere_box", gravity=(0, 0, -g))
    random = np.random.default_rng(seed)
    largest = 4 / 3 * pi * radius**3 * density
    side = max(2, round((n / 2) ** (1 / 3)))
    pitch = 2.2 * radius
    width = side * pitch

    balls = []
    for k in range(n):
        size = radius * (1.0, 0.9, 0.8)[random.integers(3)]
        mass = largest * (size / radius) ** 3
        i, j, layer = k % side, k // side % side, k // side**2
        place = ((i + 0.5) * pitch, (j + 0.5) * pitch, (layer + 0.5) * pitch)
        push = tuple(random.uniform(-0.2, 0.2, 3))
        kind = "quaternion" if turning else "point"
        what = sphere(mass, size) if turning else mass
        balls.append(
            mech.body(
                f"ball{k}", what, coordinates=kind, position=place, velocity=push, radius=size
            )
        )

    # the deepest sphere carries all above it by 2 % of its radius
    layers = ceil(n / side**2)
    stiffness = largest * g * layers / (0.02 * radius)
    law = {"law": "kelvin-voigt", "restitution": 0.5, "stiffness": stiffness}
    if turning and mu > 0:
        law |= {"friction": "coulomb", "coefficient": mu, "creep": 0.05}
    mech.contacts("balls", balls, **law)
    ground, high = mech.ground, layers * pitch
    walls = [
        ground.at(0, 0, 0, axis=(0, 0, 1)),
        ground.at(0, 0, 0, axis=(1, 0, 0)),
        ground.at(width, 0, 0, axis=(-1, 0, 0)),
        ground.at(0, 0, 0, axis=(0, 1, 0)),
        ground.at(0, width, 0, axis=(0, -1, 0)),
        ground.at(0, 0, high, axis=(0, 0, -1)),
    ]
    mech.contacts("walls", balls, planes=walls, **law)
    mech.output("first", balls[0].at())
    # Every contact multiplies errors: 2 % of `first` at 0.1 s are 13 % at 0.25 s.
    mech.suggest(t=0.1, h=5e-5, method="heun")
    return mech
