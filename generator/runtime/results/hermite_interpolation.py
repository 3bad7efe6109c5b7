"""Quintic Hermite interpolation of a motion between two instants with known ``q, v, a``."""

from typing import Any

from mbdgen.runtime.system.system_data import FloatArray


def quintic(
    h: Any,
    s: Any,
    left: tuple[FloatArray, FloatArray, FloatArray],
    right: tuple[FloatArray, FloatArray, FloatArray],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    r"""Return ``(q, v, a)`` of the quintic Hermite polynomial with ``q, v, a`` at both ends.

    .. math::
        q(s) = q_0 + s h v_0 + \tfrac12 s^2 h^2 a_0 + c_3 s^3 + c_4 s^4 + c_5 s^5, \quad
        s = (t - t_0) / h

    The interpolation error is of order ``h^6`` in positions, ``h^5`` in velocities and ``h^4`` in
    accelerations.

    Parameters
    ----------
    h, s : float or array
        Length of the interval and normalised time in it, of shapes compatible with the vectors.
    left, right : tuple
        Positions, velocities and accelerations at both ends.
    """
    (q0, v0, a0), (q1, v1, a1) = left, right
    # Remainder after the Taylor polynomial of the left end, in powers of s.
    dq = q1 - q0 - h * v0 - 0.5 * h * h * a0
    dv = h * (v1 - v0 - h * a0)
    da = h * h * (a1 - a0)
    c3 = 10.0 * dq - 4.0 * dv + 0.5 * da
    c4 = -15.0 * dq + 7.0 * dv - da
    c5 = 6.0 * dq - 3.0 * dv + 0.5 * da
    q = q0 + s * h * (v0 + 0.5 * s * h * a0) + s**3 * (c3 + s * (c4 + s * c5))
    v = v0 + s * h * a0 + s * s * (3.0 * c3 + s * (4.0 * c4 + 5.0 * s * c5)) / h
    a = a0 + s * (6.0 * c3 + s * (12.0 * c4 + 20.0 * s * c5)) / (h * h)
    return q, v, a
