"""Options of methods, formulations and projectors."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """A numerical option of a method.

    Attributes
    ----------
    name : str
        Keyword of ``simulate``.
    default : float
        Value if not given.
    low, high : float
        Accepted range, ends included.
    text : str
        Meaning, in one line.
    whole : bool
        Whether it is a whole number.
    choices : tuple of str
        Names of the values 0, 1, ...
    alone : bool
        Whether it belongs to the method's own treatment of the constraints, and is refused
        together with a formulation.
    """

    name: str
    default: float
    low: float
    high: float
    text: str
    whole: bool = False
    choices: tuple[str, ...] = ()
    alone: bool = False


def choice(name: str, names: tuple[str, ...], text: str) -> Option:
    """Return an option whose values have names; the first of them is the default."""
    text = f"{text}: {', '.join(names)}"
    return Option(name, 0.0, 0.0, len(names) - 1.0, text, whole=True, choices=names)
