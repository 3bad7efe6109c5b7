"""Smooth spin-up: angle of a shaft whose angular velocity changes smoothly."""

from typing import Any

from mbdgen.functions.base import TimeFunction, argument, check_order, scalars


def spin_up(start: Any, end: Any, rate: Any, before: Any = 0.0, angle: Any = 0.0) -> TimeFunction:
    r"""Return an angle whose rate goes from `before` to `rate` as a `cycloid` step does.

    .. math::
        \varphi(x) = \varphi_0 + \omega_0 \tau + \frac{\omega - \omega_0}{T}
        \Bigl(\frac{\tau^2}{2} + \frac{T^2}{4 \pi^2}
        \bigl(\cos\frac{2 \pi \tau}{T} - 1\bigr)\Bigr), \qquad \tau = x - x_0

    Before and after, the angular velocity is constant; the angular acceleration is zero at both
    ends.

    Parameters
    ----------
    start, end : scalars
        Beginning and end of the change; T is their difference.
    rate, before : scalars
        Angular velocity after and before it.
    angle : scalar
        Angle at `start`.
    """
    import sympy

    name = "spin-up"
    x0, x1, after, w0, a0 = scalars(
        name, start=start, end=end, rate=rate, before=before, angle=angle
    )
    check_order(name, start=x0, end=x1)
    x, span = argument(), x1 - x0
    tau, gain = x - x0, after - w0
    turn = 2 * sympy.pi / span
    rising = gain / span * (tau**2 / 2 + (sympy.cos(turn * tau) - 1) / turn**2)
    later = a0 + w0 * tau + gain * (tau - span / 2)
    cases = ((a0 + w0 * tau, x < x0), (a0 + w0 * tau + rising, x < x1), (later, True))
    return TimeFunction(sympy.Piecewise(*cases), name)
