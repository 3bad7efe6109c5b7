"""A rubber rod on a pin, released straight from the horizontal: it bends into loops as it falls.

Its tip is compared with the exact beam without shear. With elements=10 it is a millimetre off after
a second and a half, and each doubling of the elements leaves a sixteenth of that.
"""

from mbdgen import Model, general_section, material


def model(
    elements=10, kind="euler-nonlinear", length=1.0, young=2e7, density=1e3, area=1e-3, iz=2e-8,
    g=9.81,
):  # fmt: skip
    """Return the model.

    Parameters
    ----------
    elements : int
        How many of them.
    kind : str
        Which, `mbdgen methods` lists them.
    length, young, density, area, iz, g : float
        Length, modulus and density of the rod, its section, and gravity along -y.
    """
    m = Model("flexible_pendulum", gravity=(0, -g, 0))
    section = general_section(area=area, iz=iz)
    rubber = material(young=young, density=density)
    rod = m.beam("rod", [(0, 0, 0), (length, 0, 0)], section, rubber, elements=elements, kind=kind)
    m.revolute("pin", m.ground.at(0, 0, 0), rod.start, axis=(0, 0, 1))
    m.output("tip", rod.end)
    m.output("middle", rod.at(length / 2))
    return m
