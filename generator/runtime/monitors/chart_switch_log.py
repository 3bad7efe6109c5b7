"""When a run has switched the numbers of an orientation: a part of its result."""

from typing import NamedTuple


class Switch(NamedTuple):
    """A switch of numbers between two steps.

    Attributes
    ----------
    t : float
        When.
    body : str
        Of which body.
    first, last : int
        Its first coordinate that changed, and the first one behind.
    rebased : bool
        Whether the base was switched, which records do not show, or the numbers for others, which
        they do.
    """

    t: float
    body: str
    first: int
    last: int
    rebased: bool
