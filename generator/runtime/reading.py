"""Forces that depend on reactions, reactions that depend on time: which schemes know them."""

from collections.abc import Sequence

from mbdgen.errors import OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.scheme import Scheme, formulations_for
from mbdgen.runtime.system import System


def require_reading(system: System, scheme: Scheme) -> None:
    """Refuse schemes that take forces for known when they look for the reactions.

    Steps of their own with multipliers find both together, and so do formulations that solve all
    equations at once, in implicit relations and at a given state. Eliminations, penalties and steps
    that state the constraints themselves do not.
    """
    if system.data.reads and not _reads(scheme):
        own = [n for n in integrators.known() if integrators.method(n).step is not None]
        raise OptionError(
            f"Forces of '{system.data.model}' depend on reactions (friction of joints), which "
            f"{scheme.method.name} with {scheme.text} cannot find.",
            _able(scheme.method, own),
        )


def _able(method: Method, own: Sequence[str]) -> str:
    """Say with what reactions are found: formulations of the same method first."""
    names = [f.name for f in formulations_for(method) if f.is_levels]
    same = f" '{method.name}' works with formulation {', '.join(names)}." if names else ""
    return f"Use {', '.join(own)} as they are." + (same if _solves(method) else "")


def _solves(method: Method) -> bool:
    return method.needs in ("slope", "solve")


def require_timed(system: System, scheme: Scheme) -> None:
    """Refuse formulations whose reaction directions must not know the time.

    They do where drivers have been eliminated: what these prescribe is in all equations then.
    """
    formulation = scheme.formulation
    if len(system.data.moved) and formulation is not None and not formulation.timed:
        raise OptionError(
            f"Drivers of '{system.data.model}' have been eliminated, so that its reactions point "
            f"where the time says: formulation {formulation.name!r} does not know such ones.",
            "Leave out eliminate (--eliminate), or take another formulation.",
        )


def _reads(scheme: Scheme) -> bool:
    if scheme.formulation is None:
        return scheme.method.step is not None
    return _solves(scheme.method) and scheme.formulation.is_levels
