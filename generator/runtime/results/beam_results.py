r"""Results along beams: positions, strains, section forces, contact.

A generated module has a function of arrays for every type of element that is an integral along a
flexible body. It returns the quantities of such an element at every coordinate :math:`\xi`; those
of several elements with the same name and coordinate (two pulleys under one belt) are added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.gauss_legendre import gauss
from mbdgen.runtime.results.scene_figures import scene_of
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.system_data import FloatArray, IntArray, SectionFunction, reals

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.system.system import System

PLACES = (0.0, 0.5, 1.0)
"""Default coordinates in an element: both ends and the middle."""
AT_ONCE = 200
"""Number of instants evaluated together if there are many points."""
COMMON = "length"
"""Name of the quantity that belongs to the element and not to a point."""
ENERGY = "energy"
"""Name of the strain energy per length."""


class BeamProfile(NamedTuple):
    """A quantity along a beam.

    Attributes
    ----------
    s : array, shape (n,)
        Distance from the start along the unstrained beam. Points between elements are there twice:
        values may be discontinuous.
    values : array, shape (n,), (n, 3), (n_t, n) or (n_t, n, 3)
        At one instant or at all recorded ones; scalar or vector.
    unit : str
        Unit of the values.
    """

    s: FloatArray
    values: FloatArray
    unit: str


@dataclass(frozen=True, eq=False)
class LineMotion:
    """All quantities along one beam.

    Attributes
    ----------
    names, units : tuple of str
        Quantities: ``r.x``, ``moment``, ...
    lengths : array, shape (elements,)
        Natural lengths.
    places : array, shape (places,)
        Coordinates in every element, from 0 to 1.
    values : array, shape (names, n_t, elements, places)
        Values.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    lengths: FloatArray
    places: FloatArray
    values: FloatArray

    @cached_property
    def s(self) -> FloatArray:
        """Arc lengths from the start, shape (elements * places,)."""
        starts = np.cumsum(self.lengths) - self.lengths
        found: FloatArray = (starts[:, None] + np.outer(self.lengths, self.places)).ravel()
        return found

    def rows(self, wanted: "IntArray | slice") -> "LineMotion":
        """Return a selection of instants."""
        values = self.values[:, wanted]
        return LineMotion(self.names, self.units, self.lengths, self.places, values)

    def profile(self, what: str, beam: str) -> BeamProfile:
        """Return a quantity at all instants.

        Raises
        ------
        OptionError
            If there is no quantity of that name.
        """
        found = [k for k, name in enumerate(self.names) if what in (name, name.rpartition(".")[0])]
        if not found:
            known = dict.fromkeys(name.rpartition(".")[0] or name for name in self.names)
            raise OptionError(
                f"Nothing called {what!r} is known along beam '{beam}'.",
                f"There are: {', '.join(known)}.",
            )
        values = self.values[found].reshape(len(found), self.values.shape[1], -1)
        values = values[0] if what in self.names else np.moveaxis(values, 0, -1)
        return BeamProfile(self.s, values, self.units[found[0]])


@dataclass(frozen=True, eq=False)
class BeamMotions:
    """Evaluation of beam quantities from recorded states.

    Attributes
    ----------
    beams : dict of str to tuple of int
        Indices of the bodies that are their elements.
    types : tuple of Telling
        Functions and the quantities they return.
    p : array
        Parameter table.
    n_states : int
        Number of values after the outputs that are states of the bodies: 0 if these are the
        coordinates of the system.
    """

    beams: dict[str, tuple[int, ...]]
    types: tuple[SectionFunction, ...]
    p: FloatArray
    n_states: int

    def motion(
        self,
        beam: str,
        t: FloatArray,
        state: tuple[FloatArray, FloatArray, FloatArray],
        places: Sequence[float] = PLACES,
    ) -> LineMotion:
        """Return the quantities along a beam for rows of coordinates and their rates."""
        elements = self._elements(beam)
        units = {name: unit for x in self.types for name, unit in x.quantities if _any(x, elements)}
        values = {name: np.zeros((len(t), len(elements), len(places))) for name in units}
        with np.errstate(all="ignore"):
            for kind in self.types:
                if _any(kind, elements):
                    self._add(kind, elements, t, state, places, values)
        lengths = values.pop(COMMON)[0, :, 0]
        names = tuple(name for name in units if name != COMMON)
        return LineMotion(
            names,
            tuple(units[name] for name in names),
            lengths,
            np.array(places, float),
            np.array([values[name] for name in names]),
        )

    def rules(self, beam: str) -> IntArray:
        """Return the number of Gauss points of the energy integral of each element."""
        elements = self._elements(beam)
        found = np.zeros(len(elements), np.int64)
        for kind in self.types:
            if any(name == ENERGY for name, _ in kind.quantities):
                found[[elements[int(x)] for x in kind.bodies if x in elements]] = kind.rule
        return found

    def _elements(self, beam: str) -> dict[int, int]:
        """Return the index in the beam for each body index."""
        return {body: k for k, body in enumerate(self.beams[beam])}

    def _add(
        self,
        kind: SectionFunction,
        elements: dict[int, int],
        t: FloatArray,
        state: tuple[FloatArray, FloatArray, FloatArray],
        places: Sequence[float],
        values: dict[str, FloatArray],
    ) -> None:
        """Add the quantities of the elements of a type."""
        own = np.array([k for k, body in enumerate(kind.bodies) if body in elements])
        levels = [np.moveaxis(x[:, kind.coordinates[own]], 2, 0)[..., None] for x in state]
        out = np.zeros((len(kind.quantities), len(t), len(own), len(places)))
        numbers = self.p[kind.numbers[own].T][:, :, None]
        kind.function(t[:, None, None], *levels, reals(places), numbers, out)
        at = [elements[int(body)] for body in kind.bodies[own]]
        for (name, _), part in zip(kind.quantities, out, strict=True):
            for k, column in enumerate(at):
                values[name][:, column] += part[:, k]


def lines_of(system: "System") -> BeamMotions | None:
    """Return the evaluation for a system with its present parameters; None without beams."""
    data = system.data
    number = {name: k for k, name in enumerate(data.bodies)}
    beams = {x.name: tuple(number[b] for b in x.bodies) for x in scene_of(system).of("beam")}
    if not beams or not data.along:
        return None
    return BeamMotions(beams, data.along, system.work.p.copy(), len(data.names.bodies))


def _any(kind: SectionFunction, elements: dict[int, int]) -> bool:
    return any(int(body) in elements for body in kind.bodies)


@dataclass(frozen=True, eq=False)
class StoredLines:
    """Beam results stored in a file.

    Attributes
    ----------
    motions : dict of str to LineMotion
        For each beam, at all recorded instants.
    strain_energy : array, shape (n_t,)
        Strain energy of all beams.
    """

    motions: dict[str, LineMotion]
    strain_energy: FloatArray


def line_of(result: "Result", beam: str, rows: Any, places: Sequence[float] | None) -> LineMotion:
    """Return all quantities along a beam of a result: see `Result.line`."""
    check_beam(result.beams, beam)
    lines = result.lines
    if not isinstance(lines, BeamMotions):
        assert lines is not None
        if places is not None:
            raise OptionError(
                "A result from a file knows beams at the ends and in the middles of elements.",
                "Leave out the places, or simulate again.",
            )
        return lines.motions[beam].rows(rows)
    state = [x[rows] for x in (result.q, result.v, result.a)]
    if lines.n_states:
        states = result.outputs[rows, result.outputs.shape[1] - lines.n_states :]
        state = np.split(states, 3, axis=1)
    levels = state[0], state[1], state[2]
    return lines.motion(beam, result.t[rows], levels, PLACES if places is None else places)


def strain_energy(result: "Result") -> FloatArray:
    """Return the strain energy of all beams of a result, by the quadrature rule of each element."""
    assert isinstance(result.lines, BeamMotions)
    total = np.zeros(len(result.t))
    for beam in result.beams:
        own = result.lines.rules(beam)
        for rule in np.unique(own):
            nodes, weights = gauss(int(rule))
            for first in range(0, len(total), AT_ONCE):
                rows = slice(first, first + AT_ONCE)
                line = result.line(beam, rows, tuple(nodes))
                density = line.values[line.names.index(ENERGY)]
                lengths = np.where(own == rule, line.lengths, 0.0)
                total[rows] += np.einsum("tep,e,p->t", density, lengths, weights)
    return total


def check_beam(beams: Sequence[str], name: str) -> None:
    """Raise an error unless the beam exists."""
    if name not in beams:
        there = f"The beams are: {listed(tuple(beams), 12)}." if beams else "It has no beams."
        raise OptionError(f"There is no beam '{name}'.", there)
