r"""Viscous (Kelvin-Voigt) damping factors of a beam from the damping ratio of a mode.

With :math:`\sigma = E(\varepsilon + \gamma\dot\varepsilon)`, a mode of frequency :math:`\omega` has
the damping ratio :math:`\gamma\omega/2`. The ratio of such a Kelvin-Voigt material grows with the
frequency: it is exact only for the mode for which it was chosen.
"""

from collections.abc import Callable
from math import cos, cosh, pi, sin, tanh

from mbdgen.errors import ModelError
from mbdgen.language.beams.beam_material import made_of
from mbdgen.language.beams.cross_section import CrossSection, Material
from mbdgen.language.beams.section_stiffness import SectionStiffness
from mbdgen.language.expressions.bounds import check_positive
from mbdgen.language.expressions.scalars import Scalar

Equation = Callable[[float], float]
_FREE: Equation = lambda x: cos(x) - 1 / cosh(x)  # noqa: E731
_PINNED: Equation = lambda x: sin(x) - cos(x) * tanh(x)  # noqa: E731
_ENDS: dict[str, Equation] = {
    "clamped-free": lambda x: cos(x) + 1 / cosh(x),
    "free-free": _FREE,
    "clamped-clamped": _FREE,
    "pinned-free": _PINNED,
    "clamped-pinned": _PINNED,
    "pinned-pinned": sin,
}
"""Characteristic equation, zero at every k L of a mode; divided by cosh to avoid overflow."""

_FIRST, _STEP = 0.5, 0.25
"""The roots are farther apart than the step; rigid-body modes lie below the first sample."""


def bending_frequency(
    section: CrossSection | SectionStiffness,
    material: Material | None,
    length: Scalar,
    ends: str = "free-free",
    mode: int = 1,
) -> Scalar:
    r"""Return a natural frequency of an Euler-Bernoulli beam in the plane xy, rad/s.

    .. math:: \omega = (kL)^2 \sqrt{E I_z/(\varrho A L^4)}

    Parameters
    ----------
    material : Material or None
        None for a section given by its stiffnesses.
    ends : str
        ``clamped-free``, ``free-free``, ``clamped-clamped``, ``pinned-free``, ``clamped-pinned``
        or ``pinned-pinned``.
    mode : int
        Counted from 1, without rigid-body modes.
    """
    if ends not in _ENDS:
        raise ModelError(f"ends={ends!r} is unknown.", f"There are: {', '.join(_ENDS)}.")
    if isinstance(mode, bool) or not isinstance(mode, int) or mode < 1:
        raise ModelError(f"mode={mode!r} is no mode.", "Give a whole number from 1 on.")
    check_positive(length, "length")
    numbers = made_of(section, material).numbers()
    stiffness = numbers["EIz"] / (numbers["rhoA"] * length**4)
    return _root(ends, mode) ** 2 * stiffness**0.5


def torsion_frequency(
    section: CrossSection | SectionStiffness, material: Material | None, length: Scalar
) -> Scalar:
    r"""Return the first torsional natural frequency of a beam with free ends, rad/s.

    .. math:: \omega = \frac{\pi}{L} \sqrt{\frac{G J}{\varrho (I_y + I_z)}}
    """
    check_positive(length, "length")
    numbers = made_of(section, material).numbers()
    if "GJ" not in numbers:
        raise ModelError("The section has no gj.", "Give it to section_stiffness(...).")
    ratio = numbers["GJ"] / (numbers["rhoIy"] + numbers["rhoIz"])
    return pi / length * ratio**0.5


def damping_factor(ratio: float, frequency: Scalar) -> Scalar:
    r"""Return the factor in seconds, :math:`\gamma = 2\xi/\omega`, for ``material(damping=)``.

    Parameters
    ----------
    ratio : float
        Of the mode, below 1.
    frequency : scalar
        Of the undamped mode in rad/s: of bending or stretching for ``damping=``, of torsion for
        ``shear_damping=``.
    """
    if not 0 <= ratio < 1:
        raise ModelError(f"The damping ratio {ratio:g} is no ratio.", "Give a number in [0, 1).")
    check_positive(frequency, "frequency")
    return 2 * ratio / frequency


def _root(ends: str, mode: int) -> float:
    """Return k L of a mode: bracket its root by sign changes, then bisect."""
    equation, low, found = _ENDS[ends], _FIRST, 0
    while True:
        high = low + _STEP
        found += equation(low) * equation(high) <= 0
        if found == mode:
            break
        low = high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if equation(low) * equation(middle) <= 0 else (middle, high)
    return (low + high) / 2
