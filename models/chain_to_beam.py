"""A chain of rigid links that hangs from the end of a beam: rigid and flexible in one system.

Links in natural coordinates and elements of the beam have points and vectors in common, so that a
mechanism of pins has no equation but the lengths of its links (``form="shared"``).
"""

from math import cos, radians, sin

from mbdgen import Model, material, rectangle


def model(
    n=4, form="shared", clamp="linear", elements=4, kind="euler-nonlinear", young=5e8,
    angle=50.0, gamma=0.0, g=9.81,
):  # fmt: skip
    """Return the model.

    Parameters
    ----------
    n : int
        Number of links.
    form : {"general", "linear", "shared"}
        How the pins are stated.
    clamp : {"general", "linear"}
        How the ground holds the beam.
    elements, kind : int, str
        Of the beam.
    young, gamma : float
        Its modulus, and the factor in seconds of its viscous law.
    angle : float
        Of the chain against the vertical at the start, in degrees.
    g : float
        Gravity along -y.
    """
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"n is {n!r}; give a whole number of links, 1 or more")
    m = Model("chain_to_beam", gravity=(0, -g, 0), coordinates="natural")
    modulus = m.parameter("young", young, unit="Pa")
    rubber = material(young=modulus, density=1200.0, damping=gamma)
    beam = m.beam(
        "beam", [(0, 0), (1, 0)], rectangle(height=0.03, width=0.02), rubber, elements=elements,
        kind=kind,
    )  # fmt: skip
    m.fixed("clamp", m.ground.at(), beam.start, form=clamp)

    length, mass = 0.2, 0.05
    step = (length * sin(radians(angle)), -length * cos(radians(angle)))
    before, at = beam.end, (1.0, 0.0)
    for k in range(1, n + 1):
        link = m.body(
            f"link{k}", mass, mass * length**2 / 12, position=at, angle=radians(angle - 90),
            centre_of_mass=(length / 2, 0), length=length,
        )  # fmt: skip
        m.revolute(f"pin{k}", before, link.at(), form=form)
        link.draw.line([(0, 0, 0), (length, 0, 0)])
        before, at = link.at(length), (at[0] + step[0], at[1] + step[1])
    m.output("end", beam.end)
    m.output("tip", before)
    m.suggest(t=3, h=1e-3, method="newmark")
    return m
