"""Named series of a result.

=================  ==========================================================
``tip.y``          an output
``rod.x``          a coordinate
``rod.x.dot``      its velocity
``rod.x.ddot``     its acceleration
``pin[0]``         a multiplier
``energy.kinetic`` an energy: ``kinetic``, ``potential``, ``total``, ``work``
``energy.balance`` energy error: energy minus work
``energy.strain``  the strain energy of all beams, which is part of ``energy.potential``
``rod.r``          the centre of mass of a body: see `mbdgen.runtime.results.body_series`
``t``              the time
=================  ==========================================================

A prefix selects all its components: ``tip`` is ``tip.x, tip.y, ...`` as ``(time, n)``, ``pin`` all
its multipliers, ``rod`` all coordinates of the body, ``rod.dot``, ``rod.ddot`` their derivatives.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import OptionError, meant
from mbdgen.runtime.results import body_series
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.system_data import FloatArray, Names

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result
    from mbdgen.runtime.sensitivities.sensitivity_series import Sensitivity

ENERGIES = ("kinetic", "potential", "total", "work")


@dataclass(frozen=True)
class SeriesColumn:
    """One named series: its storage location and unit."""

    name: str
    unit: str
    source: str
    index: int
    chosen: bool = True  # whether an output was requested

    @property
    def group(self) -> str:
        """Prefix shared by this column and its neighbours (empty if there is none)."""
        stem, _, order = self.name.rpartition(".")
        if order in ("dot", "ddot"):
            body = stem.rpartition(".")[0]
            return f"{body}.{order}" if body else ""
        return self.name.rpartition("[")[0] if self.name.endswith("]") else stem


def coordinate_unit(name: str) -> str:
    """Return the unit of a coordinate from the last part of its name (empty if unknown).

    >>> coordinate_unit("rod.x"), coordinate_unit("rod.q0"), coordinate_unit("crank.theta")
    ('m', '1', 'rad')
    """
    last = name.rpartition(".")[2]
    for pattern, unit in (
        (r"[xyz]\d*", "m"),
        (r"q[0-3]", "1"),
        (r"theta|angle(_[ab])?", "rad"),
        ("displacement", "m"),
    ):
        if re.fullmatch(pattern, last):
            return unit
    return ""


def lengths(names: Names) -> NDArray[np.bool_]:
    """Return which coordinates are lengths, as a mask."""
    return np.array([coordinate_unit(name) == "m" for name in names.coordinates], bool)


def rate_unit(unit: str, order: int) -> str:
    """Return the unit of the ``order``-th time derivative of a quantity in ``unit``."""
    second = "s" if order == 1 else f"s^{order}"
    return f"{unit}/{second}" if unit else ""


def columns(names: Names) -> list[SeriesColumn]:
    """List every series of a result; outputs come first because the user named them.

    A name already in use (a coordinate with the name of an output) is prefixed by its array, for
    example ``q.rod.x``, so that names are unique.
    """
    taken = {"t"}
    found = []
    for column in _candidates(names):
        name = column.name
        while name in taken:
            name = f"{column.source}.{name}"
        taken.add(name)
        found.append(replace(column, name=name) if name != column.name else column)
    return found


def _candidates(names: Names) -> Iterator[SeriesColumn]:
    units = names.units or ("",) * len(names.outputs)
    for k, (name, unit) in enumerate(zip(names.outputs, units, strict=True)):
        yield SeriesColumn(name, unit, "outputs", k)
    for order, (source, suffix) in enumerate((("q", ""), ("v", ".dot"), ("a", ".ddot"))):
        for k, name in enumerate(names.coordinates):
            unit = coordinate_unit(name)
            yield SeriesColumn(name + suffix, rate_unit(unit, order) if order else unit, source, k)
    for k, name in enumerate(names.bodies, start=len(names.outputs)):
        yield SeriesColumn(name, _unit_of_state(name), "outputs", k, chosen=False)
    for k, name in enumerate(names.multipliers):
        yield SeriesColumn(name, "", "lam", k)
    for k, name in enumerate(ENERGIES):
        yield SeriesColumn(f"energy.{name}", "J", "energies", k)


def _unit_of_state(name: str) -> str:
    """Return the unit of a coordinate or of its derivative."""
    stem, _, end = name.rpartition(".")
    order = ("dot", "ddot").index(end) + 1 if end in ("dot", "ddot") else 0
    return rate_unit(coordinate_unit(stem), order) if order else coordinate_unit(name)


def with_total(energies: FloatArray) -> FloatArray:
    """Return kinetic, potential, total energy ``T + V``, work, from kinetic, potential, work."""
    kinetic, potential, work = energies.T
    return np.column_stack([kinetic, potential, kinetic + potential, work])


def balance(energies: FloatArray) -> FloatArray:
    """Return ``T + V - W`` minus its initial value: zero except for errors."""
    kinetic, potential, work = energies.T
    total = kinetic + potential - work
    drift: FloatArray = total - total[:1]
    return drift


def matrix(result: "Result | Sensitivity", wanted: Sequence[SeriesColumn]) -> FloatArray:
    """Return the values of columns, shape ``(n_t, len(wanted))``; bodies in results only."""
    sources = {
        "outputs": result.outputs,
        "q": result.q,
        "v": result.v,
        "a": result.a,
        "lam": result.lam,
        "energies": with_total(result.energies),
    }
    values = np.empty((len(result.t), len(wanted)))
    for k, column in enumerate(wanted):
        if column.source == body_series.SOURCE:
            values[:, k] = body_series.values(result.bodies, column.index)  # type: ignore[union-attr]
        elif column.source == STRAIN:
            values[:, k] = result.strain_energy  # type: ignore[union-attr]
        elif column.source == BALANCE:
            values[:, k] = balance(result.energies)
        else:
            values[:, k] = sources[column.source][:, column.index]
    return values


BALANCE, STRAIN = "energy.balance", "energy.strain"
"""Energies computed on request: not among the series listed in a table."""


class Directory:
    """Directory of the series of a result: lookup of columns by name or prefix.

    Parameters
    ----------
    names : Names
        Names of the system.
    chosen : list of SeriesColumn, optional
        Columns of the result, if not all.
    bodies : sequence of str, optional
        Bodies whose motion is available too: see `mbdgen.runtime.results.body_series`.
    derived : sequence of str, optional
        Energies computed on request, `BALANCE` and `STRAIN`.
    """

    def __init__(
        self,
        names: Names,
        chosen: list[SeriesColumn] | None = None,
        bodies: Sequence[str] = (),
        derived: Sequence[str] = (),
    ) -> None:
        self._bodies = bodies
        self._energies = {name: SeriesColumn(name, "J", name, 0, chosen=False) for name in derived}
        self.everything = columns(names) if chosen is None else chosen
        self._single = {column.name: column for column in self.everything}
        self._groups: dict[str, list[SeriesColumn]] = {}
        for column in self.everything:
            members = self._groups.setdefault(column.group, []) if column.group else []
            # A body and an output may share a prefix; it then selects the first kind only.
            if not members or members[0].source == column.source:
                members.append(column)

    def __contains__(self, key: object) -> bool:
        known = key in self._single or key in self._groups or key in self._energies
        return known or bool(self._of_bodies(key))

    def wanted(self, keys: str | Sequence[str] | None) -> list[SeriesColumn]:
        """Return the columns of names and groups, each once, in the requested order.

        None selects the outputs of the model, or for its coordinates if it has none.
        """
        if keys is None:
            outputs = [c for c in self.everything if c.source == "outputs" and c.chosen]
            return outputs or [column for column in self.everything if column.source == "q"]
        names = [keys] if isinstance(keys, str) else keys
        return list(dict.fromkeys(column for key in names for column in self.select(key)[0]))

    def select(self, key: str) -> tuple[list[SeriesColumn], bool]:
        """Return the columns for ``key``, and whether it is a single name, not a group.

        Raises
        ------
        OptionError
            If the name is unknown; close matches are listed.
        """
        if key in self._single:
            return [self._single[key]], True
        if key in self._groups:
            return self._groups[key], False
        if key in self._energies:
            return [self._energies[key]], True
        if of_body := self._of_bodies(key):
            return of_body, len(of_body) == 1
        known = list(dict.fromkeys([*self._single, *self._groups, *self._energies]))
        known += body_series.names_of(self._bodies)
        remedy = meant(key, known, f"It has {listed(known, 8)}.")
        raise OptionError(f"The result has nothing called {key!r}.", remedy)

    def _of_bodies(self, key: object) -> list[SeriesColumn]:
        """Return the components of a vector quantity of a body; empty if it is none."""
        found = body_series.find(self._bodies, key) if isinstance(key, str) else None
        if found is None:
            return []
        stem = f"{self._bodies[found.body]}.{found.quantity.name}"
        return [
            SeriesColumn(
                f"{stem}.{found.quantity.components[k]}",
                found.quantity.unit,
                body_series.SOURCE,
                body_series.column_of(found.body, found.quantity.name, k),
            )
            for k in found.components
        ]
