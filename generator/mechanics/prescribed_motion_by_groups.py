"""Prescribed motion of a mechanism, solved by its structural groups."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.mechanics.fixed_coordinates import held, places
from mbdgen.mechanics.prescribed_motion import Guided, Law, PrescribedState
from mbdgen.mechanics.spaces import scaled
from mbdgen.runtime.groups.grouped_system import GroupedSystem
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.system.system_data import FloatArray, IntArray

MOST = 8
"""Maximum number of coordinates named in a message."""


@dataclass(frozen=True)
class GuidedByGroups(Guided):
    """Mechanism with compiled groups, and the motion of their given coordinates.

    Attributes
    ----------
    grouped : GroupedSystem
        System with compiled groups.
    """

    way: ClassVar[str] = "constraints alone, by groups"

    grouped: GroupedSystem

    @staticmethod
    def by_groups(grouped: GroupedSystem, prescribed: Mapping[str, Law]) -> "GuidedByGroups":
        """Prescribe the given coordinates of the groups, in addition to drivers."""
        system, wanted = grouped.system, grouped.decomposition.input_names
        given = places(system, wanted)
        known = set(places(system, prescribed).tolist())
        if known != set(given.tolist()):
            raise OptionError(
                f"The groups of model '{system.data.model}' take as given: "
                f"{_listed(wanted)}; prescribed is: {_listed(prescribed)}.",
                "Prescribe these, or load groups with the prescribed coordinates as inputs.",
            )
        laws = tuple(prescribed[name] for name in wanted)
        return GuidedByGroups(held(system, given), given, laws, grouped)

    def start(self, t: float) -> PrescribedState:
        """Assemble the first position near ``q0`` globally; groups continue from it."""
        zero = np.zeros(self.system.n_q)
        return self._place(t, Guided.position(self, t, self.system.q0.copy()), zero, zero)

    def position(self, t: float, q: FloatArray) -> FloatArray:
        """Solve the groups one after the other, near a guess."""
        guess = q.copy()
        guess[self.given] = self.prescribed(t)[0]
        return self.grouped.positions(t, guess)

    def rates(
        self, t: float, q: FloatArray, v: FloatArray, a: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Solve for velocities and accelerations, group by group."""
        return self.grouped.motion(t, q, v, a)

    def rank(self, places: Sequence[PrescribedState]) -> int:
        """Return the number of dependent coordinates: all that are not given."""
        return self.system.n_q - len(self.given)

    def margin(self, place: PrescribedState, rank: int) -> float:
        """Return the margin of the group that is nearest to a singular position."""
        H = self.system.jacobian(place.t, place.q).tocsr()
        found = 1.0
        for rows, columns in self._blocks:
            shape = len(rows), rows.shape[1], columns.shape[1]
            row = np.repeat(rows, shape[2], axis=1).ravel()
            column = np.tile(columns, (1, shape[1])).ravel()
            blocks = np.asarray(H[row, column]).reshape(shape)
            sizes = np.linalg.svd(np.array([scaled(b)[0] for b in blocks]), compute_uv=False)
            found = min(found, float((sizes[:, -1] / sizes[:, 0]).min()))
        return found

    @cached_property
    def _blocks(self) -> list[tuple[IntArray, IntArray]]:
        """Constraint rows and dependent coordinates of groups, by size."""
        place = {int(r): k for k, r in enumerate(self.system.work.rows)}
        sizes: dict[tuple[int, int], list[tuple[list[int], IntArray]]] = {}
        for group in self.grouped.decomposition.groups:
            if len(group.dependent):
                rows = [place[int(r)] for r in group.rows]
                key = len(rows), len(group.dependent)
                sizes.setdefault(key, []).append((rows, group.dependent))
        return [
            (np.array([r for r, _ in same]), np.array([c for _, c in same]))
            for same in sizes.values()
        ]


def _listed(names: Iterable[str]) -> str:
    return listed(list(names), MOST) or "nothing"
