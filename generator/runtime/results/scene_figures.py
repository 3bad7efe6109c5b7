"""What pictures of a mechanism show, with the present values of its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from mbdgen.runtime.system.system import System

Row: TypeAlias = tuple[str, str, tuple[str, ...], str, tuple[float, ...]]
"""Kind, name, bodies, colour and numbers of a figure, as generated modules say it."""


@dataclass(frozen=True, eq=False)
class Figure:
    """One thing in a picture; `mbdgen.topology.stated_scene` lists the kinds.

    Attributes
    ----------
    kind, name : str
        What it is, and of which body, element or output.
    bodies : tuple of str
        Of each place.
    colour : str
        As ``#rrggbb``; empty where it is to be chosen.
    numbers : array
        Places from the centre of mass of the body in its axes, axes, and sizes.
    """

    kind: str
    name: str
    bodies: tuple[str, ...]
    colour: str
    numbers: NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows."""

    figures: tuple[Figure, ...]

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> "Scene":
        """Return the scene that a generated module or a file states."""
        return cls(
            tuple(
                Figure(kind, name, tuple(bodies), colour, np.array(numbers, np.float64))
                for kind, name, bodies, colour, numbers in rows
            )
        )

    def rows(self) -> list[Row]:
        """Return what `of_rows` reads."""
        return [
            (x.kind, x.name, x.bodies, x.colour, tuple(x.numbers.tolist())) for x in self.figures
        ]

    def of(self, kind: str) -> list[Figure]:
        """Return the figures of a kind."""
        return [figure for figure in self.figures if figure.kind == kind]


def scene_of(system: "System") -> Scene:
    """Return what pictures of a system show; nothing if its module is not one of a whole model."""
    if system.data.picture is None:
        return Scene(())
    return Scene.of_rows(system.data.picture(tuple(system.parameters.values())))
