"""The published matrices of the hand-written solvers, derived a second time from positions.

``M = sum of m Jc^T Jc + J Jw^T Jw`` with the Jacobians of centres and angles by complex step, and
velocity terms as ``d/dt(dT/dv) - dT/dq``: so a misprint in a formula cannot stay hidden.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.complex_step import assert_derivative, jacobian
from tests.handwritten import andrews, andrews_motion, double_pendulum, slider_crank
from tests.handwritten.ode import FloatArray

RNG = np.random.default_rng(20240607)
Function = Callable[[NDArray[Any]], FloatArray]


def mass_from_positions(
    centres: Function, angles: Function, m: Sequence[float], J: Sequence[float], q: FloatArray
) -> FloatArray:
    """Mass matrix of planar bodies from their centres and angles."""
    translation = jacobian(centres, q)
    rotation = jacobian(angles, q)
    return np.asarray(
        np.einsum("b,bxi,bxj->ij", m, translation, translation)
        + np.einsum("b,bi,bj->ij", J, rotation, rotation)
    )


def velocity_terms(mass: Function, q: FloatArray, v: FloatArray) -> FloatArray:
    """``dT/dq - M_dot v``: the velocity part of ``f`` in ``M a = f``."""
    slope = jacobian(mass, q)
    return np.asarray(
        0.5 * np.einsum("i,ijk,j->k", v, slope, v) - np.einsum("ijk,k,j->i", slope, v, v)
    )


def test_andrews_mass_matrix() -> None:
    par = andrews.Andrews()
    for _ in range(5):
        p = RNG.uniform(-np.pi, np.pi, 7)
        expected = mass_from_positions(
            lambda x: andrews_motion.centres(par, x), andrews_motion.angles, par.m, par.J, p
        )
        assert_derivative(andrews.mass(par, p) * 1e5, expected * 1e5, "mass", 1e-13)


def test_andrews_force() -> None:
    par = andrews.Andrews()

    def spring(x: FloatArray) -> FloatArray:
        arm, _ = andrews.spring_arm(par, x)
        return np.asarray(0.5 * par.c0 * (np.sqrt(arm @ arm) - par.l0) ** 2)

    for _ in range(5):
        p, v = RNG.uniform(-np.pi, np.pi, 7), RNG.uniform(-1e3, 1e3, 7)
        expected = velocity_terms(lambda x: andrews.mass(par, x), p, v) - jacobian(spring, p)
        expected[0] += par.mom
        assert_derivative(andrews.force(par, p, v), expected, "force", 1e-12)


def test_andrews_constraint_derivatives() -> None:
    par = andrews.Andrews()
    for _ in range(5):
        p, v = RNG.uniform(-np.pi, np.pi, 7), RNG.uniform(-1.0, 1.0, 7)
        G = jacobian(lambda x: andrews.constraints(par, x), p)
        assert_derivative(andrews.jacobian(par, p), G, "G", 1e-15)
        bend = jacobian(lambda x: andrews.jacobian(par, x), p) @ v @ v
        assert_derivative(andrews_motion.curvature(par, p, v), bend, "curvature", 1e-15)


def test_double_pendulum_kernels() -> None:
    par = double_pendulum.DoublePendulum(
        1.3, 0.7, 0.4, 0.6, 0.11, 0.09, 0.9, 9.81, k1=3.0, r1=0.2, k2=5.0, r2=-0.4
    )

    def potential(x: FloatArray) -> FloatArray:
        return double_pendulum.energy(par, x, np.zeros(2))

    for _ in range(5):
        q, v = RNG.uniform(-np.pi, np.pi, 2), RNG.uniform(-5.0, 5.0, 2)
        expected = mass_from_positions(
            lambda x: double_pendulum.centres(par, x),
            lambda x: x,
            (par.m1, par.m2),
            (par.J1, par.J2),
            q,
        )
        assert_derivative(double_pendulum.mass(par, q), expected, "mass", 1e-14)
        f = velocity_terms(lambda x: double_pendulum.mass(par, x), q, v) - jacobian(potential, q)
        assert_derivative(double_pendulum.force(par, q, v), f, "force", 1e-13)


def test_slider_crank_reduction() -> None:
    par = slider_crank.SliderCrank(0.3, 0.7, 1.0, 2.0, 0.5, 0.02, 0.05)
    a, h = 0.7, 1e-4
    before, here, after = (slider_crank.geometry(par, np.array(a + k * h)) for k in (-1, 0, 1))
    for name, left, middle, right in zip(here._fields, before, here, after, strict=True):
        for k in (0, 1):
            slope = (right[k] - left[k]) / (2 * h)
            assert abs(slope - middle[k + 1]) < 1e-7, f"derivative {k + 1} of {name}"
