"""Which runs a comparison consists of: every combination that is possible, and why others are not.

Pairs of a method and a formulation that do not fit are no failures: they are listed apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from mbdgen.errors import OptionError
from mbdgen.runtime import formulations, projectors
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.scheme import Scheme, choose

ALL = "all"
"""In the place of names of formulations: every one that a method works with."""


@dataclass(frozen=True)
class Case:
    """One run.

    Attributes
    ----------
    scheme : Scheme
        Method, formulation, projection and their options.
    h : float
        Step size.
    backend : str
        Backend of the kernels.
    """

    scheme: Scheme
    h: float
    backend: str

    @property
    def name(self) -> str:
        """Method, formulation and projection, as a user writes them."""
        parts = [self.scheme.method.name]
        if self.scheme.formulation is not None and not self.scheme.alone:
            parts.append(self.scheme.formulation.name)
            if self.scheme.projector is not None and self.scheme.projector.name != "none":
                parts.append(f"{self.scheme.projector.name} projection")
        return " + ".join(parts)


@dataclass(frozen=True)
class Impossible:
    """A combination that does not exist, and why."""

    name: str
    reason: str


def cases(
    methods: Sequence[str | Method],
    wanted: Sequence[str | None],
    projections: Sequence[str | None],
    steps: Sequence[float],
    backends: Sequence[str],
    options: dict[str, object],
) -> tuple[list[Case], list[Impossible]]:
    """Return all combinations.

    Parameters
    ----------
    methods : sequence of str or Method
        Integrators.
    wanted, projections : sequence of str or None
        Formulations and projections; None stands for what a method does by itself, ``all`` for
        every formulation.
    steps, backends : sequence
        Step sizes and backends.
    options : mapping
        Options; each is given to the schemes that know it.
    """
    _require_known(wanted, projections)
    unknown = set(options)
    found: list[Case] = []
    impossible: list[Impossible] = []
    for method, formulation, projection in product(methods, _spelt(wanted), projections):
        try:
            known = _options(method, formulation, projection)
        except OptionError as error:
            named = [str(p) for p in (_name(method), formulation, projection) if p is not None]
            if formulation is None and projection is None:
                raise
            impossible.append(Impossible(" + ".join(named), error.cause))
            continue
        given = {name: value for name, value in options.items() if name in known}
        if given.get("preset") not in known["preset"]:
            given.pop("preset", None)
        scheme = choose(method, formulation, projection, given)
        unknown -= set(given)
        found += [Case(scheme, h, backend) for backend in backends for h in steps]
    if unknown:
        raise OptionError(
            f"None of these methods and formulations has an option '{min(unknown)}'"
            + (f" named '{options['preset']}'." if min(unknown) == "preset" else "."),
            "See mbdgen methods.",
        )
    return found, impossible


def _require_known(wanted: Iterable[str | None], projections: Iterable[str | None]) -> None:
    """Refuse names that nothing has: they are slips, not impossible combinations."""
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


def _options(
    method: str | Method, formulation: str | None, projection: str | None
) -> dict[str, tuple[str, ...]]:
    """Return the options that a scheme knows, and the names of its presets."""
    scheme = choose(method, formulation, projection)
    of_formulation = scheme.formulation.options if scheme.formulation is not None else ()
    found = {o.name: o.choices for o in (*scheme.method.options, *of_formulation)}
    return {**found, "preset": tuple(scheme.method.presets)}


def _name(method: str | Method) -> str:
    return method if isinstance(method, str) else method.name
