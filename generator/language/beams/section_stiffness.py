r"""Beam sections given by their stiffnesses instead of by one material.

The axial stiffness EA and bending stiffness EI of sandwiches, composites and ropes do not follow
from one Young's modulus; they are measured or computed by a finer model.
"""

from dataclasses import dataclass, fields

from mbdgen.interval import NOT_NEGATIVE, POSITIVE
from mbdgen.language.expressions.bounds import Bound
from mbdgen.language.expressions.scalars import Scalar, as_scalar, is_number

OF_RECTANGLE = 9 / 5
"""Ratio of the fourth moment of a rectangle to the square of its second moment over its area."""
ASKED = {"GAy": "ga", "GAz": "ga", "GIz": "ga", "GJ": "gj"}
"""User arguments for the quantities that not every element needs."""


@dataclass(frozen=True)
class SectionStiffness:
    """Stiffness and inertia of a beam section per length; create one with `section_stiffness`.

    Attributes
    ----------
    ea : scalar
        Axial stiffness, N.
    ei, ei_y : scalar
        Bending stiffness in the planes xy and xz, N m2.
    ga, ga_z : scalar or None
        Shear stiffness along y and z, N, shear correction factors included.
    gj : scalar or None
        Torsional stiffness, N m2.
    mass : scalar
        Mass per length, kg/m.
    inertia, inertia_y : scalar or None
        Rotary inertia per length in the planes xy and xz, kg m; None if the mass is distributed
        like the stiffness.
    damping, shear_damping : scalar
        Viscous factors in seconds, as those of a material: of ea and ei, and of ga and gj.
    """

    ea: Scalar
    ei: Scalar
    ei_y: Scalar
    ga: Scalar | None
    ga_z: Scalar | None
    gj: Scalar | None
    mass: Scalar
    inertia: Scalar | None
    inertia_y: Scalar | None
    damping: Scalar
    shear_damping: Scalar

    @property
    def height(self) -> Scalar:
        """Height along y of the homogeneous rectangle with the same ratio of ei to ea."""
        return (12 * self.ei / self.ea) ** 0.5

    @property
    def width(self) -> Scalar:
        """Width along z of the equivalent rectangle."""
        return (12 * self.ei_y / self.ea) ** 0.5

    @property
    def area(self) -> Scalar:
        """Area of the equivalent rectangle."""
        return self.height * self.width

    @property
    def damped(self) -> bool:
        """Whether it has a viscous law."""
        return any(not is_number(x) or x != 0 for x in (self.damping, self.shear_damping))

    def bounds(self, what: str) -> list[Bound]:
        """Return the bounds that reject a section without stiffness or mass."""
        free = ("damping", "shear_damping")
        return [
            Bound(
                getattr(self, f.name),
                f"the {f.name} of the section {what}",
                NOT_NEGATIVE if f.name in free else POSITIVE,
            )
            for f in fields(self)
            if getattr(self, f.name) is not None
        ]

    def numbers(self, axial: Scalar = 1.0, bending: Scalar = 1.0) -> dict[str, Scalar]:
        """Return the quantities of `beam_numbers` that are given, without those that are not."""
        ratio_z, ratio_y = self.ei / self.ea, self.ei_y / self.ea
        along = {
            "EA": axial * self.ea,
            "EIz": bending * self.ei,
            "EIy": bending * self.ei_y,
            "EI4": bending * OF_RECTANGLE * self.ei * ratio_z,
            "ES": self.ea,
        }
        across = {"GJ": self.gj, "GAy": self.ga, "GAz": self.ga_z}
        given = {name: bending * x for name, x in across.items() if x is not None}
        if self.ga is not None:
            given["GIz"] = given["GAy"] * ratio_z
        area = self.area
        iz, iy = area * ratio_z, area * ratio_y
        return {
            "rhoA": self.mass,
            "rhoIz": self.mass * ratio_z if self.inertia is None else self.inertia,
            "rhoIy": self.mass * ratio_y if self.inertia_y is None else self.inertia_y,
            "A": area,
            "Iz": iz,
            "Iy": iy,
            "Iyyyy": OF_RECTANGLE * iz**2 / area,
            "Iyyzz": iz * iy / area,
            "Izzzz": OF_RECTANGLE * iy**2 / area,
            **along,
            **given,
            **{f"{name}_v": self.damping * x for name, x in along.items()},
            **{f"{name}_v": self.shear_damping * x for name, x in given.items()},
        }


def section_stiffness(
    ea: object,
    ei: object,
    ga: object | None = None,
    gj: object | None = None,
    *,
    mass: object,
    inertia: object | None = None,
    ei_y: object | None = None,
    ga_z: object | None = None,
    inertia_y: object | None = None,
    damping: object = 0.0,
    shear_damping: object = 0.0,
) -> SectionStiffness:
    """Return a section given by its stiffnesses and its mass per length; it needs no material.

    Elements without shear and torsion need no `ga` and `gj`. By default `ei_y` and `ga_z` equal
    those in the plane xy, and `inertia` is that of mass distributed like the stiffness, ``mass
    ei/ea``; see `SectionStiffness`.
    """

    def number(x: object, name: str) -> Scalar:
        return as_scalar(x, f"{name} of a section")

    pull, bend, line = number(ea, "ea"), number(ei, "ei"), number(mass, "mass")
    bend_y = bend if ei_y is None else number(ei_y, "ei_y")
    shear = None if ga is None else number(ga, "ga")
    return SectionStiffness(
        ea=pull,
        ei=bend,
        ei_y=bend_y,
        ga=shear,
        ga_z=shear if ga_z is None else number(ga_z, "ga_z"),
        gj=None if gj is None else number(gj, "gj"),
        mass=line,
        inertia=None if inertia is None else number(inertia, "inertia"),
        inertia_y=None if inertia_y is None else number(inertia_y, "inertia_y"),
        damping=number(damping, "damping"),
        shear_damping=number(shear_damping, "shear_damping"),
    )
