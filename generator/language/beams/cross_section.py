"""Cross-sections of beams and the material that they are made of.

Axes y and z of a section are its second and third axis; a planar beam bends about z, so that its
height is along y.
"""

from dataclasses import dataclass, fields

from mbdgen.interval import NOT_NEGATIVE, POSITIVE, Interval
from mbdgen.language.expressions.bounds import Bound, check_positive
from mbdgen.language.expressions.scalars import Scalar, as_scalar, is_number

PI = 3.141592653589793
SHEAR_OF_RECTANGLE = 5 / 6
SHEAR_OF_CIRCLE = 6 / 7


@dataclass(frozen=True)
class CrossSection:
    r"""A cross-section of a beam.

    Attributes
    ----------
    area : scalar
        A, m2.
    iz, iy : scalar
        :math:`\int y^2 dA` and :math:`\int z^2 dA`, m4: bending in the plane xy and in xz.
    torsion : scalar
        Saint-Venant torsion constant J, m4.
    shear_y, shear_z : scalar
        Shear correction factors of the area along y and z.
    height, width : scalar
        Dimensions along y and z, for pictures and for the quartic moments of elements that need
        them.
    quartic, quartic_z, quartic_mixed : scalar
        :math:`\int y^4 dA`, :math:`\int z^4 dA` and :math:`\int y^2 z^2 dA`, m6.
    """

    area: Scalar
    iz: Scalar
    iy: Scalar
    torsion: Scalar
    shear_y: Scalar
    shear_z: Scalar
    height: Scalar
    width: Scalar
    quartic: Scalar
    quartic_z: Scalar
    quartic_mixed: Scalar

    def bounds(self, what: str) -> list[Bound]:
        """Return the bounds that reject a section without area or bending stiffness."""
        return [
            Bound(getattr(self, f.name), f"the {f.name} of the section {what}", POSITIVE)
            for f in fields(self)
        ]


@dataclass(frozen=True)
class Material:
    """Isotropic linear (visco)elastic material of a beam.

    Attributes
    ----------
    young : scalar
        E, Pa.
    density : scalar
        kg/m3.
    poisson : scalar
        Between -1 and 1/2.
    damping, shear_damping : scalar
        Factors in seconds of the Kelvin-Voigt law: ``sigma = E (eps + damping eps')`` along a beam,
        and for shear and torsion. For a damping ratio xi of a mode give ``2 xi/omega``.
    """

    young: Scalar
    density: Scalar
    poisson: Scalar = 0.0
    damping: Scalar = 0.0
    shear_damping: Scalar = 0.0

    @property
    def shear(self) -> Scalar:
        """Shear modulus ``G = E/(2 (1 + nu))``."""
        return self.young / (2 * (1 + self.poisson))

    @property
    def lame(self) -> Scalar:
        """Lame's first constant ``E nu/((1 + nu)(1 - 2 nu))``."""
        nu = self.poisson
        return self.young * nu / ((1 + nu) * (1 - 2 * nu))

    @property
    def damped(self) -> bool:
        """Whether it has a viscous law."""
        return any(not is_number(x) or x != 0 for x in (self.damping, self.shear_damping))

    def bounds(self, what: str) -> list[Bound]:
        """Return the bounds that reject an unstable material, or one without mass."""
        of = f"of the material {what}"
        return [
            Bound(self.young, f"the young {of}", POSITIVE),
            Bound(self.density, f"the density {of}", POSITIVE),
            Bound(self.poisson, f"Poisson's ratio {of}", Interval(-1.0, 0.5), _UNSTABLE),
            Bound(self.damping, f"the damping {of}", NOT_NEGATIVE),
            Bound(self.shear_damping, f"the shear_damping {of}", NOT_NEGATIVE),
            Bound(
                1.5 * self.damping - self.shear_damping,
                f"1.5 damping - shear_damping {of}",
                NOT_NEGATIVE,
                _GAINING,
            ),
        ]


_UNSTABLE = "It would be unstable: give a number in (-1, 0.5); rubber has about 0.49."
_GAINING = "A change of volume would gain energy: give at most 1.5 times the damping."


def material(
    young: object,
    density: object,
    poisson: object = 0.0,
    damping: object = 0.0,
    shear_damping: object = 0.0,
) -> Material:
    """Return an isotropic linear material, see `Material`."""
    given = {"young": young, "density": density, "poisson": poisson}
    given |= {"damping": damping, "shear_damping": shear_damping}
    return Material(**{k: as_scalar(x, f"{k} of a material") for k, x in given.items()})


def rectangle(height: object, width: object) -> CrossSection:
    """Return a rectangle: `height` along y (in the plane of a planar beam), `width` along z."""
    h, w = as_scalar(height, "height of a rectangle"), as_scalar(width, "width of a rectangle")
    return CrossSection(
        area=h * w,
        iz=w * h**3 / 12,
        iy=h * w**3 / 12,
        torsion=_torsion_of_rectangle(h, w),
        shear_y=SHEAR_OF_RECTANGLE,
        shear_z=SHEAR_OF_RECTANGLE,
        height=h,
        width=w,
        quartic=w * h**5 / 80,
        quartic_z=h * w**5 / 80,
        quartic_mixed=h**3 * w**3 / 144,
    )


def circle(diameter: object) -> CrossSection:
    """Return a solid circle."""
    d = as_scalar(diameter, "diameter of a circle")
    i = PI * d**4 / 64
    return CrossSection(
        area=PI * d**2 / 4,
        iz=i,
        iy=i,
        torsion=2 * i,
        shear_y=SHEAR_OF_CIRCLE,
        shear_z=SHEAR_OF_CIRCLE,
        height=d,
        width=d,
        quartic=PI * d**6 / 512,
        quartic_z=PI * d**6 / 512,
        quartic_mixed=PI * d**6 / 1536,
    )


def tube(outer: object, inner: object) -> CrossSection:
    """Return a circular tube given by its two diameters."""
    d, c = as_scalar(outer, "outer diameter of a tube"), as_scalar(inner, "inner diameter")
    for x in (d, c):
        check_positive(x, "diameter of a tube")
    i = PI * (d**4 - c**4) / 64
    return CrossSection(
        area=PI * (d**2 - c**2) / 4,
        iz=i,
        iy=i,
        torsion=2 * i,
        shear_y=0.5,
        shear_z=0.5,
        height=d,
        width=d,
        quartic=PI * (d**6 - c**6) / 512,
        quartic_z=PI * (d**6 - c**6) / 512,
        quartic_mixed=PI * (d**6 - c**6) / 1536,
    )


def general_section(
    area: object,
    iz: object,
    iy: object | None = None,
    torsion: object | None = None,
    shear: object = 1.0,
) -> CrossSection:
    """Return a section given by its area and second moments; `iy` defaults to `iz`.

    Height and width are those of the rectangle with the same area and `iz`.
    """
    a, z = as_scalar(area, "area of a section"), as_scalar(iz, "iz of a section")
    for name, x in (("area", a), ("iz", z)):
        check_positive(x, f"{name} of a section")
    y = z if iy is None else as_scalar(iy, "iy of a section")
    j = y + z if torsion is None else as_scalar(torsion, "torsion of a section")
    k = as_scalar(shear, "shear factor of a section")
    height = (12 * z / a) ** 0.5
    width = a / height
    quartic, quartic_z = (9 * x**2 / (5 * a) for x in (z, y))
    return CrossSection(a, z, y, j, k, k, height, width, quartic, quartic_z, z * y / a)


def _larger_first(h: Scalar, w: Scalar) -> tuple[Scalar, Scalar]:
    """Return two lengths, the larger one first, also when they depend on parameters."""
    if is_number(h) and is_number(w):
        return max(h, w), min(h, w)
    import sympy

    return sympy.Max(h, w), sympy.Min(h, w)


def _torsion_of_rectangle(h: Scalar, w: Scalar) -> Scalar:
    """Return J of a rectangle, accurate to half a percent (Roark's formula)."""
    long, short = _larger_first(h, w)
    ratio = short / long
    return long * short**3 * (1 / 3 - 0.21 * ratio * (1 - ratio**4 / 12))
