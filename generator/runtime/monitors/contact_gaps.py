"""Gaps between many spheres and planes, for `mbdgen.runtime.monitors.missed_contacts`.

Within a step the relative path of two spheres is the cubic Hermite interpolant of positions and
velocities; a sphere too fast for that is assumed to leave another one along the chord. The duration
of a contact follows from its force law, as in `mbdgen.forces.meeting`: three times its
largest depth divided by the approach velocity.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.cubic_hermite import hermite
from mbdgen.interface import CROWD, CROWD_TABLE
from mbdgen.runtime.monitors.neighbour_lists import (
    EXPONENT,
    KINDS,
    MEMBERS,
    NUMBERS,
    PLANE_NUMBERS,
    PLANES,
    STIFFNESS,
    TABLES,
    WIDTH,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray, SystemData

ALL_PAIRS = 32
"""Number of members up to which all pairs are checked; above, a k-d tree is used."""
INSIDE = (0.25, 0.5, 0.75)
"""Interpolation points within a step."""
TINY = 1e-300


class GapSeries(NamedTuple):
    """Gaps of some pairs at step ends, one row each, and extrema within the steps.

    Attributes
    ----------
    first, second : array of int
        Indices of two members, or of a member and a plane.
    gap, rate, speed : array
        Gap, its rate, and the relative speed.
    low, enter, dwell : array
        Smallest gap within the step that ends there, the approach velocity, and the time that free
        flight through each other would take.
    """

    first: IntArray
    second: IntArray
    gap: FloatArray
    rate: FloatArray
    speed: FloatArray
    low: FloatArray
    enter: FloatArray
    dwell: FloatArray


class Gaps:
    """Members of a crowd, and the contact law between them.

    Parameters
    ----------
    data : SystemData
        Data of the system.
    at : int
        Index at which the table of the crowd begins.
    """

    def __init__(self, data: SystemData, at: int) -> None:
        m = data.tables.m
        self._numbers, self._kinds = int(m[at + NUMBERS]), int(m[at + KINDS])
        self._count, n, width = int(m[at + PLANES]), int(m[at + MEMBERS]), int(m[at + WIDTH])
        tables = int(m[at + TABLES])
        rows = at + len(CROWD) + len(CROWD_TABLE) * tables
        others = 1 if self._count else self._kinds
        listed = rows + tables * self._kinds * others
        members = m[listed : listed + n * width].reshape(n, width)
        self.species, self.columns = members[:, 0], members[:, 1]
        laws = m[rows : rows + self._kinds * others].reshape(self._kinds, others)
        self._law = laws + m[at + STIFFNESS], laws + m[at + EXPONENT]
        coordinates = data.names.coordinates
        self._names = [coordinates[k].rpartition(".")[0] for k in self.columns]
        self.tangents = True
        """Whether steps may rebound spheres by a force evaluated only within the step."""
        self.members: IntArray = np.zeros(0, np.int64)
        """Columns of the coordinates of its members."""

    def read(self, p: FloatArray) -> None:
        """Read the contact parameters, radii, masses and planes."""
        kinds, at = self._kinds, self._numbers + 1
        self.radii = p[at : at + kinds][self.species]
        planes = p[at + kinds : at + kinds + PLANE_NUMBERS * self._count].reshape(-1, 2, 3)
        self._points, self._normals = planes[:, 0], planes[:, 1]
        mass = p[at + kinds + PLANE_NUMBERS * self._count :][:kinds]
        self._stiffness, self._exponent = p[self._law[0]], p[self._law[1]]
        both = mass[:, None] * mass / (mass[:, None] + mass)
        self._mass = mass[:, None] if self._count else both

    @property
    def smallest(self) -> float:
        """Smallest sum of two radii; infinite for planes, which cannot be passed."""
        return np.inf if self._count else 2.0 * float(self.radii.min())

    def shortest(self, speed: FloatArray) -> FloatArray:
        """Return the duration of the shortest contact of two members, for approach velocities."""
        law = self._stiffness, self._exponent, self._mass
        found: FloatArray = self._lasts(*law, speed[:, None, None]).min(axis=(1, 2))
        return found

    def lasts(self, first: IntArray, second: IntArray, speed: FloatArray) -> FloatArray:
        """Return the duration of contacts of pairs with given approach velocities."""
        s = self.species[first]
        t = np.zeros_like(s) if self._count else self.species[second]
        # Laws are known for kinds in the order of members.
        return self._lasts(self._stiffness[s, t], self._exponent[s, t], self._mass[s, t], speed)

    @staticmethod
    def _lasts(k: FloatArray, n: FloatArray, m: FloatArray, speed: FloatArray) -> FloatArray:
        v = np.maximum(speed, TINY)
        found: FloatArray = 3.0 / v * ((n + 1.0) * m * v**2 / (2.0 * k)) ** (1.0 / (n + 1.0))
        return found

    def dwell(self, series: GapSeries, at: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the time of free flight through each other, with the velocity at an index."""
        gap, rate, speed = series.gap[at], series.rate[at], np.maximum(series.speed[at], TINY)
        if self._count:
            return np.full_like(gap, np.inf)
        both = self.radii[series.first[at[1]]] + self.radii[series.second[at[1]]]
        aside = (gap + both) ** 2 * np.maximum(1.0 - (rate / speed) ** 2, 0.0)
        found: FloatArray = 2.0 * np.sqrt(np.maximum(both**2 - aside, 0.0)) / speed
        return found

    def named(self, first: int, second: int) -> str:
        """Return the names of two members."""
        if self._count:
            x, y, z = self._normals[second]
            return f"'{self._names[first]}' and the plane with the normal ({x:g}, {y:g}, {z:g})"
        return f"'{self._names[first]}' and '{self._names[second]}'"

    def pairs(self, x: FloatArray, travel: float) -> tuple[IntArray, IntArray]:
        """Return the pairs that may touch if every member moves at most the distance ``travel``."""
        n = len(self.species)
        if self._count:
            heights = x @ self._normals.T - (self._points * self._normals).sum(-1)
            first, second = np.nonzero(heights < self.radii[:, None] + travel)
            return first, second
        if n <= ALL_PAIRS:
            return self._all
        from scipy.spatial import cKDTree  # slow to import, and only steps in doubt need it

        found = cKDTree(x).query_pairs(2.0 * (self.radii.max() + travel), output_type="ndarray")
        return found[:, 0], found[:, 1]

    @cached_property
    def _all(self) -> tuple[IntArray, IntArray]:
        first, second = np.triu_indices(len(self.species), 1)
        return first, second

    def series(
        self, h: FloatArray, x: FloatArray, v: FloatArray, pairs: tuple[IntArray, IntArray]
    ) -> GapSeries:
        """Return the gaps of some pairs along a motion of the members."""
        first, second = pairs
        if self._count:
            return self._of_planes(h, x[:, first] - self._points[second], v[:, first], pairs)
        return self._of_spheres(h, x[:, second] - x[:, first], v[:, second] - v[:, first], pairs)

    def _of_planes(
        self, h: FloatArray, d: FloatArray, u: FloatArray, pairs: tuple[IntArray, IntArray]
    ) -> GapSeries:
        first, second = pairs
        normal = self._normals[second]
        gap, rate = (d * normal).sum(-1) - self.radii[first], (u * normal).sum(-1)
        low = np.full_like(gap, np.inf)
        inside = [_cubic(s, h[1:, None], gap, rate) for s in INSIDE]
        low[1:] = np.min(inside, axis=0)
        straight = gap[:-1] + h[1:, None] * rate[:-1]
        thrown = self.tangents & (rate[:-1] < 0.0) & (rate[1:] > 0.0)
        low[1:] = np.where(thrown, np.minimum(low[1:], straight), low[1:])
        enter = np.zeros_like(gap)
        enter[1:] = -rate[:-1]
        speed, dwell = np.linalg.norm(u, axis=-1), np.full_like(gap, np.inf)
        return GapSeries(first, second, gap, rate, speed, low, enter, dwell)

    def _of_spheres(
        self, h: FloatArray, d: FloatArray, u: FloatArray, pairs: tuple[IntArray, IntArray]
    ) -> GapSeries:
        first, second = pairs
        both = self.radii[first] + self.radii[second]
        distance = np.linalg.norm(d, axis=-1)
        gap, rate = distance - both, (d * u).sum(-1) / np.maximum(distance, TINY)
        low, enter, dwell = np.full_like(gap, np.inf), np.zeros_like(gap), np.full_like(gap, np.inf)
        inside = [np.linalg.norm(_cubic(s, h[1:, None, None], d, u), axis=-1) for s in INSIDE]
        low[1:] = np.min(inside, axis=0) - both
        enter[1:] = -rate[:-1]
        changes = [(np.diff(d, axis=0), np.ones_like(rate[1:], bool))]
        if self.tangents:
            changes.append((h[1:, None, None] * u[:-1], (rate[:-1] < 0.0) & (rate[1:] > 0.0)))
        for along, chosen in changes:
            length = np.maximum((along**2).sum(-1), TINY)
            part = np.clip(-(d[:-1] * along).sum(-1) / length, 0.0, 1.0)
            nearest = ((d[:-1] + part[..., None] * along) ** 2).sum(-1)
            half = np.sqrt(np.maximum(both**2 - nearest, 0.0))
            pace = np.sqrt(length) / h[1:, None]
            # Distance to the surface, not to the centre.
            passes = chosen & (half > 0.0) & (part > 0.0) & (part - half / np.sqrt(length) < 1.0)
            low[1:] = np.where(passes, np.minimum(low[1:], np.sqrt(nearest) - both), low[1:])
            enter[1:] = np.where(passes, pace * half / both, enter[1:])
            dwell[1:] = np.where(passes, 2.0 * half / pace, dwell[1:])
        return GapSeries(first, second, gap, rate, np.linalg.norm(u, axis=-1), low, enter, dwell)


def gaps_of(data: SystemData) -> tuple[list[Gaps], IntArray]:
    """Return all crowds of a system, and the first coordinates of all their members."""
    found = [Gaps(data, int(at)) for at in data.crowds]
    if not found:
        return [], np.zeros(0, np.int64)
    columns = np.unique(np.concatenate([one.columns for one in found]))
    for one in found:
        one.members = np.searchsorted(columns, one.columns)
    return found, columns


class Columns:
    """Selection of coordinate triples from rows of a table; a view if they are equally spaced.

    Parameters
    ----------
    columns : array of int
        Index of the first coordinate of each triple.

    Attributes
    ----------
    all : array of int, shape (places, 3)
        Selected indices.
    """

    def __init__(self, columns: IntArray) -> None:
        self.all: IntArray = columns[:, None] + np.arange(3)
        strides = np.unique(np.diff(columns))
        self._stride = int(strides[0]) if len(strides) == 1 else 0
        self._slice = slice(int(columns[0]), int(columns[-1]) + self._stride)

    def of(self, table: FloatArray) -> FloatArray:
        """Return the selection, of shape (rows, places, 3)."""
        if self._stride and self._slice.stop <= table.shape[1]:
            part = table[:, self._slice]
            return part.reshape(len(table), -1, self._stride)[:, :, :3]
        return table[:, self.all]


def _cubic(s: float, h: FloatArray, x: FloatArray, v: FloatArray) -> FloatArray:
    """Return a series at a fraction ``s`` of each step, by cubic Hermite interpolation."""
    x0, v0, x1, v1 = hermite(s, h)
    found: FloatArray = x0 * x[:-1] + v0 * v[:-1] + x1 * x[1:] + v1 * v[1:]
    return found


def stretches(chosen: NDArray[np.bool_]) -> Sequence[tuple[int, int]]:
    """Return start and end of all contiguous ranges that are chosen."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
