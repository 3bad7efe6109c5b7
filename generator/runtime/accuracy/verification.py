"""Verification of a motion by a second, more accurate run: correct digits of its outputs."""

from dataclasses import dataclass, replace
from math import floor, inf, log10
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.accuracy.result_accuracy import WARNED
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.option_keywords import MethodOptions
from mbdgen.runtime.methods.scheme import choose
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.result_series import columns, matrix
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.stepping.checkpoint import Checkpoint
from mbdgen.runtime.system.model_argument import Source
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, FloatsLike

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.projections.base import Projector

FINER_STEP, FINER_TOLERANCE = 0.5, 0.1
"""Factors of the step size, or of the tolerances, for the second run."""
MOST_DIGITS = 15
ROUND_OFF = 1e-8
"""Fraction of the largest series of a unit below which a value is round-off."""
LIBRARY_TOLERANCES = 1e-8, 1e-10
"""Tolerances of libraries if the user specifies none."""


@dataclass(frozen=True)
class Trust:
    """Estimated accuracy of an output.

    Attributes
    ----------
    error : float
        Largest estimated error over the motion.
    relative : float
        The same, divided by the largest value of the output and of its group (``tip.x``,
        ``tip.y``).
    digits : int
        Correct decimal digits of that largest value.
    """

    error: float
    relative: float
    digits: int


@dataclass(frozen=True)
class Verification:
    """Comparison of a run with a second, more accurate one.

    Attributes
    ----------
    by : str
        Description of the second run.
    outputs : dict of str to Trust
        Accuracy of every output of the model.
    failure : str
        Reason why the second run did not reach the end; empty if it did.
    """

    by: str
    outputs: dict[str, Trust]
    failure: str = ""

    @property
    def passed(self) -> bool:
        """Whether no output has an error of more than 5 %."""
        return not self.failure and all(one.relative < WARNED for one in self.outputs.values())

    @property
    def worst(self) -> str:
        """Name of the output with the largest relative error (empty without outputs)."""
        return max(self.outputs, key=lambda name: self.outputs[name].relative, default="")

    @property
    def warning(self) -> str:
        """Warning for the user; empty if the verification passed."""
        if self.failure:
            return f"Not verified: with {self.by} the run failed. {self.failure}"
        if self.passed:
            return ""
        part = self.outputs[self.worst].relative
        return f"Not verified: with {self.by} output '{self.worst}' changes by {part:.0%}."


class MotionOptions(MethodOptions, total=False):
    """Further options of `simulate` for a motion that is run twice."""

    t_eval: FloatsLike | None
    events: Any
    progress: bool | str
    start: Checkpoint | None
    rebase: bool
    formulation: "str | Formulation | None"
    projection: "str | Projector | None"


def verify(
    system: System | Source,
    span: FloatsLike,
    method: str | Method = "newmark",
    h: float = 1e-3,
    rtol: float | None = None,
    atol: float | None = None,
    **arguments: Unpack[MotionOptions],
) -> Result:
    """Simulate twice, the second time with half the step or a tenth of the tolerances.

    Parameters
    ----------
    system, span, method, h, rtol, atol, **arguments
        As for `mbdgen.simulate`; no sensitivities, and no callback, which would be called twice.

    Returns
    -------
    Result
        Of the first run; its ``verification`` says which digits of every output to trust.
    """
    if "callback" in arguments or "sensitivities" in arguments:
        raise OptionError(
            "verify runs a motion twice and takes no callback and no sensitivities.",
            "Leave them away, or run simulate with another step yourself.",
        )
    chosen: dict[str, Any] = {"method": method, "h": h, "rtol": rtol, "atol": atol, **arguments}
    return verified(system, simulate(system, span, **chosen), chosen)


def verified(system: System | Source, first: Result, arguments: dict[str, Any]) -> Result:
    """Return a result with its verification, from the arguments of `simulate` that produced it."""
    if not first.success or len(first.t) < 2:
        return first
    library = first.info.h is None
    finer, by, factor = finer_arguments(arguments, library)
    finer |= {"t_eval": first.t, "progress": False, "events": None}
    second = simulate(system, (first.t[0], first.t[-1]), **finer)
    return compared(first, second, by, factor)


def finer_arguments(
    arguments: dict[str, Any], by_tolerance: bool
) -> tuple[dict[str, Any], str, float]:
    """Return arguments of a more accurate run, their description, and the factor of differences.

    The difference of two runs is the error of the first one except for that of the second one.
    """
    finer = {k: x for k, x in arguments.items() if k not in ("callback", "events", "progress")}
    if by_tolerance:
        given = [finer.get(name) for name in ("rtol", "atol")]
        r, a = (x if x is not None else given[1 - k] for k, x in enumerate(given))
        r, a = (LIBRARY_TOLERANCES[k] if x is None else x for k, x in enumerate((r, a)))
        finer |= {"rtol": max(FINER_TOLERANCE * r, 1e-14), "atol": FINER_TOLERANCE * a}
        return finer, f"rtol = {finer['rtol']:g}", 1.0 / (1.0 - FINER_TOLERANCE)
    finer["h"] = FINER_STEP * finer["h"]
    named = ("method", "formulation", "projection")
    others = ("h", "rtol", "atol", "start", "rebase", "t_eval")
    options = {k: x for k, x in finer.items() if k not in (*named, *others)}
    method, formulation, projection = (finer.get(name) for name in named)
    order = choose(method or "newmark", formulation, projection, options).order
    return finer, f"h = {finer['h']:g}", 1.0 / (1.0 - FINER_STEP**order)


def compared(first: Result, second: Result, by: str, factor: float) -> Result:
    """Return a result with its comparison with another run at the same instants."""
    count = len(first.names.outputs)
    failure = "" if second.success else second.message
    found: dict[str, Trust] = {}
    if not failure:
        scales = _scales(first, second)
        errors = factor * np.abs(first.outputs - second.outputs)[:, :count].max(axis=0)
        for name, error, scale in zip(first.names.outputs, errors, scales, strict=True):
            relative = float(error / scale) if scale > 0.0 else 0.0
            found[name] = Trust(float(error), relative, _digits(relative))
    verification = Verification(by, found, failure)
    warnings = (*first.warnings, *([verification.warning] if verification.warning else []))
    return replace(first, verification=verification, warnings=warnings)


def _scales(first: Result, second: Result) -> FloatArray:
    """Return the largest value of every output and its group.

    Values far smaller than all others of their unit are round-off, and are treated as that: a slip
    of 1e-17 m/s where bodies move by 1 m/s.
    """
    names = first.names.outputs
    stems = [name.rpartition(".")[0] or name for name in names]
    both = np.concatenate([first.outputs, second.outputs])[:, : len(names)]
    largest = np.abs(both).max(axis=0, initial=0.0)
    known = columns(first.names)
    of_unit: dict[str, float] = {}
    for column in known:
        if column.source in ("outputs", "q", "v", "a"):
            size = float(np.abs(matrix(first, [column])).max(initial=0.0))
            of_unit[column.unit] = max(of_unit.get(column.unit, 0.0), size)
    found = []
    for stem, column in zip(stems, known, strict=False):  # outputs come first
        beside = max(float(largest[k]) for k, other in enumerate(stems) if other == stem)
        found.append(max(beside, ROUND_OFF * of_unit[column.unit]))
    return np.array(found)


def _digits(relative: float) -> int:
    """Return the number of correct decimal digits for a relative error."""
    if not relative < inf:
        return 0
    if relative <= 10.0**-MOST_DIGITS:
        return MOST_DIGITS
    return max(0, floor(-log10(relative)))
