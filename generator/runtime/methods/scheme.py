"""Integration scheme: a method, a formulation, a projection, and their options.

Formulations and projectors are imported, and with them compiled, only when one is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import OptionError
from mbdgen.limits import refusal, require
from mbdgen.runtime import integrators
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.method_limits import FORMULATION_LIMITS, PROJECTION_LIMITS
from mbdgen.runtime.methods.method_options import (
    apply_preset,
    option_value,
    options_of,
    refuse_unknown,
)
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.run_limits import ENSEMBLE, RUN_SCHEME_LIMITS

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.projections.base import Projector


@dataclass(frozen=True)
class Scheme:
    """A complete integration scheme.

    Attributes
    ----------
    method : Method
        The integrator.
    values : tuple of float
        Options of the method, in order.
    formulation : Formulation or None
        None: the method runs its own step, which treats the constraints itself.
    formulation_values : tuple of float
        Options of the formulation.
    projector : Projector or None
        Projection of the end of every step onto the constraints.
    tolerances : (float, float), optional
        ``rtol`` and ``atol`` of the user, for libraries that control the step size.
    """

    method: Method
    values: tuple[float, ...]
    formulation: "Formulation | None" = None
    formulation_values: tuple[float, ...] = ()
    projector: "Projector | None" = None
    tolerances: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """Method, formulation and projection, as a user writes them."""
        parts = [self.method.name]
        if self.formulation is not None and not self.alone:
            parts.append(self.formulation.name)
            if self.projector is not None and self.projector.name != "none":
                parts.append(f"{self.projector.name} projection")
        return " + ".join(parts)

    @property
    def numbers(self) -> tuple[float, ...]:
        """Values passed to steps: options, then constants of the formula."""
        return *self.values, *self.method.constants

    @property
    def step_alone(self) -> str:
        """Module of the step that states and solves the constraints itself, or empty."""
        named = self.formulation is not None and self.formulation.name != "own"
        return "" if named else self.method.step_alone

    @property
    def alone(self) -> bool:
        """Whether the method treats the constraints itself."""
        return self.formulation is None or self.formulation.name == "own"

    @property
    def options(self) -> tuple[Option, ...]:
        """Accepted options, see `options_of`."""
        return options_of(self.method, self.formulation)

    @property
    def arguments(self) -> dict[str, Any]:
        """Keywords of ``simulate`` that choose this scheme again."""
        named = [(self.method.options, self.values)]
        if self.formulation is not None:
            named.append((self.formulation.options, self.formulation_values))
        every = {o.name: x for known, xs in named for o, x in zip(known, xs, strict=True)}
        values = {option.name: every[option.name] for option in self.options}
        if self.alone:
            return {"method": self.method, **values}
        parts = {"formulation": self.formulation, "projection": self.projector}
        return {"method": self.method, **parts, **values}

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels of the constraints fulfilled by every recorded state."""
        if self.alone or self.formulation is None:
            return self.method.levels
        if self.projector is not None and self.projector.name != "none":
            return "position", "velocity", "acceleration"
        return self.formulation.levels if self.method.at_ends else ()

    @property
    def order(self) -> int:
        """Order of convergence of position and velocity."""
        given = dict(zip((o.name for o in self.method.options), self.values, strict=True))
        order_with = self.method.order_with
        usual = self.method.order if order_with is None else order_with(self.values)
        order = int(given.get("order", usual))
        aided = self.projector is not None and self.projector.name != "none"
        if self.formulation is None or self.alone or (aided and self.method.restored):
            return order
        return self.method.orders.get(
            self.formulation.imposed_level(self.formulation_values), order
        )

    @property
    def holds_positions_only(self) -> bool:
        """Whether only positions fulfil the constraints, without damping of the violation.

        Velocities that violate constraints then cause reactions that alternate from step to step,
        and can grow without bound for any step size.
        """
        if self.formulation is None or self.alone or self.method.damps(self.values):
            return False
        aided = self.projector is not None and self.projector.name != "none"
        return not aided and self.formulation.imposed_level(self.formulation_values) == "position"

    @property
    def damps_constraint_errors(self) -> bool:
        """Whether constraint errors decay along the motion, as with Baumgarte's stabilisation.

        Several levels are imposed together, ``phi_ddot + 2 xi omega phi_dot + omega^2 phi = 0``.
        """
        if self.formulation is None or self.alone:
            return False
        aided = self.projector is not None and self.projector.name != "none"
        imposed = self.formulation.weights(self.formulation_values)[:3]
        return not aided and sum(weight != 0.0 for weight in imposed) > 1

    @property
    def text(self) -> str:
        """Treatment of the constraints, in words."""
        if self.formulation is None or self.method.needs == "nothing":
            return self.method.formulation
        if self.step_alone:
            return self.formulation.text
        if self.projector is None or self.projector.name == "none":
            return self.formulation.name
        return f"{self.formulation.name}, {self.projector.name} projection"


def choose(
    method: str | Method,
    formulation: "str | Formulation | None" = None,
    projection: "str | Projector | None" = None,
    given: Mapping[str, object] | None = None,
) -> Scheme:
    """Look up the method, formulation and projection, check compatibility, complete the options.

    Parameters
    ----------
    method, formulation, projection : str or object
        Names, or user-defined objects. Without a formulation the default of the method is used;
        with one, the projection is that of the formulation unless it is named too.
    given : mapping
        Options of the method and of the formulation; ``preset`` names a set of them.
    """
    chosen = _method(method)
    if formulation is not None and not isinstance(formulation, str):
        _check_formulation(formulation)
    wanted = _formulation(chosen, formulation, projection)
    rest = dict(given or {})
    apply_preset(chosen, rest)
    refuse_unknown(chosen, wanted, rest)
    values = tuple(option_value(chosen.name, option, rest) for option in chosen.options)
    chosen.check(values)
    if wanted is None:
        return Scheme(chosen, values)
    if projection is None:
        by_default = wanted.name == "own" or formulation is not None
        projection = wanted.projection if by_default else chosen.projection
    projector = _projector(projection)
    require(PROJECTION_LIMITS, formulation=wanted, projection=projector)
    of_formulation = tuple(option_value(wanted.name, option, rest) for option in wanted.options)
    return Scheme(chosen, values, wanted, of_formulation, projector)


def _formulation(
    method: Method,
    wanted: "str | Formulation | None",
    projection: "str | Projector | None",
) -> "Formulation | None":
    """Return the formulation, None for the method's own step, or explain an incompatibility."""
    if wanted is None and projection is None and method.step is not None:
        return None
    if wanted is None and projection is None and (method.step_alone or method.needs == "nothing"):
        from mbdgen.runtime.formulations.base import OWN

        return OWN
    if wanted is None:
        if projection is not None:
            require(PROJECTION_LIMITS, method=method, projection=_projector(projection))
        wanted = method.formulation if method.step is None else _usual(method)
    from mbdgen.runtime import formulations

    found = formulations.formulation(wanted) if isinstance(wanted, str) else wanted
    require(FORMULATION_LIMITS, method=method, formulation=found)
    return found


def formulations_for(method: Method) -> "list[Formulation]":
    """Return the formulations that a method accepts."""
    from mbdgen.runtime import formulations

    return [f for f in map(formulations.formulation, formulations.known()) if fits(method, f)]


def _method(method: object) -> Method:
    if isinstance(method, Method):
        return method
    if not isinstance(method, str):
        raise OptionError(
            f"The method {method!r} is neither a name nor a Method.",
            f"Known are: {', '.join(integrators.known())}.",
        )
    return integrators.method(method)


def _check_formulation(wanted: object) -> None:
    from mbdgen.runtime import formulations
    from mbdgen.runtime.formulations.base import Formulation

    if not isinstance(wanted, Formulation):
        raise OptionError(
            f"The formulation {wanted!r} is neither a name nor a Formulation.",
            f"Known are: {', '.join(formulations.known())}.",
        )


def _projector(wanted: "str | Projector") -> "Projector":
    from mbdgen.runtime import projections
    from mbdgen.runtime.projections.base import Projector

    found = projections.projector(wanted) if isinstance(wanted, str) else wanted
    if not isinstance(found, Projector):
        raise OptionError(
            f"The projection {found!r} is neither a name nor a Projector.",
            f"Known are: {', '.join(projections.known())}.",
        )
    return found


def _usual(method: Method) -> str:
    """Return the default formulation of a method whose own step is replaced by a projection."""
    return "index1" if method.needs in ("slope", "jerk") else "index3"


def fits(method: Method, formulation: "Formulation") -> bool:
    """Whether a method accepts a formulation."""
    return refusal(FORMULATION_LIMITS, {"method": method, "formulation": formulation}) is None


def choose_own(
    method: str | Method,
    given: Mapping[str, object],
    formulation: "str | Formulation | None" = None,
) -> tuple[Method, tuple[float, ...]]:
    """Look up a method that has a step of its own, and complete its options."""
    scheme = choose(method, formulation, given=given)
    require(RUN_SCHEME_LIMITS, run=ENSEMBLE, scheme=scheme)
    return scheme.method, scheme.values
