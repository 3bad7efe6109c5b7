"""Options of methods, formulations and projectors."""

from collections.abc import Mapping
from dataclasses import dataclass

from mbdgen.errors import OptionError
from mbdgen.runtime.numbers import number


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
    choices : tuple of str
        Names that stand for 0, 1, ...
    alone : bool
        Whether it is about the method's own treatment of the constraints, so that nobody who names
        a formulation can give it.
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


def value_of(owner: str, option: Option, given: Mapping[str, object]) -> float:
    """Return the value of an option out of what the user has given, or its default.

    Parameters
    ----------
    owner : str
        The method or formulation that it belongs to, for messages.
    option : Option
        The option.
    given : mapping
        Numbers, or words for options that have `Option.choices`.
    """
    said = given.get(option.name, option.default)
    if isinstance(said, str) and option.choices:
        if said not in option.choices:
            raise OptionError(
                f"Option '{option.name}' = '{said}' of '{owner}' is unknown.",
                f"Choose one of: {', '.join(option.choices)}.",
            )
        said = option.choices.index(said)
    value = number(option.name, said)
    if not option.low <= value <= option.high:
        raise OptionError(
            f"Option '{option.name}' = {value:g} of '{owner}' is out of range.",
            f"Choose a value from {option.low:g} to {option.high:g} ({option.text}).",
        )
    if option.whole and value != int(value):
        raise OptionError(
            f"Option '{option.name}' = {value:g} of '{owner}' is not a whole number.",
            f"Choose one from {option.low:g} to {option.high:g} ({option.text}).",
        )
    return value
