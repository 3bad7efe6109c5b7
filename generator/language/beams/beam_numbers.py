"""Stiffness and inertia quantities of a beam section, by the names that elements use."""

from mbdgen.language.beams.cross_section import CrossSection, Material
from mbdgen.language.expressions.scalars import Scalar


def beam_numbers(
    section: CrossSection, material: Material, axial: Scalar = 1.0, bending: Scalar = 1.0
) -> dict[str, Scalar]:
    r"""Return the quantities; viscous ones end in ``_v``: :math:`\gamma` times the elastic ones.

    Parameters
    ----------
    axial, bending : scalar
        Factors of the axial stiffness, and of those against bending and shear.
    """
    s, m = section, material
    e, g = m.young, m.shear
    along, across = m.damping, m.shear_damping
    bulk = m.lame + 2 * g / 3
    spherical = 3 * along - 2 * across  # gamma_s
    elastic = {
        "EA": axial * e * s.area,
        "EIz": bending * e * s.iz,
        "EIy": bending * e * s.iy,
        "EI4": bending * e * s.quartic,
        "ES": e * s.area,
        "GJ": bending * g * s.torsion,
        "GAy": bending * g * s.area * s.shear_y,
        "GAz": bending * g * s.area * s.shear_z,
        "GIz": bending * g * s.iz * s.shear_y,
        "lam": m.lame,
        "E": e,
        "G": g,
    }
    viscous = {name: along * x for name, x in elastic.items()}
    viscous |= {name: across * elastic[name] for name in ("GJ", "GAy", "GAz", "GIz", "G")}
    viscous["lam"] = bulk * spherical - 2 * g * across / 3
    for law in (elastic, viscous):
        law["lam_plane"] = (law["E"] - 2 * law["G"]) / (1 - m.poisson)
    return {
        "rhoA": m.density * s.area,
        "rhoIz": m.density * s.iz,
        "rhoIy": m.density * s.iy,
        "A": s.area,
        "Iz": s.iz,
        "Iy": s.iy,
        "Iyyyy": s.quartic,
        "Iyyzz": s.quartic_mixed,
        "Izzzz": s.quartic_z,
        **elastic,
        **{f"{name}_v": x for name, x in viscous.items()},
    }
