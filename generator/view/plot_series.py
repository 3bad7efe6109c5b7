"""Reduced series for the plots of a page, which keep every peak."""

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
"""Groups of series, in the order of their relevance."""


@dataclass(frozen=True, eq=False)
class PlotSeries:
    """Series over common instants.

    Attributes
    ----------
    t : array, shape (n,)
        Instants.
    names, units : tuple of str
        Name and unit of each series.
    values : array, shape (series, n)
        Values.
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
    """Return minima and maxima over equal parts of the time, in the order of their occurrence.

    Series with few samples are returned unchanged.
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
    # Keep the first and last instant of the run, so that the plot covers all of it.
    instants[-1] = t[-1]
    kept[-1][:, 1], kept[0][:, 0] = values[:, -1], values[:, 0]
    return np.array(instants), np.concatenate(kept, axis=1)
