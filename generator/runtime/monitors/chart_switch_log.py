"""Log of orientation chart switches: a part of the result."""

from typing import NamedTuple


class Switch(NamedTuple):
    """A switch of the orientation coordinates of a body between two steps.

    Attributes
    ----------
    t : float
        Time of the switch.
    body : str
        Name of the body.
    first, last : int
        Range of its changed coordinates: first, and one past the last.
    rebased : bool
        Whether the base rotation was switched (not visible in the records), or the coordinate
        values (visible).
    """

    t: float
    body: str
    first: int
    last: int
    rebased: bool
