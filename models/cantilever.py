"""A beam that is clamped at one end, with a force across it at the other.

The force comes within `ramp` seconds and stays. With a large one the beam bends far out of its
axis: `mbdgen statics cantilever -o P=132000` has the shape of the elastica. Its instant is 4 s:
before `ramp` the force is not all there.
"""

from mbdgen import Model, functions, material, rectangle


def model(kind="euler-nonlinear", elements=10, P=300.0, ramp=3.5, nu=0.0, length=5.0):
    """Return the model.

    Parameters
    ----------
    kind : str
        The element.
    elements : int
        How many.
    P : float
        Force along -y at the free end.
    ramp : float
        How long it takes to come; 0 for a force that is there from the start.
    nu : float
        Poisson's ratio.
    length : float
        Length of the beam, of a square section of 0.1 m.
    """
    mech = Model("cantilever", gravity=(0, 0, 0))
    beam = mech.beam(
        "beam", [(0, 0, 0), (length, 0, 0)], rectangle(0.1, 0.1),
        material(young=132e9, density=8145.2, poisson=nu), elements=elements, kind=kind,
    )  # fmt: skip
    mech.fixed("clamp", mech.ground.at(0, 0, 0), beam.start)
    load = mech.parameter("P", P, unit="N")
    grown = functions.versine(0, ramp)(mech.t) if ramp > 0 else 1.0
    mech.force("load", beam.end, force=(0, -load * grown, 0))

    mech.output("tip", beam.end)
    mech.suggest(t=4, h=0.01, at=max(4.0, ramp))
    return mech
