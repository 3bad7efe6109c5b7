"""Validation of inertia: masses and moments of inertia must not be negative for new parameters.

A module does not declare which of its parameters are masses, and body types may use them freely.
But in virtual displacements the mass matrix ``M T`` is symmetric, every body has a diagonal block
of its own in it, and every block must be positive semidefinite.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.system.displacement_maps import maps
from mbdgen.runtime.system.run_workspace import INDEX_1
from mbdgen.runtime.system.system_data import FloatArray, IntArray

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

ROUNDING = 1e-12
"""Relative tolerance, by the largest entry, of negative round-off (thin rods have a zero)."""


@dataclass(frozen=True, eq=False)
class InertiaBlock:
    """Position of the inertia of one body in the mass matrix.

    Attributes
    ----------
    name : str
        The body.
    first, last : int
        Its first coordinate, and the one after its last.
    dynamics : array of int
        Its rows without norm rows, counted from ``first``.
    entries, place : array of int
        Indices in the values of the matrix, and in the flattened square of the body.
    """

    name: str
    first: int
    last: int
    dynamics: IntArray
    entries: IntArray
    place: IntArray

    def lowest(self, values: FloatArray, rates: Mapping[int, FloatArray]) -> float:
        """Return the smallest eigenvalue of ``M T``, 0 if none is below the round-off.

        Parameters
        ----------
        values : array
            Values of the matrix.
        rates : mapping
            Blocks of T by their first coordinates.
        """
        size = self.last - self.first
        mass = np.zeros(size * size)
        mass[self.place] = values[self.entries]
        square = mass.reshape(size, size)
        for first in rates.keys() & set(range(self.first, self.last)):
            place = slice(first - self.first, first - self.first + len(rates[first]))
            square[:, place] = square[:, place] @ rates[first]
        block = square[np.ix_(self.dynamics, self.dynamics)]
        if not np.isfinite(block).all():
            return 0.0  # assembly reports the equation
        lowest = float(np.linalg.eigvalsh(0.5 * (block + block.T)).min(initial=0.0))
        return lowest if lowest < -ROUNDING * float(np.abs(block).max(initial=0.0)) else 0.0


class Inertias:
    """Inertia blocks of all bodies, and the parameters that each depends on.

    Parameters
    ----------
    system : System
        With valid parameters.
    """

    def __init__(self, system: "System") -> None:
        self._blocks = list(_blocks(system))
        self._of_parameter: dict[str, tuple[InertiaBlock, ...]] = {}

    def of(self, system: "System", parameters: Sequence[str]) -> tuple[InertiaBlock, ...]:
        """Return the bodies whose inertia depends on one of the parameters."""
        for name in parameters:
            if name not in self._of_parameter:
                self._of_parameter[name] = self._found(system, name)
        if len(parameters) == 1:
            return self._of_parameter[parameters[0]]
        wanted = {block.first for name in parameters for block in self._of_parameter[name]}
        return tuple(block for block in self._blocks if block.first in wanted)

    def _found(self, system: "System", parameter: str) -> tuple[InertiaBlock, ...]:
        """Set a parameter to NaN, which propagates to all that depends on it."""
        values, spec = system.parameters, system.data.parameters
        values[parameter] = float("nan")
        p = system.work.p.copy()
        try:
            derived = np.asarray(spec.derived([values[name] for name in spec.names]))
            system.work.p[spec.p_targets[:, 0]] = derived[spec.p_targets[:, 1]]
            missing = np.isnan(_mass(system))
        except (ArithmeticError, ValueError):  # an expression that takes no NaN
            return tuple(self._blocks)
        finally:
            system.work.p[:] = p
        return tuple(block for block in self._blocks if missing[block.entries].any())


def check_inertia(system: "System", blocks: Sequence[InertiaBlock], changed: str) -> None:
    """Refuse parameters that make a mass or a moment of inertia negative.

    Parameters
    ----------
    blocks : sequence of InertiaBlock
        Bodies to check.
    changed : str
        The new parameters, for the message.
    """
    values = _mass(system) if blocks else np.zeros(0)
    rates = maps(system, 0.0, system.q0) if blocks else {}
    for block in blocks:
        if block.lowest(values, rates) < 0.0:
            raise OptionError(
                f"With {changed} the mass or a moment of inertia of body '{block.name}' is "
                "negative.",
                "Choose other values.",
            )


def _mass(system: "System") -> FloatArray:
    """Return the values of the index-1 matrix at the initial position, NaN if undefined there."""
    zero, lam = np.zeros(system.n_q), np.zeros(system.n_lam)
    try:
        return system.matrix_values(0.0, system.q0, zero, zero, lam, INDEX_1)
    except OptionError:
        return np.full(len(system.work.values), np.nan)


def _blocks(system: "System") -> Iterator[InertiaBlock]:
    """Yield the blocks of the bodies: their rows and columns have the same indices."""
    work, first = system.work, 0
    norms = set(work.rows.tolist())
    for name, owned in groupby(system.names.row_owners[: system.n_q]):
        last = first + len(list(owned))
        size, inside = last - first, range(first, last)
        entries = np.arange(work.indptr[first], work.indptr[last])
        rows = work.indices[entries] - first
        columns = np.repeat(np.arange(size), np.diff(work.indptr[first : last + 1]))
        own = (rows >= 0) & (rows < size)
        yield InertiaBlock(
            name=name,
            first=first,
            last=last,
            dynamics=np.array([k - first for k in inside if k not in norms], np.int64),
            entries=entries[own],
            place=rows[own] * size + columns[own],
        )
        first = last
