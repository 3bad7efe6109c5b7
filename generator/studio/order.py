"""Validation of requests, field by field, before any process is started."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from mbdgen.studio.catalogue import Catalogue, CatalogueEntry
from mbdgen.studio.formats import SUFFIXES
from mbdgen.studio.request_fields import (
    bad,
    check_fields,
    chosen,
    mapping,
    name,
    number,
    optional_number,
    shown,
    text,
    written,
)
from mbdgen.studio.scheme_choices import SchemeChoices

LONGEST = 1e6
"""Longest duration of a motion in seconds."""
MODEL_FIELDS = ("model", "arguments", "coordinates")
RUN_FIELDS = (
    *MODEL_FIELDS,
    "parameters",
    "start",
    "duration",
    "h",
    "method",
    "formulation",
    "projection",
    "options",
    "rtol",
    "files",
)


@dataclass(frozen=True)
class Described:
    """A model with its arguments.

    Attributes
    ----------
    entry : CatalogueEntry
        Entry of the catalogue.
    arguments : tuple of (str, str)
        Arguments that differ from their defaults: name and text, as ``-o`` takes them.
    coordinates : str or None
        Value of ``--coordinates``.
    """

    entry: CatalogueEntry
    arguments: tuple[tuple[str, str], ...] = ()
    coordinates: str | None = None


@dataclass(frozen=True)
class Order:
    """A requested simulation.

    Attributes
    ----------
    model : Described
        Model with its arguments.
    parameters : tuple of (str, float)
        Values of parameters that differ from those of the model.
    start, duration, h : float
        In seconds.
    method : str
        Integrator.
    formulation, projection : str or None
        Names; None for the default of the method.
    options : tuple of (str, str)
        Options of the method and the formulation.
    rtol : float or None
        Relative tolerance of step-size control.
    files : tuple of str
        Suffixes of the files to write.
    """

    model: Described
    parameters: tuple[tuple[str, float], ...]
    start: float
    duration: float
    h: float
    method: str
    formulation: str | None
    projection: str | None
    options: tuple[tuple[str, str], ...]
    rtol: float | None
    files: tuple[str, ...] = ()


def described(given: Mapping[str, object], catalogue: Catalogue) -> Described:
    """Return the model that a request names."""
    entry = catalogue.find(given.get("model"))
    if entry.outline is None:
        raise bad(f"Model '{entry.name}' cannot be read: {entry.fault}", "Correct its file.")
    known = [argument.name for argument in entry.arguments]
    arguments = mapping(given.get("arguments"), "arguments")
    for key in arguments:
        if key not in known:
            raise bad(
                f"Model '{entry.name}' has no argument {shown(key)}.",
                f"Its arguments are: {', '.join(known) or 'none'}.",
            )
    coordinates = given.get("coordinates")
    if coordinates is not None:
        coordinates = name(coordinates, "coordinates")
    pairs = tuple((key, _literal(value, key)) for key, value in arguments.items())
    return Described(entry, pairs, coordinates)


def ordered(
    given: Mapping[str, object], catalogue: Catalogue, choices: SchemeChoices, most_steps: float
) -> Order:
    """Return the simulation that a request describes."""
    check_fields(given, RUN_FIELDS)
    model = described(given, catalogue)
    duration = number(given.get("duration", 10.0), "duration", 0.0, LONGEST)
    h = number(given.get("h", 1e-3), "step h", 1e-12, LONGEST)
    if duration > most_steps * h:
        raise bad(
            f"{duration:g} s in steps of {h:g} s are over {most_steps:g} steps.",
            "Shorten the duration or lengthen the step, or use `mbdgen run`, which has no limit.",
        )
    parameters = mapping(given.get("parameters"), "parameters").items()
    options = mapping(given.get("options"), "options").items()
    return Order(
        model=model,
        parameters=tuple((name(k, "a parameter"), number(x, str(k))) for k, x in parameters),
        start=number(given.get("start", 0.0), "start", -LONGEST, LONGEST),
        duration=duration,
        h=h,
        method=chosen(given.get("method"), "method", choices.methods) or "newmark",
        formulation=chosen(given.get("formulation"), "formulation", choices.formulations),
        projection=chosen(given.get("projection"), "projection", choices.projections),
        options=tuple((name(k, "an option"), _option(x, str(k))) for k, x in options),
        rtol=optional_number(given.get("rtol"), "rtol", 1e-15, 1.0),
        files=_files(given.get("files", ["html", "csv"])),
    )


def _files(value: object) -> tuple[str, ...]:
    """Return the requested suffixes, without duplicates."""
    if not isinstance(value, list) or len(value) > len(SUFFIXES):
        raise bad(f"files is {shown(value)}, which is not a list of suffixes.", "Correct it.")
    wanted = {chosen(one, "format", SUFFIXES) for one in value}
    return tuple(suffix for suffix in SUFFIXES if suffix in wanted)


def _option(value: object, what: str) -> str:
    """Return an option of a scheme: a number or a name."""
    return name(value, what) if isinstance(value, str) else written(number(value, what))


def _literal(value: object, what: str) -> str:
    """Return an argument as ``-o`` takes it: a Python literal; everything else is a string."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, int) and abs(value) < 2**63:
        return str(value)
    if isinstance(value, int | float):
        return repr(number(value, what))
    found = text(value, what)
    try:
        ast.literal_eval(found)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return name(found, what)
    return found
