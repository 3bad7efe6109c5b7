"""A very flexible beam between two points closer than its length, hanging under its weight.

It starts straight, with one end held by a slide that brings it in. Where bending is weak against
its weight it swings about a catenary, and its damping brings it to rest there.
"""

from mbdgen import Model, functions, material, rectangle


def model(kind="euler-nonlinear", elements=16, length=10.0, span=6.0, ramp=2.0, height=0.02):
    """Return the model.

    Parameters
    ----------
    kind : str
        The element.
    elements : int
        How many.
    length, span : float
        Of the beam, and of its ends at last.
    ramp : float
        Time of the slide.
    height : float
        Of the section of 0.1 m width: with 2 cm bending is weak against the weight.
    """
    mech = Model("catenary_beam", gravity=(0, -9.81, 0))
    beam = mech.beam(
        "rope", [(0, 0, 0), (length, 0, 0)], rectangle(height, 0.1),
        material(young=1e8, density=1000, damping=0.02), elements=elements, kind=kind,
    )  # fmt: skip
    mech.spherical("left", mech.ground.at(0, 0, 0), beam.start)
    mech.point_in_plane("level", beam.end, mech.ground.at(0, 0, 0), axis=(0, 1, 0))
    place = functions.quintic(0, ramp, length, span)(mech.t)
    mech.translation_driver("slide", mech.ground.at(0, 0, 0), beam.end, axis=(1, 0, 0),
                            distance=place)  # fmt: skip
    mech.output("middle", beam.at(length / 2))
    mech.suggest(t=6, h=5e-3)
    return mech
