"""Summary of a method for tables: explicit or implicit, equations, step-size control.

Nothing is compiled.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mbdgen.runtime.integrators.base import Method

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation

_KINDS = {
    "slope": "explicit",
    "jerk": "explicit",
    "solve": "implicit",
    "stages": "implicit",
    "nothing": "with equations of its own",
}


def kind(method: Method) -> str:
    """Return explicit or implicit; by default it follows from the equations that a step needs."""
    return method.kind or _KINDS[method.needs]


def equations(method: Method) -> str:
    """Return the kind of equations integrated: an ODE, or a DAE of some index."""
    if method.needs == "nothing":
        return "constraints of its own"
    return {"slope": "ODE", "jerk": "ODE"}.get(method.needs, "index 1 to 3")


def adaptive(method: Method) -> str:
    """Return the step-size control by ``rtol`` and ``atol``: no, library, embedded or doubling."""
    if method.library:
        return "library"
    if not method.varies:
        return "no"
    return "doubling" if method.estimate is None else "embedded"


def fitting(method: Method, stated: Iterable["Formulation"]) -> list[str]:
    """Return the names of the formulations that a method accepts, if any."""
    from mbdgen.runtime.methods.scheme import fits

    return [formulation.name for formulation in stated if fits(method, formulation)]


def brings_own(method: Method) -> bool:
    """Whether it states and solves the constraints itself if no formulation is named."""
    return method.step is not None or bool(method.step_alone) or method.needs == "nothing"
