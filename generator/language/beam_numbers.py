"""The numbers that strains and inertia of beams are made of, by the names that elements use."""

from mbdgen.language.cross_section import CrossSection, Material
from mbdgen.language.scalars import Scalar


def beam_numbers(
    section: CrossSection,
    material: Material,
    axial: Scalar = 1.0,
    bending: Scalar = 1.0,
    relief: tuple[str, ...] = (),
) -> dict[str, Scalar]:
    r"""Return them; those that end in ``_v`` are viscous, :math:`\gamma` times the elastic ones.

    Parameters
    ----------
    axial, bending : scalar
        Factors of the axial stiffness, and of those against bending and shear.
    relief : tuple of str
        ``poisson``: strains that vary across the section do not change its width, those of the
        midline do so in plane stress.
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
        "G": g,
    }
    viscous = {name: along * x for name, x in elastic.items()}
    viscous |= {name: across * elastic[name] for name in ("GJ", "GAy", "GAz", "GIz", "G")}
    viscous["lam"] = bulk * spherical - 2 * g * across / 3
    for law in (elastic, viscous):
        law |= _normal(law, m.poisson, along * e if law is viscous else e, "poisson" in relief)
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


def _normal(
    law: dict[str, Scalar], poisson: Scalar, young: Scalar, relieved: bool
) -> dict[str, Scalar]:
    r"""Return moduli of normal stress, and what couples them, of the midline and across a section.

    In plane strain :math:`\lambda + 2G` and :math:`\lambda`. Relieved, E and 0 across, and in the
    midline those of plane stress, with which a narrowing bar has Young's modulus.
    """
    lame, double = law["lam"], 2 * law["G"]
    if not relieved:
        return {"D": lame + double, "C": lame, "D_y": lame + double, "C_y": lame}
    coupling = (young - double) / (1 - poisson)
    return {"D": coupling + double, "C": coupling, "D_y": young, "C_y": 0.0}
