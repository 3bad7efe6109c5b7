"""Corrections of initial conditions by assembly: a large one often shows an input error."""

import numpy as np

from mbdgen.runtime.initialisation.stated_bodies import BodyStates, fits
from mbdgen.runtime.system.equation_scales import Sizes
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

ROUND_OFF = 1e-12
"""Relative tolerance, by the largest value, below which a change is round-off."""
LARGE = 0.05
"""Correction relative to the stated value, above which there is a warning."""


def corrections(system: System, q: FloatArray, v: FloatArray) -> dict[str, float]:
    """Return the largest change of a coordinate and of a velocity by name, if there is one.

    Parameters
    ----------
    system : System
        Its ``q0`` and ``v0`` are the initial conditions as given.
    q, v : array
        Consistent initial conditions.
    """
    found: dict[str, float] = {}
    for ending, given, now in (("", system.q0, q), (".dot", system.v0, v)):
        change = now - given
        k = int(np.argmax(np.abs(change))) if len(change) else 0
        if len(change) and abs(change[k]) > ROUND_OFF * max(1.0, float(np.abs(now).max())):
            found[f"{system.names.coordinates[k]}{ending}"] = float(change[k])
    return found


def doubtful_start(system: System, t: float, q: FloatArray, v: FloatArray) -> tuple[str, ...]:
    """Return warnings about initial conditions that assembly changed by more than 5 %.

    Displacements are relative to the size of the mechanism, rotations of bodies to 1 rad,
    velocities to the stated ones: bodies stated at rest may be set in motion by others.

    Parameters
    ----------
    system : System
        Its ``q0`` and ``v0`` are the initial conditions as given.
    t : float
        Initial time.
    q, v : array
        Consistent initial conditions.
    """
    if not corrections(system, q, v) and fits(system, t):
        return ()
    if not system.data.motions:
        return ()
    bodies = BodyStates(system, t)
    states, now = bodies.stated(), bodies.of(q, v)
    before, after = bodies.motion(*states), bodies.motion(*now)
    size = float(Sizes.of(system, system.jacobian(t, q), q).units.max(initial=0.0))
    moved = np.linalg.norm(after.r[0] - before.r[0], axis=1)
    between = np.einsum("bij,bij->b", after.R[0], before.R[0])
    turned = np.arccos(np.clip(0.5 * (between - 1.0), -1.0, 1.0))
    found = [
        *_largest("moved", system, moved, np.full(len(moved), size), "m"),
        *_largest("turned", system, turned, np.ones(len(turned)), "rad"),
    ]
    for what, one, other, unit in (
        ("velocity", before.v[0], after.v[0], "m/s"),
        ("angular velocity", before.w[0], after.w[0], "rad/s"),
    ):
        stated = np.linalg.norm(one, axis=1)
        change = np.linalg.norm(other - one, axis=1)
        change[stated <= ROUND_OFF * stated.max(initial=0.0)] = 0.0
        found += _largest(what, system, change, stated, unit)
    return tuple(found)


def _largest(
    what: str, system: System, change: FloatArray, stated: FloatArray, unit: str
) -> list[str]:
    """Return a sentence with cause and advice about the body that was changed most."""
    parts = np.divide(change, stated, out=np.zeros(len(change)), where=stated > 0.0)
    if not parts.max(initial=0.0) > LARGE:
        return []
    k = int(np.argmax(parts))
    name = system.data.bodies[k]
    if what in ("moved", "turned"):
        return [
            f"Assembly {what} the body '{name}' by {change[k]:.3g} {unit}, because it did not fit "
            "its joints. Give positions and orientations that fit, or fix what is right (fixed=)."
        ]
    return [
        f"Assembly changed the {what} of '{name}' by {change[k]:.3g} {unit}, {parts[k]:.0%} of "
        "what was stated. Give velocities that fit, or hold what is right (fixed_velocity=)."
    ]
