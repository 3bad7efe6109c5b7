"""Reference solution of a comparison, far more accurate than the compared runs."""

from collections.abc import Sequence

from mbdgen.errors import MbdgenError, OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system import System

USUAL, FINER = "dop853", 4
"""Method of the reference, and the ratio of the smallest step of the comparison to its step."""
STIFF, RTOL = "radau", 1e-10
"""Reference where explicit steps fail, and the tolerance of adaptive references."""


def reference_motion(
    system: System,
    span: tuple[float, float],
    instants: Sequence[float],
    h: float,
    method: str | None = None,
) -> tuple[Result, str]:
    """Return the reference solution and its description.

    Parameters
    ----------
    system : System
        The mechanism.
    span, instants : sequence of float
        Time span, and recorded instants.
    h : float
        Smallest step of the comparison.
    method : str, optional
        Integrator, with the tolerance `RTOL` if it has step-size control; by default `USUAL` with
        fixed steps or, if that fails, `STIFF`.
    """
    wanted = (USUAL, STIFF) if method is None else (integrators.method(method).name,)
    failed: dict[str, str] = {}
    for name in wanted:
        step, accepted = h / FINER, None
        text = f"{name}, h = {step:g} s"
        if name != USUAL and integrators.method(name).varies:
            step, accepted = h, RTOL
            text = f"{name}, rtol = {RTOL:g}"
        try:
            found = simulate(
                system, span, name, step, t_eval=instants, rtol=accepted, progress=False
            )
        except MbdgenError as error:
            failed[text] = error.cause
            continue
        if found.success:
            return found, text + "".join(f" ({other} failed)" for other in failed)
        failed[text] = found.message
    raise OptionError(
        "The reference failed. " + " ".join(f"{text}: {why}" for text, why in failed.items()),
        "Give smaller steps, a shorter time, or another reference.",
    )
