"""``mbdgen.analyse``: selection of an analysis by name, for a model, a system or a result."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Unpack

from mbdgen.analyses.analysis_choices import kinds
from mbdgen.analyses.analysis_table import Table
from mbdgen.analyses.base import Analysis, MotionAnalysis, SystemAnalysis
from mbdgen.analyses.choice_keywords import Choices
from mbdgen.errors import OptionError, meant
from mbdgen.finding import classes, unfinished
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System

_FOLDER = "mbdgen.analyses"


def analyse(subject: System | Result, analysis: str, /, **choices: Unpack[Choices]) -> Table:
    """Analyse a mechanism or a motion.

    Parameters
    ----------
    subject : System or Result
        Returned by `mbdgen.load` or `mbdgen.simulate`; each analysis states which one it needs.
    analysis : str
        Name of the analysis; the error for an unknown name lists the known ones.
    **choices
        Fields of the analysis.

    Returns
    -------
    Table
        Columns by name: ``analyse(system, "modes")["frequency"]``.
    """
    chosen = choose(analysis, choices)
    if isinstance(chosen, SystemAnalysis) and isinstance(subject, System):
        return _table(chosen, chosen.of(subject))
    if isinstance(chosen, MotionAnalysis) and isinstance(subject, Result):
        return _table(chosen, chosen.of(subject))
    wanted = "a system" if isinstance(chosen, SystemAnalysis) else "the result of a simulation"
    raise OptionError(
        f"The analysis '{analysis}' is one of {wanted}, not of a {type(subject).__name__}.",
        f"Give {wanted}.",
    )


@cache
def analyses() -> dict[str, type[Analysis]]:
    """Return the analyses by name; choices with unsupported types are an error."""
    found = classes(_FOLDER, Analysis)
    for analysis in found.values():
        kinds(analysis)
    return found


def choose(name: str, choices: Mapping[str, Any]) -> Analysis:
    """Return an analysis with its choices; unknown and missing ones are errors."""
    known = analyses()
    if name not in known:
        hint = meant(name, known, f"There are: {', '.join(known)}.")
        raise OptionError(
            f"There is no analysis '{name}'.", " ".join([hint, *unfinished(_FOLDER, Analysis)])
        )
    names = [field.name for field in fields(known[name])]
    if unknown := sorted(set(choices) - set(names)):
        raise OptionError(
            f"The analysis '{name}' has no choice '{unknown[0]}'.",
            f"It has: {', '.join(names) or 'none'}.",
        )
    for field in fields(known[name]):
        if field.name not in choices and field.default is MISSING:
            raise OptionError(
                f"The analysis '{name}' needs '{field.name}'.",
                f"Its choices are: {', '.join(names)}.",
            )
    return known[name](**choices)


def _table(analysis: Analysis, found: object) -> Table:
    if not isinstance(found, Table):
        raise OptionError(
            f"The analysis '{analysis.name}' ({type(analysis).__module__}) returned "
            f"{type(found).__name__}, no Table.",
            "Return Table(title, (Column(name, unit, values), ...)) from 'of'.",
        )
    return found
