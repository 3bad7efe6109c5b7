"""Cases of a comparison: all valid combinations, and reasons for the invalid ones.

Incompatible pairs of a method and a formulation are no failures: they are listed separately.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from mbdgen.compare.step_lengths import Step, Sweep
from mbdgen.errors import OptionError
from mbdgen.runtime import formulations
from mbdgen.runtime import projections as projectors
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.scheme import Scheme, choose

ALL = "all"
"""Name that stands for every formulation that a method works with."""


@dataclass(frozen=True)
class Case:
    """One run.

    Attributes
    ----------
    scheme : Scheme
        Method, formulation, projection and their options.
    step : Step
        Step size, or tolerances of step-size control.
    backend : str
        Backend of the kernels.
    """

    scheme: Scheme
    step: Step
    backend: str

    @property
    def name(self) -> str:
        """Name of the scheme, marked if its steps are adaptive."""
        varies = self.step.h is None and not self.scheme.method.library
        return self.scheme.name + (", adaptive steps" if varies else "")


@dataclass(frozen=True)
class Impossible:
    """Invalid combination, with the reason."""

    name: str
    reason: str


def cases(
    methods: Sequence[str | Method],
    wanted: Sequence[str | None],
    projections: Sequence[str | None],
    sweep: Sweep,
    backends: Sequence[str],
    options: Mapping[str, object],
) -> tuple[list[Case], list[Impossible]]:
    """Return all combinations.

    Parameters
    ----------
    methods : sequence of str or Method
        Integrators.
    wanted, projections : sequence of str or None
        Formulations and projections; None stands for the default of a method, ``all`` for every
        formulation.
    sweep : Sweep
        Step sizes and tolerances.
    backends : sequence of str
        Backends.
    options : mapping
        Options; each is passed to the schemes that have it, ``hht.alpha`` to those of ``hht`` only.
    """
    _check_known(wanted, projections)
    unknown = set(options)
    found: list[Case] = []
    impossible: list[Impossible] = []
    for method, formulation, projection in product(methods, _spelt(wanted), projections):
        try:
            scheme = choose(method, formulation, projection)
        except OptionError as error:
            named = [str(p) for p in (_name(method), formulation, projection) if p is not None]
            if formulation is None and projection is None:
                raise
            impossible.append(Impossible(" + ".join(named), error.cause))
            continue
        keys = _given(scheme, options)
        given = {name: options[key] for name, key in keys.items()}
        scheme = choose(method, formulation, projection, given)
        unknown -= set(keys.values())
        steps = sweep.of(scheme.method)
        found += [Case(scheme, step, backend) for backend in backends for step in steps]
    if unknown:
        key = min(unknown)
        value = f" named '{options[key]}'" if key.endswith("preset") else ""
        raise OptionError(
            f"None of these methods and formulations has an option '{key}'{value}.",
            "See mbdgen methods.",
        )
    _check_one_meaning(options, [case.scheme for case in found])
    return found, impossible


def _check_known(wanted: Iterable[str | None], projections: Iterable[str | None]) -> None:
    """Refuse unknown names: they are misspelt, not invalid combinations."""
    for name in wanted:
        if name not in (None, ALL):
            formulations.formulation(str(name))
    for name in projections:
        if name is not None:
            projectors.projector(name)


def _spelt(wanted: Iterable[str | None]) -> list[str | None]:
    names: list[str | None] = []
    for name in wanted:
        names += formulations.known() if name == ALL else [name]
    return list(dict.fromkeys(names))


def _given(scheme: Scheme, options: Mapping[str, object]) -> dict[str, str]:
    """Return the option names that a scheme has, each with the key under which it was given."""
    owners = {scheme.method.name}
    if scheme.formulation is not None:
        owners.add(scheme.formulation.name)
    known = {option.name for option in scheme.options}
    found: dict[str, str] = {}
    for key, value in options.items():
        owner, _, name = key.rpartition(".")
        knows = value in scheme.method.presets if name == "preset" else name in known
        if knows and (not owner or owner.replace("_", "-") in owners):
            found[name] = key if owner or name not in found else found[name]
    return found


def _check_one_meaning(options: Iterable[str], schemes: Iterable[Scheme]) -> None:
    """Refuse an unqualified option name with different meanings in two methods."""
    meanings: dict[str, dict[str, str]] = {}
    for scheme in schemes:
        for option in scheme.options:
            meanings.setdefault(option.name, {})[option.text] = scheme.method.name
    for name in options:
        owners = sorted(meanings.get(name, {}).values())
        if len(owners) > 1:
            raise OptionError(
                f"'{name}' has different meanings in {' and '.join(owners[:2])}.",
                f"Qualify it, as in {owners[0]}.{name}.",
            )


def _name(method: str | Method) -> str:
    return method if isinstance(method, str) else method.name
