"""Scenes: figures for pictures and animations of a mechanism, with its present parameter values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

Row: TypeAlias = tuple[str, str, tuple[str, ...], str, tuple[float, ...]]
"""Kind, name, bodies, colour and numerical values of a figure, as in generated modules."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A graphical object; `mbdgen.topology.stated_scene` lists the kinds.

    Attributes
    ----------
    kind, name : str
        Kind, and name of the body, element or output.
    bodies : tuple of str
        Body of each point.
    colour : str
        As ``#rrggbb``; empty for an automatic colour.
    numbers : array
        Points relative to the centre of mass in body axes, axes, and sizes.
    """

    kind: str
    name: str
    bodies: tuple[str, ...]
    colour: str
    numbers: NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """All figures of a picture."""

    figures: tuple[Figure, ...]

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> "Scene":
        """Return the scene from the rows of a generated module or a file."""
        return cls(
            tuple(
                Figure(kind, name, tuple(bodies), colour, np.array(numbers, np.float64))
                for kind, name, bodies, colour, numbers in rows
            )
        )

    def rows(self) -> list[Row]:
        """Return the rows for `of_rows`."""
        return [
            (x.kind, x.name, x.bodies, x.colour, tuple(x.numbers.tolist())) for x in self.figures
        ]

    def of(self, kind: str) -> list[Figure]:
        """Return the figures of a kind."""
        return [figure for figure in self.figures if figure.kind == kind]


def scene_of(system: "System") -> Scene:
    """Return the scene of a system; None unless its module is one of a whole model."""
    if system.data.picture is None:
        return Scene(())
    return Scene.of_rows(system.data.picture(tuple(system.parameters.values())))
