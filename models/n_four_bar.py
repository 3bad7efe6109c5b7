"""N square four-bars in a row (IFToMM benchmark A02 for n=2), passing through singular positions.

n + 1 vertical bars stand on the ground and n horizontal bars join their tops; all bars are uniform
and thin. Whenever they all lie in one line the mechanism has n extra degrees of freedom for an
instant.
"""

from mbdgen import Model


def model(n=2, L=1.0, m=1.0, v0=1.0, g=9.81, coordinates="planar"):
    """Return the model.

    Parameters
    ----------
    n : int
        Number of four-bars.
    L, m : float
        Length and mass of each bar.
    v0 : float
        Initial velocity of the tops.
    g : float
        Gravity.
    coordinates : str
        Body kind of the bars.
    """
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"n is {n!r}; give a whole number of four-bars, 1 or more")
    mech = Model("n_four_bar", gravity=(0, -g, 0), coordinates=coordinates)
    spatial = coordinates not in ("planar", "natural")
    about_z = m * L**2 / 12
    inertia = (0, about_z, about_z) if spatial else about_z
    half = L / 2

    verticals = []
    for i in range(n + 1):
        bar = mech.body(
            f"bar{i}",
            mass=m,
            inertia=inertia,
            position=(i * L, half),
            angle=1.5707963267948966,
            velocity=(v0 / 2, 0),
            angular_velocity=-v0 / L,
        )
        mech.revolute(f"A{i}", mech.ground, bar, at=(i * L, 0, 0), axis=(0, 0, 1))
        verticals.append(bar)
    for i in range(n):
        coupler = mech.body(
            f"coupler{i}", mass=m, inertia=inertia, position=((i + 0.5) * L, L), velocity=(v0, 0)
        )
        mech.revolute(f"B{i}", verticals[i], coupler, at=(i * L, L, 0), axis=(0, 0, 1))
        mech.revolute(f"C{i}", coupler, verticals[i + 1], at=((i + 1) * L, L, 0), axis=(0, 0, 1))

    top = verticals[0].at(half)
    mech.output("top", top)
    mech.output("top_velocity", top.velocity)
    return mech
