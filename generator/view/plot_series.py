"""Series for plots of a page: few numbers that still show every peak."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.runtime.results import result_series as naming
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result

MOST_SAMPLES = 2000
MOST_SERIES = 120
SOURCES = ("outputs", "energies", "q", "v")
"""Where series come from, the more interesting first."""


@dataclass(frozen=True, eq=False)
class PlotSeries:
    """Some series over the same instants.

    Attributes
    ----------
    t : array, shape (n,)
        Instants.
    names, units : tuple of str
        Of each series.
    values : array, shape (series, n)
        Their values.
    """

    t: FloatArray
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray


def series_of(result: "Result") -> PlotSeries:
    """Return the series of a result that a page offers."""
    everything = [c for c in result.directory.everything if c.source in SOURCES]
    everything.sort(key=lambda column: SOURCES.index(column.source))
    wanted = everything[:MOST_SERIES]
    values = naming.matrix(result, wanted).T
    t, values = thinned(result.t, values)
    names, units = tuple(c.name for c in wanted), tuple(c.unit for c in wanted)
    return PlotSeries(t, names, units, values)


def thinned(t: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return least and greatest values of equal parts of the time, in the order they occur.

    What has few samples is returned as it is.
    """
    if len(t) <= MOST_SAMPLES or not len(values):
        return t, values
    edges = np.linspace(0, len(t), MOST_SAMPLES // 2 + 1).astype(int)
    instants, kept = [], []
    for first, last in pairwise(edges):
        part = values[:, first:last]
        ends = np.sort([np.argmin(part, axis=1), np.argmax(part, axis=1)], axis=0)
        kept.append(np.take_along_axis(part, ends.T, axis=1))
        instants += [t[first], t[(first + last) // 2]]
    # The first and the last instant are the run's, or the plot would begin late and end early.
    instants[-1] = t[-1]
    kept[-1][:, 1], kept[0][:, 0] = values[:, -1], values[:, 0]
    return np.array(instants), np.concatenate(kept, axis=1)
