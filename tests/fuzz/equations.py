"""Equations of a random model: against complex steps, and compiled against their graph."""

from random import Random
from typing import Any

import numpy as np

from mbdgen import Model
from mbdgen.runtime.system.system import System
from tests.properties.assembled import MechanismCase
from tests.unit.kernels.element import STEP, Array, State

DIGITS = 1e-9
"""Relative error of the largest entry from which equations are wrong."""
WEIGHTS = (0.7, -1.3, 0.4)


def wrong_equations(system: System, model: Model, freeze: str, random: Random) -> str:
    """Return what is wrong with the equations of a model, or nothing."""
    if freeze or len(system.q0) != sum(b.kind.n_q for b in model.bodies.values() if b.kind):
        return ""
    e = MechanismCase(model)
    if e.n_q != len(system.q0) or e.n_lam != len(system.names.multipliers):
        return ""  # numbers of joints or contacts are among the coordinates
    rng = np.random.default_rng(random.randrange(2**32))
    with np.errstate(all="ignore"):
        for state in (_near(e, system, rng), e.random_state(rng)):
            found = _derivatives(e, state) or _compiled(e, system, state)
            if found:
                return found
    return ""


def _near(e: MechanismCase, system: System, rng: np.random.Generator) -> State:
    """A state that is not far from where the motion begins."""
    q = system.q0 * (1 + 0.01 * rng.uniform(-1, 1, e.n_q))
    v = system.v0 + 0.1 * np.abs(system.v0).max(initial=1.0) * rng.uniform(-1, 1, e.n_q)
    a, lam = rng.uniform(-1, 1, e.n_q), rng.uniform(-1, 1, e.n_lam)
    return State(0.3, q, v, a * np.abs(v).max(initial=1e-9), lam)


def _derivatives(e: MechanismCase, s: State) -> str:
    """The matrix and the rates against complex steps of residual and constraints.

    Nothing is said where a real state has complex values, which are none: the root of a negative
    number, whose imaginary part a complex step would take for a slope.
    """
    if e.residual(s).imag.any() or any(part.imag.any() for part in e.rates(s)):
        return ""
    axes, constraints = np.eye(e.n_q), e.norms + e.phi
    by_state = _slope(e, s, *(w * axes for w in WEIGHTS))
    jacobian = _slope(e, s, axes, 0 * axes, 0 * axes)
    expected = np.zeros((e.n, e.n))
    expected[e.dynamics, : e.n_q] = by_state[e.dynamics]
    expected[constraints, : e.n_q] = jacobian[constraints]
    if e.psi:
        moved = _grown(s.moved(q=WEIGHTS[0] / WEIGHTS[1] * axes, v=axes), e.n_q)
        expected[e.psi, : e.n_q] = (e.rates(moved)[0].imag / STEP)[e.psi]
    if e.n_lam:
        moved = _grown(s.moved(lam=np.eye(e.n_lam)), e.n_lam)
        expected[:, e.n_q :] = e.residual(moved).imag / STEP
    terms = max(e.terms("matrix", s, WEIGHTS), e.terms("residual", s))
    if found := differs(e.matrix(s, WEIGHTS), expected, "matrix", terms):
        return found
    first, second = e.rates(s)
    terms = e.terms("rates", s)
    positions = sorted({*constraints} - {*e.psi})
    slope = e.residual(s.moved(t=1, q=s.v)).imag / STEP
    if found := differs(first[positions].real, slope[positions], "phi_dot", terms):
        return found
    slope = e.rates(s.moved(t=1, q=s.v, v=s.a))[0].imag / STEP
    return differs(second[constraints].real, slope[constraints], "phi_ddot", terms)


def _slope(e: MechanismCase, s: State, q: Array, v: Array, a: Array) -> Array:
    return e.residual(_grown(s.moved(q=q, v=v, a=a), e.n_q)).imag / STEP


def _grown(s: State, size: int) -> State:
    grown = [np.broadcast_to(x, (len(x), size)) for x in (s.q, s.v, s.a, s.lam)]
    return State(np.broadcast_to(s.t, size), *grown)


def _compiled(e: MechanismCase, system: System, s: State) -> str:
    """The compiled kernels against the graph, evaluated in NumPy."""
    state: Any = (float(s.t[0].real), *(x[:, 0].real.copy() for x in (s.q, s.v, s.a, s.lam)))
    pairs = [
        (system.residual(*state), e.residual(s)[:, 0].real, "residual"),
        (system.energies(*state), e.energies(s)[:, 0].real, "energies"),
        (system.outputs(*state), e.whole("outputs", s, len(system.names.outputs)), "outputs"),
        (
            system.matrix(*state, WEIGHTS).data,
            e.whole("matrix", s, len(e.ir.indices), WEIGHTS),
            "matrix",
        ),
        *(
            (x, y[:, 0].real, "rates")
            for x, y in zip(system.rates(*state), e.rates(s), strict=True)
        ),
    ]
    for found, expected, kernel in pairs:
        weights = WEIGHTS if kernel == "matrix" else (0, 0, 0)
        said = differs(found, expected, f"compiled {kernel}", e.terms(kernel, s, weights))
        if said:
            return said
    return ""


def differs(found: Array, expected: Array, what: str, terms: float) -> str:
    """Return where arrays differ by more than round-off; what has no finite value says nothing."""
    if np.shape(found) != np.shape(expected):
        return f"{what}: {np.shape(found)} instead of {np.shape(expected)}"
    fine = np.isfinite(found) & np.isfinite(expected)
    found, expected = np.where(fine, found, 0.0), np.where(fine, expected, 0.0)
    error = np.abs(found - expected)
    allowed = DIGITS * np.abs(expected).max(initial=0.0) + 1e-12 * terms + 1e-300
    if not error.size or not np.isfinite(allowed) or error.max() <= allowed:
        return ""
    at = np.unravel_index(int(error.argmax()), error.shape)
    return f"{what}[{', '.join(map(str, at))}] is {found[at]!r}, not {expected[at]!r}"
