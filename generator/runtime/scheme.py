"""What a user chooses: a method, a formulation, a projection, and their options.

Formulations and projectors are imported, and with them compiled, only when one is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import OptionError
from mbdgen.runtime import integrators
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.numbers import number
from mbdgen.runtime.option import Option

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation
    from mbdgen.runtime.projectors.base import Projector


@dataclass(frozen=True)
class Scheme:
    """A complete choice.

    Attributes
    ----------
    method : Method
        The integrator.
    values : tuple of float
        Its options, in order.
    formulation : Formulation or None
        None: the method runs its own step, which deals with the constraints itself.
    formulation_values : tuple of float
        Options of the formulation.
    projector : Projector or None
        What corrects the end of every step.
    tolerances : (float, float), optional
        ``rtol`` and ``atol`` of the user, for libraries that choose their steps.
    """

    method: Method
    values: tuple[float, ...]
    formulation: "Formulation | None" = None
    formulation_values: tuple[float, ...] = ()
    projector: "Projector | None" = None
    tolerances: tuple[float, float] | None = None

    @property
    def numbers(self) -> tuple[float, ...]:
        """What steps receive: options, then constants of the formula."""
        return *self.values, *self.method.constants

    @property
    def own_step(self) -> str:
        """Module of the step that states and solves the constraints itself, if that is chosen."""
        named = self.formulation is not None and self.formulation.name != "own"
        return "" if named else self.method.own

    @property
    def alone(self) -> bool:
        """Whether the method deals with the constraints itself."""
        return self.formulation is None or self.formulation.name == "own"

    @property
    def arguments(self) -> dict[str, Any]:
        """What chooses this scheme again, as keywords of ``simulate``."""
        named = [(self.method.options, self.values)]
        if self.formulation is not None:
            named.append((self.formulation.options, self.formulation_values))
        values = {o.name: x for known, xs in named for o, x in zip(known, xs, strict=True)}
        if self.alone:
            return {"method": self.method, **values}
        parts = {"formulation": self.formulation, "projection": self.projector}
        return {"method": self.method, **parts, **values}

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels of the constraints that every recorded state fulfils."""
        if self.alone or self.formulation is None:
            return self.method.levels
        if self.projector is not None and self.projector.name != "none":
            return "position", "velocity", "acceleration"
        return self.formulation.levels if self.method.at_ends else ()

    @property
    def order(self) -> int:
        """Order of convergence of position and velocity."""
        given = dict(zip((o.name for o in self.method.options), self.values, strict=True))
        order = int(given.get("order", self.method.order))
        aided = self.projector is not None and self.projector.name != "none"
        if self.formulation is None or self.alone or (aided and self.method.restored):
            return order
        return self.method.orders.get(self.formulation.imposed(self.formulation_values), order)

    @property
    def text(self) -> str:
        """What is done with the constraints, for people."""
        if self.formulation is None or self.method.needs == "nothing":
            return self.method.formulation
        if self.own_step:
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
    """Find what is named, check that the parts fit together, and complete the options.

    Parameters
    ----------
    method, formulation, projection : str or object
        Names, or what a file of your own defines. Without a formulation the method does what it
        does best; with one, its projection is that of the formulation unless it is named too.
    given : mapping
        Options of the method and of the formulation; ``preset`` names a set of them.
    """
    chosen = _method(method)
    if formulation is not None and not isinstance(formulation, str):
        _require_formulation(formulation)
    wanted = _formulation(chosen, formulation, projection)
    rest = dict(given or {})
    _apply_preset(chosen, rest)
    options = [*chosen.options, *(wanted.options if wanted else ())]
    _refuse_unknown(chosen, wanted, rest, options)
    values = tuple(_value(chosen.name, option, rest) for option in chosen.options)
    chosen.check(values)
    if wanted is None:
        return Scheme(chosen, values)
    if projection is None:
        by_default = wanted.name == "own" or formulation is not None
        projection = wanted.projection if by_default else chosen.projection
    projector = _projector(projection)
    of_formulation = tuple(_value(wanted.name, option, rest) for option in wanted.options)
    return Scheme(chosen, values, wanted, of_formulation, projector)


def _formulation(
    method: Method, wanted: "str | Formulation | None", projection: object
) -> "Formulation | None":
    """Return the formulation, None for the method's own step, or explain why they do not fit."""
    if wanted is None and projection is None and method.step is not None:
        return None
    if wanted is None and projection is None and (method.own or method.needs == "nothing"):
        from mbdgen.runtime.formulations.base import OWN

        return OWN
    if not method.general or method.needs == "nothing":
        named = wanted if wanted is None or isinstance(wanted, str) else wanted.name
        raise OptionError(
            f"Method '{method.name}' brings its own treatment of the constraints "
            f"({method.formulation}) and takes no '{named or projection}'.",
            "Leave formulation and projection away, or choose another method.",
        )
    if wanted is None:
        wanted = method.formulation if method.step is None else _usual(method)
    from mbdgen.runtime import formulations

    found = formulations.formulation(wanted) if isinstance(wanted, str) else wanted
    if not fits(method, found):
        others = [n for n in formulations.known() if fits(method, formulations.formulation(n))]
        raise OptionError(
            f"Formulation '{found.name}' {_LACKS[method.needs]}, which method "
            f"'{method.name}' needs.",
            f"'{method.name}' works with: {', '.join(others)}.",
        )
    return found


def _method(method: object) -> Method:
    if isinstance(method, Method):
        return method
    if not isinstance(method, str):
        raise OptionError(
            f"The method {method!r} is neither a name nor a Method.",
            f"Known are: {', '.join(integrators.known())}.",
        )
    return integrators.method(method)


def _require_formulation(wanted: object) -> None:
    from mbdgen.runtime import formulations
    from mbdgen.runtime.formulations.base import Formulation

    if not isinstance(wanted, Formulation):
        raise OptionError(
            f"The formulation {wanted!r} is neither a name nor a Formulation.",
            f"Known are: {', '.join(formulations.known())}.",
        )


def _projector(wanted: "str | Projector") -> "Projector":
    from mbdgen.runtime import projectors
    from mbdgen.runtime.projectors.base import Projector

    found = projectors.projector(wanted) if isinstance(wanted, str) else wanted
    if not isinstance(found, Projector):
        raise OptionError(
            f"The projection {found!r} is neither a name nor a Projector.",
            f"Known are: {', '.join(projectors.known())}.",
        )
    return found


def _usual(method: Method) -> str:
    """Name the formulation of a method whose own step is replaced for a projection's sake."""
    return "index1" if method.needs in ("slope", "jerk") else "index3"


_LACKS = {
    "slope": "gives no explicit accelerations",
    "jerk": "gives no rates of accelerations",
    "solve": "cannot be solved with the implicit relation",
    "stages": "is more than weights of constraint levels",
}


def fits(method: Method, formulation: "Formulation") -> bool:
    """Whether a formulation has the part that a method calls, and the method knows its numbers."""
    if method.needs == "stages":
        return formulation.is_levels
    if method.needs == "jerk":
        return formulation.is_levels and formulation.slope is not None
    if method.needs == "slope":
        return formulation.slope is not None
    return formulation.solve is not None and (formulation.begin is None or method.relates_z)


def _apply_preset(method: Method, given: dict[str, object]) -> None:
    """Replace ``preset`` by what it stands for; options given beside it win."""
    name = given.pop("preset", None)
    if name is None:
        return
    if name not in method.presets:
        known = ", ".join(method.presets) or "none"
        raise OptionError(
            f"Method '{method.name}' has no preset {name!r}.", f"Its presets are: {known}."
        )
    for option, value in method.presets[str(name)].items():
        given.setdefault(option, value)


def _refuse_unknown(
    method: Method,
    formulation: "Formulation | None",
    given: Mapping[str, object],
    options: list[Option],
) -> None:
    names = [option.name for option in options]
    for key in given:
        if key not in names:
            with_it = f" with formulation '{formulation.name}'" if formulation else ""
            raise OptionError(
                f"Method '{method.name}'{with_it} has no option '{key}'.",
                f"Its options are: {', '.join(names) or 'none'}.",
            )


def _value(owner: str, option: Option, given: Mapping[str, object]) -> float:
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


def choose_own(
    method: str | Method, given: Mapping[str, object]
) -> tuple[Method, tuple[float, ...]]:
    """Find a method that has a step of its own, and complete its options."""
    scheme = choose(method, given=given)
    if scheme.formulation is not None:
        raise OptionError(
            f"Method '{scheme.method.name}' runs with a formulation only, which needs simulate.",
            "Take a method with a step of its own, or run simulate in a loop.",
        )
    return scheme.method, scheme.values
