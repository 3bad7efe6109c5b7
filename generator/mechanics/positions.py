r"""Position problem: assembly (consistent initialisation) and all assemblies of a mechanism.

.. math::
    \phi(t, q) = 0, \qquad q_i = \text{given}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbdgen.errors import AssemblyError, OptionError
from mbdgen.mechanics.fixed_coordinates import held, places
from mbdgen.mechanics.spaces import space
from mbdgen.runtime.initialisation.assembly import assemble as assemble_initial
from mbdgen.runtime.initialisation.assembly import positions
from mbdgen.runtime.results.result_series import coordinate_unit
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

SAME = 1e-6
"""Assemblies whose coordinates differ by no more than this fraction of the size are equal."""


@takes_model
def assemble(
    system: System,
    t: float = 0.0,
    *,
    given: Mapping[str, float] | None = None,
    weights: Mapping[str, float] | None = None,
) -> State:
    """Assemble a mechanism: consistent initial positions, velocities and accelerations.

    Parameters
    ----------
    system : System or model
        ``q0`` is the initial guess, ``v0`` the velocities, changed as little as possible.
    t : float
        Time.
    given : mapping, optional
        Coordinates with fixed values: ``{"crank.theta": 0.5}``.
    weights : mapping, optional
        Weights of the squared changes of coordinates, default 1: a larger weight, a smaller change.

    Returns
    -------
    State
        Consistent ``q``, ``v``, ``a`` and ``lam``.

    Raises
    ------
    AssemblyError
        If it cannot be assembled.
    """
    where, values = _values(system, given or {})
    copy = held(system, where)
    copy.q0[where] = values
    copy.q0[:] = positions(copy, t, _ease(system, weights or {}))
    return assemble_initial(copy, t)


@dataclass(frozen=True)
class Iterates:
    """Iterates of Newton's method for the position problem.

    Attributes
    ----------
    q : array, shape (n, n_q)
        Initial guess and all iterates.
    error : array, shape (n,)
        Euclidean norm of ``phi``.
    """

    q: FloatArray
    error: FloatArray


@takes_model
def newton_iterates(
    system: System,
    t: float = 0.0,
    *,
    given: Mapping[str, float] | None = None,
    tolerance: float = 1e-10,
    most: int = 30,
) -> Iterates:
    """Return the iterates of plain Newton-Raphson, for inspection: ``H dq = -phi``.

    The columns of given coordinates are omitted. `assemble` converges from more initial guesses.
    """
    where, values = _values(system, given or {})
    q, rows = system.q0.copy(), system.position_rows
    q[where] = values
    free = np.setdiff1d(np.arange(system.n_q), where)
    zero, lam = np.zeros(system.n_q), np.zeros(system.n_lam)
    iterates, errors = [q.copy()], []
    while True:
        phi = system.residual(t, q, zero, zero, lam)[rows]
        errors.append(float(np.linalg.norm(phi)))
        if errors[-1] <= tolerance or len(errors) > most or not np.isfinite(errors[-1]):
            return Iterates(np.array(iterates), np.array(errors))
        jacobian = system.jacobian(t, q, rows).toarray()[:, free]
        q[free] += np.linalg.lstsq(jacobian, -phi, rcond=None)[0]
        iterates.append(q.copy())


@dataclass(frozen=True, eq=False)
class Assembly:
    """One of several assemblies (branches) of a mechanism.

    Attributes
    ----------
    q : array, shape (n_q,)
        Coordinates.
    distance : float
        Largest change from the guess.
    outputs : dict of str to float
        Outputs of the model, to distinguish assemblies.
    """

    q: FloatArray
    distance: float
    outputs: dict[str, float]


@takes_model
def assemblies(
    system: System,
    t: float = 0.0,
    *,
    given: Mapping[str, float] | None = None,
    tries: int = 60,
    seed: int = 0,
) -> list[Assembly]:
    """Find the assemblies (branches) of a mechanism, the nearest to the guess first.

    Newton's method starts from random guesses around ``q0``; more ``tries`` find more. To use one:
    ``system.q0[:] = found[1].q``, or `nearest`.

    Raises
    ------
    OptionError
        If the given coordinates leave degrees of freedom: then there are infinitely many.
    AssemblyError
        If no assembly was found.
    """
    where, values = _values(system, given or {})
    copy = held(system, where)
    copy.q0[where] = values
    guess = copy.q0.copy()
    rng, reach = np.random.default_rng(seed), _reach(system, guess)
    found: list[Assembly] = []
    for k in range(tries):
        away = 0.0 if k == 0 else rng.uniform(-1.0, 1.0, len(guess))
        copy.q0[:] = guess + away * reach * ~copy.data.fixed
        _make_units(copy)
        try:
            q = positions(copy, t)
        except AssemblyError:
            continue
        if not any(_same(system, q, other.q, reach) for other in found):
            _check_isolated(copy, t, q, where)
            found.append(_assembly(copy, t, q, guess))
    if not found:
        raise AssemblyError(
            f"Model '{system.data.model}' could not be assembled from any of {tries} guesses.",
            "Correct the geometry or the given coordinates, or try more guesses.",
        )
    return sorted(found, key=lambda one: one.distance)


def nearest(found: Sequence[Assembly], **outputs: float) -> Assembly:
    """Return the assembly with outputs nearest to these (dots in names written as ``__``)."""
    wanted = {name.replace("__", "."): value for name, value in outputs.items()}
    for name in wanted:
        if name not in found[0].outputs:
            raise OptionError(
                f"There is no output '{name}'.",
                f"Choose by: {', '.join(found[0].outputs) or 'nothing, the model has no outputs'}.",
            )
    return min(found, key=lambda one: sum((one.outputs[n] - x) ** 2 for n, x in wanted.items()))


def _values(system: System, given: Mapping[str, float]) -> tuple[IntArray, FloatArray]:
    where = places(system, given)
    values = np.array([number(name, value) for name, value in given.items()])
    return where, values


def _ease(system: System, weights: Mapping[str, float]) -> FloatArray:
    ease = np.ones(system.n_q)
    for k, (name, weight) in zip(places(system, weights), weights.items(), strict=True):
        if not number(name, weight) > 0.0:
            raise OptionError(
                f"The weight {weight!r} of '{name}' is not positive.",
                "Give a positive one; coordinates that shall not move at all are given.",
            )
        ease[k] = weight**-0.5
    return ease


def _reach(system: System, q: FloatArray) -> FloatArray:
    """Return the range of guesses: about the size of the mechanism, and half a turn."""
    lengths = [k for k, n in enumerate(system.names.coordinates) if coordinate_unit(n) == "m"]
    size = float(np.abs(q[lengths]).max(initial=0.0)) or 1.0
    reach = np.full(len(q), np.pi)
    reach[lengths] = size
    for first, length in system.data.unit_blocks:
        reach[first : first + length] = 1.0
    return reach


def _make_units(system: System) -> None:
    for first, length in system.data.unit_blocks:
        part = system.q0[first : first + length]
        part /= np.linalg.norm(part)


def _same(system: System, one: FloatArray, other: FloatArray, reach: FloatArray) -> bool:
    """Return whether two positions are equal, up to full turns and signs of quaternions."""
    difference = one - other
    turns = [k for k, n in enumerate(system.names.coordinates) if coordinate_unit(n) == "rad"]
    difference[turns] = np.remainder(difference[turns] + np.pi, 2 * np.pi) - np.pi
    for first, length in system.data.unit_blocks:
        part = slice(first, first + length)
        if length == 4 and one[part] @ other[part] < 0.0:
            difference[part] = one[part] + other[part]
    return bool(np.abs(difference / reach).max(initial=0.0) <= SAME)


def _check_isolated(system: System, t: float, q: FloatArray, where: IntArray) -> None:
    free = np.setdiff1d(np.arange(system.n_q), where)
    rows = system.jacobian(t, q, system.position_rows).toarray()
    left = space(rows[:, free]).null.shape[1]
    if left:
        raise OptionError(
            f"The given coordinates leave {left} degree(s) of freedom of '{system.data.model}', "
            "so there is no end of assemblies.",
            f"Give {left} coordinate(s) more, or drive them.",
        )


def _assembly(system: System, t: float, q: FloatArray, guess: FloatArray) -> Assembly:
    zero, lam = np.zeros(system.n_q), np.zeros(system.n_lam)
    outputs = system.named_outputs(t, q, zero, zero, lam)
    return Assembly(q, float(np.abs(q - guess).max(initial=0.0)), outputs)
