"""Result of an ensemble: arrays with the member as first axis, access by name or index."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.ensembles.member_block import (
    ENERGY_DRIFT,
    ENERGY_SCALE,
    MAX_PHI,
    MAX_PHI_DDOT,
    MAX_PHI_DOT,
    REACHED,
)
from mbdgen.runtime.ensembles.series_stores import Store
from mbdgen.runtime.results.result_series import Directory, SeriesColumn
from mbdgen.runtime.results.sentence_parts import counted, listed
from mbdgen.runtime.stepping.run_info import Counters
from mbdgen.runtime.system.run_workspace import FACTORISATIONS, NEWTON, REJECTED, STEPS
from mbdgen.runtime.system.system_data import FloatArray, IntArray, Names

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True)
class EnsembleInfo:
    """What was simulated and how.

    Attributes
    ----------
    model, method, formulation, backend, layout : str
        Names of the choices made.
    members : int
        How many simulations.
    h, t_end : float
        Step size and end.
    workers : int
        Threads; for an executor, half of the blocks that it had at a time.
    """

    model: str
    method: str
    formulation: str
    backend: str
    layout: str
    members: int
    h: float
    t_end: float
    workers: int


@dataclass(frozen=True, eq=False)
class Member:
    """One simulation of an ensemble, as far as its series were kept.

    Attributes
    ----------
    index : int
        Number in the ensemble.
    parameters : dict
        What distinguishes it (initial states are not repeated here).
    t : array
        Recorded instants, as far as it came.
    success, status, message, counters, warnings
        As in `mbdgen.Result`; status -11: there are no consistent initial values.
    """

    index: int
    parameters: dict[str, float]
    t: FloatArray
    success: bool
    status: int
    message: str
    counters: Counters
    directory: Directory = field(repr=False)
    values: FloatArray = field(repr=False)
    warnings: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> FloatArray:
        """Return a series ``(n_t,)`` or, for a prefix, all its components ``(n_t, k)``."""
        if key == "t":
            return self.t
        found, single = self.directory.select(key)
        columns = [self.directory.everything.index(column) for column in found]
        return self.values[:, columns[0]] if single else self.values[:, columns]

    def keys(self) -> list[str]:
        """List the names of all series."""
        return ["t", *(column.name for column in self.directory.everything)]


@dataclass(frozen=True, eq=False, repr=False)
class EnsembleResult:
    """Recorded motions of all members.

    Attributes
    ----------
    t : array, shape (n_t,)
        Recorded instants, the same for every member.
    parameters : dict of array
        Values of the changing parameters, one for every member.
    columns : tuple of SeriesColumn
        The series that were kept.
    store : Store
        Where they are.
    status : array of int
        0: the end was reached, 1: it ended early, because a moving point left its path, below 0:
        failed (-106: the end was reached, but the energy of the motion does not balance).
    messages : dict
        What happened to the members that did not reach the end, by number.
    counters : array of int, shape (n, 4)
        Steps, Newton iterations, factorisations, steps that were taken back.
    numbers : array, shape (n, 6)
        Time reached, largest constraint residuals (position, velocity, acceleration), energy drift,
        and its scale.
    names : Names
        Names of the whole system.
    info : EnsembleInfo
        What was simulated and how.
    timings : dict
        ``wall_s`` of the whole computation, ``cpu_s`` of all members together.
    path : Path or None
        The file that the series are in.
    resumed : int
        Members that an earlier process had computed.
    warnings : dict
        Of members that are successes all the same, by number: energy that their method has taken
        away.

    Examples
    --------
    ``result["tip.y"]`` has the shape ``(members, n_t)``, ``result["tip"]`` one axis more for the
    components, ``result[17]`` is a member. What a failed member did not reach is NaN.
    """

    t: FloatArray
    parameters: Mapping[str, FloatArray]
    columns: tuple[SeriesColumn, ...]
    store: Store
    status: IntArray
    messages: Mapping[int, str]
    counters: IntArray
    numbers: FloatArray
    names: Names
    info: EnsembleInfo
    timings: dict[str, float]
    path: Path | None = None
    resumed: int = 0
    warnings: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def directory(self) -> Directory:
        """All kept series, for access by name."""
        return Directory(self.names, list(self.columns))

    @property
    def success(self) -> bool:
        """Whether no member failed."""
        return not (self.status < 0).any()

    @property
    def failed(self) -> IntArray:
        """Indices of the members that failed."""
        return np.flatnonzero(self.status < 0)

    @property
    def ended(self) -> IntArray:
        """Indices of the members that ended early, because a moving point left its path."""
        return np.flatnonzero(self.status > 0)

    @property
    def reached(self) -> FloatArray:
        """Time that every member reached (NaN: it could not begin)."""
        return self.numbers[:, REACHED]

    @property
    def energy_drift(self) -> FloatArray:
        """Largest ``|E(t) - E(0) - W(t)|`` of every member."""
        return self.numbers[:, ENERGY_DRIFT]

    @property
    def message(self) -> str:
        """How the ensemble ended, in one or two sentences."""
        before = self.ended if self.success else self.failed
        if not len(before):
            every = "The member" if len(self) == 1 else f"All {len(self)} members"
            return f"{every} reached t = {self.info.t_end:g} s."
        missing = np.count_nonzero(self.status)
        how = f"reach t = {self.info.t_end:g} s"
        if self.status.min() == -BROKEN:  # the lowest of all
            how += " by a motion that can be right"
        return (
            f"{missing} of {counted(len(self), 'member')} did not {how}. "
            f"{self.messages[int(before[0])]}"
        )

    @property
    def warned(self) -> str:
        """How many members have warnings, and the first one of the first; empty without any."""
        if not self.warnings:
            return ""
        first, count = min(self.warnings), len(self.warnings)
        verb = "has a warning" if count == 1 else "have warnings"
        return (
            f"{count} of {counted(len(self), 'member')} {verb}. Member {first}: "
            f"{self.warnings[first][0]}"
        )

    def __len__(self) -> int:
        return len(self.status)

    def __iter__(self) -> Iterator[Member]:
        return (self.member(i) for i in range(len(self)))

    def __contains__(self, key: object) -> bool:
        return key == "t" or key in self.directory

    @overload
    def __getitem__(self, key: str) -> FloatArray: ...
    @overload
    def __getitem__(self, key: int) -> Member: ...
    def __getitem__(self, key: str | int) -> FloatArray | Member:
        """Return a series of all members by name, or a member by number."""
        if not isinstance(key, str):
            return self.member(key)
        if key == "t":
            return self.t
        found, single = self.directory.select(key)
        parts = [self.store.series(self.columns.index(column)) for column in found]
        return parts[0] if single else np.stack(parts, axis=-1)

    def keys(self) -> list[str]:
        """List the names of all series."""
        return ["t", *(column.name for column in self.columns)]

    def member(self, i: int) -> Member:
        """Return one member."""
        if not isinstance(i, int | np.integer) or not -len(self) <= i < len(self):
            raise OptionError(
                f"There is no member {i!r}.", f"The ensemble has members 0 to {len(self) - 1}."
            )
        i = int(i) % len(self)
        reached = self.numbers[i, REACHED]
        rows = int(np.count_nonzero(self.t <= reached))
        counts, numbers = self.counters[i], self.numbers[i]
        return Member(
            index=i,
            parameters={name: float(values[i]) for name, values in self.parameters.items()},
            t=self.t[:rows],
            success=bool(self.status[i] >= 0),
            status=int(self.status[i]),
            message=self.messages.get(i, f"The end was reached at t = {reached:g} s."),
            counters=Counters(
                steps=int(counts[STEPS]),
                accepted=int(counts[STEPS]),
                newton_iterations=int(counts[NEWTON]),
                factorisations=int(counts[FACTORISATIONS]),
                rejected=int(counts[REJECTED]),
                max_phi=float(numbers[MAX_PHI]),
                max_phi_dot=float(numbers[MAX_PHI_DOT]),
                max_phi_ddot=float(numbers[MAX_PHI_DDOT]),
                energy_drift=float(numbers[ENERGY_DRIFT]),
                energy_scale=float(numbers[ENERGY_SCALE]),
            ),
            directory=self.directory,
            values=self.store.member(i)[:rows],
            warnings=self.warnings.get(i, ()),
        )

    def summary(self) -> dict[str, Any]:
        """Return a flat dictionary: choices, counts, failures, times."""
        cpu, steps = self.timings["cpu_s"], int(self.counters[:, STEPS].sum())
        return {
            **asdict(self.info),
            "parameters": list(self.parameters),
            "series": [column.name for column in self.columns],
            "failed": len(self.failed),
            "ended": len(self.ended),
            "resumed": self.resumed,
            "warned": len(self.warnings),
            "failures": {str(i): self.messages[i] for i in map(int, self.failed)},
            "warnings": {str(i): list(texts) for i, texts in sorted(self.warnings.items())},
            "steps": steps,
            "newton_iterations": int(self.counters[:, NEWTON].sum()),
            "energy_drift": float(np.max(self.energy_drift, initial=0.0)),
            **self.timings,
            "us_per_step": 1e6 * cpu / max(1, steps),
            "out": None if self.path is None else str(self.path),
        }

    def to_pandas(self) -> "pandas.DataFrame":
        """Make a table with one row for every member: parameters, how it ended, final values."""
        from mbdgen.runtime.ensembles.ensemble_export import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> "xarray.Dataset":
        """Make a data set with axes ``(member, t)``, a variable for every series."""
        from mbdgen.runtime.ensembles.ensemble_export import to_xarray

        return to_xarray(self)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write one row for every member and instant, completely or not at all."""
        from mbdgen.runtime.ensembles.ensemble_export import to_parquet

        to_parquet(self, path)

    def __repr__(self) -> str:
        info, names = self.info, self.keys()[1:]
        rows = [
            ("message", self.message),
            ("parameters", ", ".join(self.parameters) or "(initial states only)"),
            ("t", f"({len(self.t)},) from {self.t[0]:.6g} to {self.t[-1]:.6g} s"),
            ("series", f"({len(self)}, {len(self.t)}) each: {listed(names, 6)}"),
            ("timings", ", ".join(f"{k} {s:.3g}" for k, s in self.timings.items())),
        ]
        head = f"Ensemble of {counted(len(self), 'simulation')} of '{info.model}' by {info.method}"
        return "\n".join([head, *(f"{name:>10}: {text}" for name, text in rows)])
