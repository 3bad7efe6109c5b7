"""Options (choices) of analyses: supported types, and conversion of values."""

from dataclasses import fields
from typing import Any, get_type_hints

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.stepping.number_arguments import finite

KINDS = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
"""Names of the types of choices, for messages."""


def kinds(analysis: type[Any]) -> dict[str, type]:
    """Return the types of the choices of an analysis, in order."""
    where = f"of the analysis {analysis.__module__}.{analysis.__qualname__}"
    wanted = f"Choices are {', '.join(kind.__name__ for kind in KINDS)}."
    try:
        hints = get_type_hints(analysis)
    except NameError as error:
        raise OptionError(f"A type {where} is unknown: {error}.", wanted) from error
    found: dict[str, type] = {field.name: hints[field.name] for field in fields(analysis)}
    for key, kind in found.items():
        if kind not in KINDS:
            raise OptionError(f"'{key}' {where} is of type {kind}.", wanted)
    return found


def checked(value: Any, kind: type, where: str) -> Any:
    """Return a value converted to the type of a choice, or raise an error."""
    found = _converted(value, kind)
    if found is None:
        raise OptionError(f"{where} is {value!r}.", f"Give {KINDS[kind]}.")
    return found


def _converted(value: Any, kind: type) -> str | float | int | bool | None:
    if kind is str:
        return value if isinstance(value, str) else None
    if kind is bool:
        truth = {"true": True, "false": False}.get(str(value).lower())
        return truth if isinstance(value, bool | np.bool_ | str) else None
    try:
        number = finite(float(value) if isinstance(value, str) else value)
    except ValueError:
        return None
    if number is None or (kind is int and not number.is_integer()):
        return None
    return int(number) if kind is int else number
