"""A very flexible beam between two points closer than its length, hanging under its weight.

It is straight without load and begins along a parabola. Where bending is weak against its weight it
swings about a catenary, which `mbdgen statics catenary_beam` finds. A start far from there may
end in a coil, which is an equilibrium too.
"""

from mbdgen import Model, material, rectangle


def model(kind="euler-nonlinear", elements=16, span=6.0, sag=3.5, height=0.02):
    """Return the model.

    Parameters
    ----------
    kind : str
        The element.
    elements : int
        How many.
    span, sag : float
        Of the parabola, whose length is that of the beam.
    height : float
        Of the section of 0.1 m width: with 2 cm bending is weak against the weight.
    """
    mech = Model("catenary_beam", gravity=(0, -9.81, 0))
    beam = mech.beam(
        "rope", [(0, 0, 0), (span / 2, -sag, 0), (span, 0, 0)], rectangle(height, 0.1),
        material(young=1e8, density=1000, damping=0.02), elements=elements, kind=kind, bent=True,
    )  # fmt: skip
    mech.spherical("left", mech.ground.at(0, 0, 0), beam.start)
    mech.spherical("right", mech.ground.at(span, 0, 0), beam.end)
    mech.output("middle", beam.at(beam.length / 2))
    mech.suggest(t=3, h=1e-3, method="radau")
    return mech
