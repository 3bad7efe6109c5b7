"""What a joint leaves free, as moves of its frame b away from its frame a, one after the other.

A joint that lists its `moves` can give the position of a body: its relative coordinates are those
of the moves, in this order. Every move starts from where, and how, the one before it has left the
frame; without any move the two frames coincide.
"""

from dataclasses import dataclass
from typing import ClassVar

from mbdgen.language.bodies.orientation import Quaternion


@dataclass(frozen=True)
class Slide:
    """A displacement along one of the axes.

    Attributes
    ----------
    name : str
        Of the coordinate.
    axis : int
        1, 2 or 3.
    """

    name: str
    axis: int
    freedoms: ClassVar[int] = 1
    rotates: ClassVar[bool] = False

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return (self.name,)


@dataclass(frozen=True)
class Turn:
    """A rotation about e3.

    Attributes
    ----------
    name : str
        Of the coordinate.
    """

    name: str
    freedoms: ClassVar[int] = 1
    rotates: ClassVar[bool] = True

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return (self.name,)


@dataclass(frozen=True)
class Bend:
    """A rotation that never changes, between two others.

    Attributes
    ----------
    quaternion : four numbers
        The rotation.
    """

    quaternion: Quaternion
    coordinates: ClassVar[tuple[str, ...]] = ()
    freedoms: ClassVar[int] = 0
    rotates: ClassVar[bool] = True


@dataclass(frozen=True)
class Ball:
    """Any rotation: a unit quaternion, which has a norm row."""

    coordinates: ClassVar[tuple[str, ...]] = ("q0", "q1", "q2", "q3")
    freedoms: ClassVar[int] = 3
    rotates: ClassVar[bool] = True


Move = Slide | Turn | Bend | Ball


def freedoms(moves: tuple[Move, ...]) -> int:
    """Return how many independent velocities the moves have."""
    return sum(move.freedoms for move in moves)


def coordinates(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """Return the names of the coordinates of all moves."""
    return tuple(name for move in moves for name in move.coordinates)
