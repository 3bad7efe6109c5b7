"""``mbdgen.analyse``: an analysis by its name, of a model, a system, or a result."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from functools import cache
from typing import Any

from mbdgen.analyses.base import Analysis, MotionAnalysis, SystemAnalysis
from mbdgen.analyses.table import Table
from mbdgen.errors import OptionError
from mbdgen.finding import classes, unfinished
from mbdgen.runtime.numbers import finite
from mbdgen.runtime.result import Result
from mbdgen.runtime.system import System

_FOLDER = "mbdgen.analyses"


def analyse(subject: System | Result, analysis: str, /, **choices: Any) -> Table:
    """Analyse a mechanism or a motion.

    Parameters
    ----------
    subject : System or Result
        What `mbdgen.load` or `mbdgen.simulate` returned; what an analysis takes it says itself.
    analysis : str
        Its name; an unknown one is answered with those that there are.
    **choices
        Its fields.

    Returns
    -------
    Table
        Columns by name: ``analyse(system, "modes")["frequency"]``.
    """
    chosen = choose(analysis, choices)
    if isinstance(chosen, SystemAnalysis) and isinstance(subject, System):
        return chosen.of(subject)
    if isinstance(chosen, MotionAnalysis) and isinstance(subject, Result):
        return chosen.of(subject)
    wanted = "a system" if isinstance(chosen, SystemAnalysis) else "the result of a simulation"
    raise OptionError(
        f"The analysis '{analysis}' is one of {wanted}, not of a {type(subject).__name__}.",
        f"Give {wanted}.",
    )


@cache
def analyses() -> dict[str, type[Analysis]]:
    """Return the analyses by name."""
    return classes(_FOLDER, Analysis)


def choose(name: str, choices: Mapping[str, Any]) -> Analysis:
    """Return an analysis with its choices, checked by the defaults and types of its fields."""
    known = analyses()
    if name not in known:
        close = get_close_matches(name, known)
        listed = f"There are: {', '.join(known)}."
        hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else listed
        raise OptionError(
            f"There is no analysis '{name}'.", " ".join([hint, *unfinished(_FOLDER, Analysis)])
        )
    kinds = {field.name: field for field in fields(known[name])}
    if unknown := sorted(set(choices) - set(kinds)):
        raise OptionError(
            f"The analysis '{name}' has no choice '{unknown[0]}'.",
            f"It has: {', '.join(kinds) or 'none'}.",
        )
    for field in kinds.values():
        if field.name not in choices and field.default is MISSING:
            raise OptionError(
                f"The analysis '{name}' needs '{field.name}'.",
                f"Its choices are: {', '.join(kinds)}.",
            )
    return known[name](
        **{key: _checked(name, key, kinds[key].type, value) for key, value in choices.items()}
    )


def _checked(analysis: str, key: str, kind: Any, value: Any) -> Any:
    """Return a number for a number, also if it came as text from a command line."""
    where = f"'{key}' of the analysis '{analysis}'"
    if kind in (float, int):
        try:
            number = finite(float(value))
        except (TypeError, ValueError):
            number = None
        if number is None or (kind is int and number != int(number)):
            raise OptionError(f"{where} is {value!r}.", f"Give {_ARTICLE[kind]}.")
        return kind(number)
    if not isinstance(value, kind):
        raise OptionError(f"{where} is {value!r}.", f"Give {_ARTICLE.get(kind, kind.__name__)}.")
    return value


_ARTICLE = {float: "a number", int: "a whole number", str: "a text"}
