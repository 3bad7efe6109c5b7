"""Description of an ensemble job, and the outcome of a block besides its series."""

from dataclasses import dataclass, field

import numpy as np

from mbdgen.runtime.accuracy.error_estimate import extents_between
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.member_block import (
    ENERGY_DRIFT,
    ENERGY_SCALE,
    REACHED,
    SOURCES,
    TOTAL_ENERGY,
)
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.monitors.energy_balance import NOTES, Balance
from mbdgen.runtime.results.result_series import ENERGIES, SeriesColumn
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.system.system_data import FloatArray, IntArray, Names

NOT_ASSEMBLED = 11
"""Status (negative in results) of a member without consistent initial values."""
ENDED = 1
"""Status of a member that ended early, because a moving point left its path."""
RECORDED = ("kinetic", "potential", "work")
"""Energies in the order of a record."""


@dataclass(frozen=True)
class Job:
    """Common settings of all members.

    Attributes
    ----------
    method, options : Method, tuple of float
        The integrator.
    plan : Schedule
        Instants and steps.
    h : float
        Step size that was asked for.
    series : tuple of SeriesColumn
        What is kept of every member.
    """

    method: Method
    options: tuple[float, ...]
    plan: Schedule
    h: float
    series: tuple[SeriesColumn, ...]


@dataclass(frozen=True)
class BlockOutcome:
    """How the members of a block ended.

    Attributes
    ----------
    status : array of int
        0 done, `ENDED`, below 0 failed.
    counters, numbers : array
        See `mbdgen.runtime.ensembles.member_block.MemberBlock`.
    messages : dict
        One text for every member that did not reach the end, by its number in the block.
    cpu_s : float
        Time of the processor in the block.
    warnings : dict
        Warnings of members that have a success, by number.
    """

    status: IntArray
    counters: IntArray
    numbers: FloatArray
    messages: dict[int, str] = field(default_factory=dict)
    cpu_s: float = 0.0
    warnings: dict[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Moved:
    """What is judged of the motions of the members of a block.

    Attributes
    ----------
    energies : array, shape (members, NOTES)
        See `mbdgen.runtime.monitors.energy_balance.balance_terms`.
    least, most : array, shape (members, n_q)
        Smallest and largest coordinates at recorded instants.
    """

    energies: FloatArray
    least: FloatArray
    most: FloatArray

    @classmethod
    def new(cls, count: int, n_q: int) -> "Moved":
        """Return empty arrays for the results."""
        shapes = (count, NOTES), (count, n_q), (count, n_q)
        return cls(*(np.full(shape, np.nan) for shape in shapes))

    def moves(self, k: int, names: Names) -> bool:
        """Return whether a member moves, judged by its extreme coordinates."""
        least, most = self.least[k], self.most[k]
        if not np.isfinite(least.sum() + most.sum()):
            return True
        return extents_between(least, most, names.coordinates)[1]


def checked(
    found: BlockOutcome, moved: Moved, job: Job, names: Names, members: Members
) -> BlockOutcome:
    """Return how members ended that have looked at themselves: as single runs, but at energy only.

    A member whose energy does not balance is no success, and keeps its series; energy that a
    damping method has taken away is a warning.
    """
    damps = job.method.damps(job.options)
    for k in np.flatnonzero(found.status == 0).tolist():
        numbers = found.numbers[k].tolist()
        energy = Balance.of(
            moved.energies[k], numbers[ENERGY_DRIFT], numbers[ENERGY_SCALE], moved.moves(k, names)
        )
        if text := energy.broken(damps):
            found.status[k] = -BROKEN
            found.messages[k] = (
                f"{members.describe(k)}: The end was reached at t = "
                f"{numbers[REACHED]:g} s, but {text}"
            )
        elif text := energy.doubt():
            found.warnings[k] = (text,)
    return found


def table_of(column: SeriesColumn) -> tuple[int, int]:
    """Return table and column of a record that hold a series."""
    if column.source != "energies":
        return SOURCES.index(column.source), column.index
    if ENERGIES[column.index] == "total":
        return TOTAL_ENERGY, 0
    return SOURCES.index("energies"), RECORDED.index(ENERGIES[column.index])
