"""Degrees of freedom of a joint as a sequence of relative motions of frame b from frame a.

A joint that lists its `moves` determines the pose of a body: its relative coordinates are those of
the moves, in this order. Every move is relative to the frame after the previous one; without any
move the two frames coincide.
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
        Name of the coordinate.
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
        Name of the coordinate.
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
    """A constant rotation between two moves.

    Attributes
    ----------
    quaternion : tuple of four floats
        The rotation.
    """

    quaternion: Quaternion
    coordinates: ClassVar[tuple[str, ...]] = ()
    freedoms: ClassVar[int] = 0
    rotates: ClassVar[bool] = True


@dataclass(frozen=True)
class Ball:
    """A spherical motion: a unit quaternion, which has a norm row."""

    coordinates: ClassVar[tuple[str, ...]] = ("q0", "q1", "q2", "q3")
    freedoms: ClassVar[int] = 3
    rotates: ClassVar[bool] = True


Move = Slide | Turn | Bend | Ball


def freedoms(moves: tuple[Move, ...]) -> int:
    """Return the number of degrees of freedom (independent velocities) of the moves."""
    return sum(move.freedoms for move in moves)


def coordinates(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """Return the names of the coordinates of all moves."""
    return tuple(name for move in moves for name in move.coordinates)
