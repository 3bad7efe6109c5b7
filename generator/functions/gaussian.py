"""Gaussian pulse."""

from typing import Any

from mbdgen.errors import ModelError
from mbdgen.functions.base import TimeFunction, argument, scalars
from mbdgen.language.expressions.scalars import is_number


def gaussian(centre: Any, width: Any, height: Any = 1.0) -> TimeFunction:
    r"""Return a Gaussian pulse.

    .. math:: f(x) = h\, e^{-(x - c)^2 / (2 \sigma^2)}

    Its area is :math:`\sqrt{2 \pi}\, h \sigma`.

    Parameters
    ----------
    centre, width, height : scalars
        c, the standard deviation sigma, and h.
    """
    import sympy

    name = "Gaussian pulse"
    c, sigma, h = scalars(name, centre=centre, width=width, height=height)
    if is_number(sigma) and sigma <= 0:
        raise ModelError(f"A {name} has the width {sigma:g}.", "Give a positive number.")
    return TimeFunction(h * sympy.exp(-(((argument() - c) / sigma) ** 2) / 2), name)
