"""What runs are measured against: one motion that is far more accurate than they are."""

from collections.abc import Sequence

from mbdgen.errors import MbdgenError, OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system import System

USUAL, FINER = "dop853", 4
"""The reference takes steps this many times as small as the smallest of the comparison."""
STIFF, RTOL = "radau", 1e-10
"""The reference where explicit steps fail, and the accepted error of steps of all but the usual."""


def reference_motion(
    system: System,
    span: tuple[float, float],
    instants: Sequence[float],
    h: float,
    method: str | None = None,
) -> tuple[Result, str]:
    """Return the reference and what it is.

    Parameters
    ----------
    system : System
        The mechanism.
    span, instants : sequence of float
        Simulated time, and where it is recorded.
    h : float
        Smallest step of the comparison.
    method : str, optional
        Integrator, with steps chosen by `RTOL` if it can choose them; by default `USUAL` with fixed
        steps or, if that fails, `STIFF`.
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
