"""Typed fields of a request; errors name the field."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from mbdgen.studio.reply import Refusal

LONGEST_TEXT = 400
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,99}")


def decoded(body: bytes) -> dict[str, object]:
    """Return the JSON object of a body."""
    try:
        found = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise bad("The request is not JSON.", "Send an object in UTF-8.") from None
    if not isinstance(found, dict):
        raise bad("The request is not a JSON object.", "Send an object with named fields.")
    return found


def check_fields(given: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse unknown fields."""
    if unknown := sorted(set(given) - set(known)):
        raise bad(f"There is no field {unknown[0][:80]!r}.", f"Fields are: {', '.join(known)}.")


def number(value: object, what: str, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a finite number in a closed interval."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise bad(f"{what} is {shown(value)}, which is not a number.", "Give a number.")
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise bad(f"{what} is not a finite number.", "Give a finite number.")
    if not low <= found <= high:
        raise bad(f"{what} = {found:g} is out of range.", f"Choose from {low:g} to {high:g}.")
    return found


def optional_number(value: object, what: str, low: float, high: float) -> float | None:
    """Return a number, or None if there is none."""
    return None if value is None else number(value, what, low, high)


def text(value: object, what: str) -> str:
    """Return a line of printable characters."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
        raise bad(f"{what} is {shown(value)}, which is not a line of text.", "Correct it.")
    return value


def name(value: object, what: str) -> str:
    """Return a name made of letters, digits and ``_.-``."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise bad(f"{what} is {shown(value)}, which is not a name.", "Correct it.")
    return value


def chosen(value: object, what: str, known: Sequence[str]) -> str | None:
    """Return one of the known names, or None if there is none."""
    if value is None:
        return None
    if not isinstance(value, str) or value not in known:
        raise bad(f"There is no {what} {shown(value)}.", f"Choose one of: {', '.join(known)}.")
    return value


def written(x: float) -> str:
    """Return the shortest exact decimal text of a number."""
    return str(int(x)) if x.is_integer() and abs(x) < 1e6 else repr(x)


def mapping(value: object, what: str) -> dict[str, object]:
    """Return an object with a limited number of fields; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict) or len(value) > 1000:
        raise bad(f"{what} is {shown(value)}, which is not an object.", "Send {name: value}.")
    return value


def bad(cause: str, remedy: str) -> Refusal:
    """Return the refusal of an invalid request."""
    return Refusal(HTTPStatus.BAD_REQUEST, cause, remedy)


def shown(value: object) -> str:
    """Return the beginning of an untrusted value for a message."""
    return ascii(value)[:80]


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is not JSON")
