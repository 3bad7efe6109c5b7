"""Options of methods, formulations and projectors."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """A number that a method accepts.

    Attributes
    ----------
    name : str
        Keyword of ``simulate``.
    default : float
        Value if not given.
    low, high : float
        Accepted range, ends included.
    text : str
        What it means.
    whole : bool
        Whether it is a whole number.
    """

    name: str
    default: float
    low: float
    high: float
    text: str
    whole: bool = False
