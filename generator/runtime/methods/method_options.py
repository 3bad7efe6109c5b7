"""Options of integration methods: defaults, presets and validation of user input."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mbdgen.errors import OptionError, meant
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.plugin_validation import OF_ENSEMBLES, OF_RUNS, RESERVED
from mbdgen.runtime.stepping.number_arguments import number

if TYPE_CHECKING:
    from mbdgen.runtime.formulations.base import Formulation

STEP = dict.fromkeys(("dt", "step", "stepsize", "step-size", "max-step", "timestep"), "'h'")
"""Names of the time step in other programs."""


def _listed(names: Sequence[str]) -> str:
    return f"Its options are: {', '.join(names) or 'none'}."


def _instead(name: str, names: Sequence[str]) -> str:
    """Suggest a remedy for an unknown option."""
    if name in OF_RUNS:
        return "It is an argument of simulate, not of simulate_many."
    if name in OF_ENSEMBLES:
        more = " A run goes on with start=result.checkpoint()." if name == "resume" else ""
        return f"It is an argument of simulate_many, not of simulate.{more}"
    return meant(name, [*names, *RESERVED], _listed(names), STEP)


def options_of(method: Method, formulation: "Formulation | None") -> tuple[Option, ...]:
    """Return the options of a method, with a formulation or (None or ``own``) by itself."""
    if formulation is None or formulation.name == "own":
        return method.options
    shared = (option for option in method.options if not option.alone)
    return *shared, *formulation.options


def apply_preset(method: Method, given: dict[str, object]) -> None:
    """Replace ``preset`` by the options it contains; options given explicitly take precedence."""
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


def refuse_unknown(
    method: Method,
    formulation: "Formulation | None",
    given: Mapping[str, object],
) -> None:
    """Refuse unknown options, and options that a method and a formulation both define."""
    names = [option.name for option in options_of(method, formulation)]
    for name in names:
        if formulation is not None and names.count(name) > 1:
            raise OptionError(
                f"Method '{method.name}' and formulation '{formulation.name}' both have an "
                f"option '{name}'.",
                "Rename that of the formulation or method of your own.",
            )
    for key in given:
        if key not in names:
            with_it = f" with formulation '{formulation.name}'" if formulation else ""
            raise OptionError(
                f"Method '{method.name}'{with_it} has no option '{key}'.",
                _instead(key, names),
            )


def option_value(owner: str, option: Option, given: Mapping[str, object]) -> float:
    """Return the value given for an option of a method or formulation, or its default."""
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
