"""Keywords of `simulate` that are options of methods.

Written by ``python tasks.py methods``: change the classes that state it instead.
"""

from typing import Literal, TypedDict


class MethodOptions(TypedDict, total=False):
    """Options of methods and formulations, and the name of a set of them."""

    preset: str
    alpha: float
    """Weight of the jerk in the displacement; weight of the snap in the displacement; weight of the
    acceleration in the displacement; numerical damping, from 0 (none) to -1/3 (cd-jerk,
    cd-jerk-analytic, cd-snap, central-difference, hht)."""
    beta: float
    """Weight of the new jerk in the velocity; weight of the new snap in the velocity; weight of the
    new acceleration in the velocity; weight of the new acceleration in the displacement (cd-jerk,
    cd-jerk-analytic, cd-snap, central-difference, collocation, linear-implicit, newmark,
    nullspace-newmark)."""
    classical: float
    """1: velocities are differences of positions (central-difference)."""
    corrections: float
    """Corrector iterations per step (pece)."""
    epsilon: float
    """Compliance of the constraints in m/N (staggered)."""
    family: float | Literal["Adams", "BDF"] | str
    """Multistep family (cvode)."""
    frozen: float
    """Steps for which the basis is frozen at most (maggi-frozen)."""
    gamma: float
    """Weight of the new jerk in the acceleration; weight of the new snap in the acceleration;
    weight of the new acceleration in the velocity (cd-jerk, cd-snap, collocation, linear-implicit,
    newmark, nullspace-newmark)."""
    max_iterations: float
    """Newton: iterations per step; iterations of v; 1 if forces do not depend on v (backward-euler,
    bdf, cd-jerk, cd-jerk-analytic, cd-snap, central-difference, collocation, dimcd,
    generalized-alpha, hht, newmark, nullspace-newmark, radau, sdirk, trapezoidal, wilson)."""
    mu: float
    """Weight of phi_dot beside phi, in s (alf3)."""
    omega: float
    """Frequency of the stabilisation in rad/s (alf1, baumgarte, blocks, canonical-alf, penalty)."""
    order: float
    """Order of the formula (adams, bdf, pece)."""
    penalty: float
    """Penalty in kg: a larger one needs fewer iterations and costs digits; penalty in N/m: a larger
    one needs fewer iterations and costs digits; penalty in kg (alf1, alf3, canonical-alf,
    penalty)."""
    predictor: float
    """0: x, 1: last velocity, 2: line, 3: parabola (dimcd)."""
    rho_inf: float
    """Spectral radius at infinite frequency (generalized-alpha)."""
    shared: float
    """Velocity correction by reactions of 1: both ends, 0: the new end (newmark)."""
    solver: float | Literal["BDF", "DOP853", "LSODA", "RK23", "RK45", "Radau"] | str
    """Class of scipy.integrate (solve-ivp)."""
    split: float
    """1: inertia is evaluated once per step (dimcd)."""
    stabilised: float | Literal["ggl", "no"] | str
    """Stabilisation of index2 by further multipliers (ida)."""
    stop: float
    """Convergence test: 0: positions, 1: velocities (dimcd)."""
    tau: float
    """Weight of phi_ddot beside phi_dot, in s (staggered)."""
    theta: float
    """Collocation at t + theta h; collocation at t + theta h; stable above 1.366 (collocation,
    wilson)."""
    tolerance: float
    """Newton: increment of q relative to 1 + max |q|; change of v relative to 1 + max |v|
    (backward-euler, bdf, cd-jerk, cd-jerk-analytic, cd-snap, central-difference, collocation,
    dimcd, generalized-alpha, hht, newmark, nullspace-newmark, radau, sdirk, trapezoidal,
    wilson)."""
    xi: float
    """Damping ratio of the stabilisation (alf1, baumgarte, blocks, canonical-alf, penalty)."""
    zeta: float
    """Weight of the new snap in the jerk (cd-snap)."""
