"""Motion of Andrews' squeezer from the published matrices, and where its bodies are.

Equations in `tests.handwritten.andrews`. Centres of mass and absolute angles follow from the seven
angles through the pins O = (0, 0), A, B, with the unit vectors ``c(x) = (cos x, sin x)`` and
``s(x) = (sin x, -cos x)``:

    K1 ra c(be)                        K2 F - da c(be+th),  F = rr c(be),  E = F - d c(be+th)
    K3 B + sa s(ga) + sb c(ga)         K4 G + (e-ea) s(ph+de),  G = A + zt c(de)
    K5 A + ta c(de) - tb s(de)         K6 H + (zf-fa) c(om+ep),  H = A + u s(ep)
    K7 A + ua s(ep) - ub c(ep)
"""

from collections.abc import Sequence

import numpy as np

from tests.handwritten.andrews import (
    START,
    Andrews,
    constraints,
    force,
    jacobian,
    mass,
    spring_arm,
)
from tests.handwritten.ode import FloatArray, Motion, second_order


def curvature(par: Andrews, p: FloatArray, v: FloatArray) -> FloatArray:
    """``(G p')_p p'``: the part of ``g''`` that has no accelerations, shape (6,)."""
    be, th, ga, ph, de, om, ep = p
    rates = v[0], v[0] + v[1], v[2], v[3] + v[4], v[4], v[5] + v[6], v[6]
    w_be, w_ef, w_ga, w_ge, w_de, w_he, w_ep = (rate**2 for rate in rates)
    x = -par.rr * np.cos(be) * w_be + par.d * np.cos(be + th) * w_ef
    y = -par.rr * np.sin(be) * w_be + par.d * np.sin(be + th) * w_ef
    return np.array(
        [
            x + par.ss * np.sin(ga) * w_ga,
            y - par.ss * np.cos(ga) * w_ga,
            x + par.e * np.sin(ph + de) * w_ge + par.zt * np.cos(de) * w_de,
            y - par.e * np.cos(ph + de) * w_ge + par.zt * np.sin(de) * w_de,
            x + par.zf * np.cos(om + ep) * w_he + par.u * np.sin(ep) * w_ep,
            y + par.zf * np.sin(om + ep) * w_he - par.u * np.cos(ep) * w_ep,
        ]
    )


def _saddle(par: Andrews, p: FloatArray, top: FloatArray, bottom: FloatArray) -> FloatArray:
    """Solve ``[M G^T; G 0] x = (top, bottom)``, shape (13,)."""
    G = jacobian(par, p)
    matrix = np.block([[mass(par, p), G.T], [G, np.zeros((6, 6))]])
    return np.asarray(np.linalg.solve(matrix, np.concatenate([top, bottom])))


def accelerations(par: Andrews, p: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Accelerations ``p''`` and multipliers ``lam`` of the index-1 form."""
    x = _saddle(par, p, force(par, p, v), -curvature(par, p, v))
    return x[:7], x[7:]


def project(par: Andrews, p: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nearest state (in the metric of M) with ``g(p) = 0`` and ``G p' = 0``."""
    nothing = np.zeros(7)
    for _ in range(20):
        step = _saddle(par, p, nothing, -constraints(par, p))[:7]
        p = p + step
        if np.max(np.abs(step)) < 1e-14:
            break
    return p, v + _saddle(par, p, nothing, -jacobian(par, p) @ v)[:7]


def solve(par: Andrews, t: FloatArray, p0: Sequence[float] = START, rtol: float = 1e-12) -> Motion:
    """Motion from rest at the angles ``p0`` (closed to roundoff first)."""

    def clean(y: FloatArray) -> FloatArray:
        return np.concatenate(project(par, y[:7], y[7:]))

    start, rest = project(par, np.array(p0), np.zeros(7))
    return second_order(
        lambda _, p, v: accelerations(par, p, v)[0],
        t,
        start,
        rest,
        clean,
        rtol=rtol,
        atol=rtol,
    )


def energy(par: Andrews, p: FloatArray, v: FloatArray) -> float:
    """Kinetic plus spring energy of one state."""
    arm, _ = spring_arm(par, p)
    stretch = float(np.sqrt(arm @ arm)) - par.l0
    return float(0.5 * v @ mass(par, p) @ v) + 0.5 * par.c0 * stretch**2


def centres(par: Andrews, p: FloatArray) -> FloatArray:
    """Centres of mass of K1 .. K7, shape (7, 2)."""
    be, th, ga, ph, de, om, ep = p
    A, B = np.array(par.A), np.array(par.B)
    pin_f, pin_g, pin_h = par.rr * _c(be), A + par.zt * _c(de), A + par.u * _s(ep)
    return np.array(
        [
            par.ra * _c(be),
            pin_f - par.da * _c(be + th),
            B + par.sa * _s(ga) + par.sb * _c(ga),
            pin_g + (par.e - par.ea) * _s(ph + de),
            A + par.ta * _c(de) - par.tb * _s(de),
            pin_h + (par.zf - par.fa) * _c(om + ep),
            A + par.ua * _s(ep) - par.ub * _c(ep),
        ]
    )


def angles(p: FloatArray) -> FloatArray:
    """Absolute rotation of K1 .. K7 (angles of the published frames), shape (..., 7)."""
    be, th, ga, ph, de, om, ep = np.moveaxis(p, -1, 0)
    return np.stack([be, be + th, ga, ph + de, de, om + ep, ep], axis=-1)


def crank_tip(par: Andrews, p: FloatArray) -> FloatArray:
    """Pin F at the end of the crank, shape (..., 2)."""
    return par.rr * np.stack([np.cos(p[..., 0]), np.sin(p[..., 0])], axis=-1)


def coupler_tip(par: Andrews, p: FloatArray) -> FloatArray:
    """Pin E that joins K2, K3, K4 and K6, shape (..., 2)."""
    total = p[..., 0] + p[..., 1]
    return crank_tip(par, p) - par.d * np.stack([np.cos(total), np.sin(total)], axis=-1)


def _c(x: float) -> FloatArray:
    return np.array([np.cos(x), np.sin(x)])


def _s(x: float) -> FloatArray:
    return np.array([np.sin(x), -np.cos(x)])
