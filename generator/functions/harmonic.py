"""Harmonic waves."""

from typing import Any

from mbdgen.functions.base import TimeFunction, argument, scalars


def harmonic(amplitude: Any, rate: Any, phase: Any = 0.0, mean: Any = 0.0) -> TimeFunction:
    r"""Return a sine wave about a mean.

    .. math:: f(x) = \bar f + A \sin(\omega x + \varphi)

    Parameters
    ----------
    amplitude, mean : scalars
        A and the mean value.
    rate, phase : scalars
        Angular frequency in rad/s, and the phase at 0.
    """
    import sympy

    a, omega, angle, middle = scalars(
        "harmonic wave", amplitude=amplitude, rate=rate, phase=phase, mean=mean
    )
    return TimeFunction(middle + a * sympy.sin(omega * argument() + angle), "harmonic wave")
