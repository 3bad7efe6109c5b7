"""Andrews' squeezer (A03) as the published differential-algebraic system in seven angles.

With ``p = (beta, Theta, gamma, Phi, delta, Omega, epsilon)`` (be, th, ga, ph, de, om, ep below)

    M(p) p'' + G(p)^T lam = f(p, p'),   g(p) = 0,   G = dg/dp   (six loop equations)
    g = [ rr cos be - d cos(be+th) - ss sin ga - xb,   rr sin be - d sin(be+th) + ss cos ga - yb,
          rr cos be - d cos(be+th) - e sin(ph+de) - zt cos de - xa,
          rr sin be - d sin(be+th) + e cos(ph+de) - zt sin de - ya,
          rr cos be - d cos(be+th) - zf cos(om+ep) - u sin ep - xa,
          rr sin be - d sin(be+th) - zf sin(om+ep) + u cos ep - ya ]

All entries are written out; `tests.handwritten.andrews_motion` integrates them as index 1.
"""

from dataclasses import dataclass

import numpy as np

from tests.handwritten.ode import FloatArray

START = (-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885884,
         0.487364979543842550, -0.222668390165885884, 1.230547444549821192)  # fmt: skip


@dataclass(frozen=True)
class Andrews:
    """Published data in SI units; body order K1 .. K7 in ``m`` and ``J``."""

    m: tuple[float, ...] = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    J: tuple[float, ...] = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    A: tuple[float, float] = (-0.06934, -0.00227)
    B: tuple[float, float] = (-0.03635, 0.03273)
    C: tuple[float, float] = (0.014, 0.072)
    d: float = 0.028
    da: float = 0.0115
    e: float = 0.02
    ea: float = 0.01421
    rr: float = 0.007
    ra: float = 0.00092
    ss: float = 0.035
    sa: float = 0.01874
    sb: float = 0.01043
    sc: float = 0.018
    sd: float = 0.02
    ta: float = 0.02308
    tb: float = 0.00916
    u: float = 0.04
    ua: float = 0.01228
    ub: float = 0.00449
    zf: float = 0.02
    zt: float = 0.04
    fa: float = 0.01421
    c0: float = 4530.0
    l0: float = 0.07785
    mom: float = 0.033


def mass(par: Andrews, p: FloatArray) -> FloatArray:
    """Mass matrix, shape (7, 7)."""
    m1, m2, m3, m4, m5, m6, m7 = par.m
    J1, J2, J3, J4, J5, J6, J7 = par.J
    ce, zz = par.e - par.ea, par.zf - par.fa
    cos_th, sin_ph, sin_om = np.cos(p[1]), np.sin(p[3]), np.sin(p[5])
    M = np.zeros((7, 7), dtype=np.asarray(p).dtype)
    M[0, 0] = m1 * par.ra**2 + J1 + J2
    M[0, 0] += m2 * (par.rr**2 - 2 * par.da * par.rr * cos_th + par.da**2)
    M[0, 1] = M[1, 0] = m2 * (par.da**2 - par.da * par.rr * cos_th) + J2
    M[1, 1] = m2 * par.da**2 + J2
    M[2, 2] = m3 * (par.sa**2 + par.sb**2) + J3
    M[3, 3] = m4 * ce**2 + J4
    M[3, 4] = M[4, 3] = m4 * (ce**2 + par.zt * ce * sin_ph) + J4
    M[4, 4] = m4 * (par.zt**2 + 2 * par.zt * ce * sin_ph + ce**2)
    M[4, 4] += m5 * (par.ta**2 + par.tb**2) + J4 + J5
    M[5, 5] = m6 * zz**2 + J6
    M[5, 6] = M[6, 5] = m6 * (zz**2 - par.u * zz * sin_om) + J6
    M[6, 6] = m6 * (zz**2 - 2 * par.u * zz * sin_om + par.u**2)
    M[6, 6] += m7 * (par.ua**2 + par.ub**2) + J6 + J7
    return M


def spring_arm(par: Andrews, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Vector from C to D (fixed on body K3) and its derivative by gamma, shape (2, ...)."""
    sin, cos = np.sin(p[..., 2]), np.cos(p[..., 2])
    x = par.B[0] + par.sc * sin + par.sd * cos - par.C[0]
    y = par.B[1] - par.sc * cos + par.sd * sin - par.C[1]
    slope = np.array([par.sc * cos - par.sd * sin, par.sc * sin + par.sd * cos])
    return np.array([x, y]), slope


def force(par: Andrews, p: FloatArray, v: FloatArray) -> FloatArray:
    """Right side ``f(p, p')``: motor, spring and velocity terms, shape (7,)."""
    be, th, _, ph, de, om, ep = v
    ce, zz = par.e - par.ea, par.zf - par.fa
    arm, slope = spring_arm(par, p)
    length = np.sqrt(arm @ arm)
    h2 = par.m[1] * par.da * par.rr * np.sin(p[1])
    h4 = par.m[3] * par.zt * ce * np.cos(p[3])
    h6 = par.m[5] * par.u * zz * np.cos(p[5])
    return np.array(
        [
            par.mom - h2 * th * (th + 2 * be),
            h2 * be**2,
            -par.c0 * (length - par.l0) / length * (arm @ slope),
            h4 * de**2,
            -h4 * ph * (ph + 2 * de),
            -h6 * ep**2,
            h6 * om * (om + 2 * ep),
        ]
    )


def constraints(par: Andrews, p: FloatArray) -> FloatArray:
    """Loop equations ``g(p)``, shape (6,)."""
    be, th, ga, ph, de, om, ep = p
    x = par.rr * np.cos(be) - par.d * np.cos(be + th)
    y = par.rr * np.sin(be) - par.d * np.sin(be + th)
    return np.array(
        [
            x - par.ss * np.sin(ga) - par.B[0],
            y + par.ss * np.cos(ga) - par.B[1],
            x - par.e * np.sin(ph + de) - par.zt * np.cos(de) - par.A[0],
            y + par.e * np.cos(ph + de) - par.zt * np.sin(de) - par.A[1],
            x - par.zf * np.cos(om + ep) - par.u * np.sin(ep) - par.A[0],
            y - par.zf * np.sin(om + ep) + par.u * np.cos(ep) - par.A[1],
        ]
    )


def jacobian(par: Andrews, p: FloatArray) -> FloatArray:
    """``G = dg/dp``, shape (6, 7)."""
    be, th, ga, ph, de, om, ep = p
    G = np.zeros((6, 7), dtype=np.asarray(p).dtype)
    G[0::2, 1] = par.d * np.sin(be + th)
    G[1::2, 1] = -par.d * np.cos(be + th)
    G[0::2, 0] = -par.rr * np.sin(be) + G[0, 1]
    G[1::2, 0] = par.rr * np.cos(be) + G[1, 1]
    G[0, 2], G[1, 2] = -par.ss * np.cos(ga), -par.ss * np.sin(ga)
    G[2, 3], G[3, 3] = -par.e * np.cos(ph + de), -par.e * np.sin(ph + de)
    G[2, 4], G[3, 4] = G[2, 3] + par.zt * np.sin(de), G[3, 3] - par.zt * np.cos(de)
    G[4, 5], G[5, 5] = par.zf * np.sin(om + ep), -par.zf * np.cos(om + ep)
    G[4, 6], G[5, 6] = G[4, 5] - par.u * np.cos(ep), G[5, 5] - par.u * np.sin(ep)
    return G
