"""Evaluation of assignments."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mbdgen.mubodyna.places import SourcePlace, close_to, fault
from mbdgen.mubodyna.syntax import (
    Assignment,
    Call,
    Expression,
    Field,
    MatrixSyntax,
    Name,
    Number,
    Operation,
    TextSyntax,
)
from mbdgen.mubodyna.values import InputElement, InputEntry, is_numeric, number

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{n: getattr(np, n) for n in ("sin", "cos", "tan", "sqrt", "exp", "log", "abs")},
    **{"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2},
    **{"deg2rad": np.deg2rad, "rad2deg": np.rad2deg, "norm": np.linalg.norm, "inv": np.linalg.inv},
    "sind": lambda x: np.sin(np.deg2rad(x)),
    "cosd": lambda x: np.cos(np.deg2rad(x)),
    "tand": lambda x: np.tan(np.deg2rad(x)),
    "cross": lambda a, b: np.cross(a.ravel(), b.ravel()).reshape(a.shape),
    "dot": lambda a, b: np.dot(a.ravel(), b.ravel()),
    "diag": lambda x: np.diag(x.ravel()) if 1 in x.shape else np.diag(x)[:, None],
    "eye": lambda n, m=None: np.eye(_whole(n), None if m is None else _whole(m)),
    "zeros": lambda n, m=None: np.zeros((_whole(n), _whole(n if m is None else m))),
    "ones": lambda n, m=None: np.ones((_whole(n), _whole(n if m is None else m))),
}
CONSTANTS = {"pi": number(math.pi), "true": True, "false": False, "eps": number(2.0**-52)}
LARGEST = 1000
"""Bound on array sizes and exponents, which limits the memory of an evaluation."""

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    ".*": lambda a, b: a * b,
    "./": lambda a, b: a / b,
    "*": lambda a, b: a * b if 1 in (a.size, b.size) else a @ b,
    "/": lambda a, b: a / b if b.size == 1 else a @ np.linalg.inv(b),
    "\\": lambda a, b: b / a if a.size == 1 else np.linalg.solve(a, b),
    ".^": lambda a, b: a**b,
    "^": lambda a, b: a**b if a.size == b.size == 1 else np.linalg.matrix_power(a, _whole(b)),
}


def evaluate(statements: Sequence[Assignment], structs: Sequence[str]) -> dict[str, InputEntry]:
    """Return the variables of a file by name, and where each was assigned last.

    Parameters
    ----------
    statements : list of Assignment
        Contents of the file.
    structs : list of str
        Names of the defaults that elements are created from.
    """
    known: dict[str, Any] = {}
    places: dict[str, SourcePlace] = {}
    for statement in statements:
        target, place = statement.target, statement.place
        places[target.name if isinstance(target, Name) else target.element] = place
        made = statement.value.name if isinstance(statement.value, Name) else ""
        if isinstance(target, Name) and made in structs:
            known[target.name] = InputElement(made, place, statement.note)
            continue
        try:
            value = _value(statement.value, known, place)
        except RecursionError as error:
            raise fault(
                place, "an expression is too long.", "Write it in several lines."
            ) from error
        if isinstance(target, Name):
            known[target.name] = value
            continue
        element = known.get(target.element)
        if not isinstance(element, InputElement):
            raise fault(
                place,
                f"{target.element!r} is not an element yet.",
                f"Create it first: {target.element} = {structs[0] if structs else '...'};",
            )
        known[target.element] = element.having(target.field, value, place)
    return {name: InputEntry(value, places[name]) for name, value in known.items()}


def _value(e: Expression, known: Mapping[str, Any], place: SourcePlace) -> Any:
    if isinstance(e, Number):
        return number(e.value)
    if isinstance(e, TextSyntax):
        return e.value
    if isinstance(e, Name | Field):
        return _named(e, known)
    if isinstance(e, MatrixSyntax):
        return _matrix(e, known)
    if isinstance(e, Call):
        return _called(e, known)
    operands = [_value(x, known, place) for x in e.operands]
    return _computed(e, operands)


def _named(e: Name | Field, known: Mapping[str, Any]) -> Any:
    if isinstance(e, Name):
        if e.name in known:
            return known[e.name]
        if e.name in CONSTANTS:
            return CONSTANTS[e.name]
        names = sorted([*known, *CONSTANTS, *FUNCTIONS])
        raise fault(e.place, f"{e.name!r} is not known here.", close_to(e.name, names))
    element = known.get(e.element)
    if not isinstance(element, InputElement) or e.field not in element.entries:
        raise fault(
            e.place, f"{e.element}.{e.field} has no value yet.", "Assign it before it is used."
        )
    return element.entries[e.field].value


def _called(e: Call, known: Mapping[str, Any]) -> Any:
    arguments = [_value(a, known, e.place) for a in e.arguments]
    if isinstance(e.of, Name) and e.of.name not in known:
        if e.of.name not in FUNCTIONS:
            raise fault(
                e.place,
                f"the function {e.of.name!r} is not supported.",
                close_to(e.of.name, sorted(FUNCTIONS)),
            )
        return _applied(e.place, e.of.name, FUNCTIONS[e.of.name], arguments)
    whole = _named(e.of, known)
    if not is_numeric(whole) or len(arguments) not in (1, 2):
        raise fault(e.place, "this cannot be indexed.", "Write the value itself.")
    rows = [_index(e.place, a) for a in arguments]
    try:
        found = whole.ravel("F")[rows[0]] if len(rows) == 1 else whole[rows[0], rows[1]]
    except IndexError:
        raise fault(
            e.place,
            f"entry {', '.join(str(k + 1) for k in rows)} of an array of "
            f"{whole.shape[0]} x {whole.shape[1]} does not exist.",
            "Entries are counted from 1.",
        ) from None
    return number(found)


def _index(place: SourcePlace, x: Any) -> int:
    whole = is_numeric(x) and x.size == 1 and float(x.item()).is_integer()
    if not whole or x.item() < 1:
        raise fault(place, "an entry is not a whole number from 1.", "Entries count from 1.")
    return int(x.item()) - 1


def _computed(e: Operation, operands: list[Any]) -> Any:
    if e.sign == "~" and len(operands) == 1 and isinstance(operands[0], bool):
        return not operands[0]
    numbers = [number(float(x)) if isinstance(x, bool) else x for x in operands]
    if e.sign == "'" and isinstance(operands[0], list):
        return operands[0]  # elements in a column and in a row are equivalent
    if not all(map(is_numeric, numbers)):
        raise fault(
            e.place, f"{e.sign!r} is applied to a value that is not a number.", "Correct it."
        )
    if len(numbers) == 1:
        (x,) = numbers
        return x.T if e.sign == "'" else -x if e.sign == "-" else x
    return _applied(e.place, f"operator {e.sign}", _OPERATORS[e.sign], numbers)


def _applied(place: SourcePlace, name: str, function: Callable[..., Any], given: list[Any]) -> Any:
    try:
        with np.errstate(all="ignore"):
            found = number(function(*given))
    except (AttributeError, ValueError, TypeError, IndexError, np.linalg.LinAlgError) as error:
        sizes = " and ".join("x".join(map(str, np.shape(x))) for x in given)
        raise fault(
            place, f"{name!r} cannot be taken of {sizes} ({error}).", "Look at the sizes."
        ) from None
    _check_small(place, found.shape)
    if not np.isfinite(found).all():
        raise fault(place, f"{name!r} gives a value that is not finite.", "Look at the numbers.")
    return found


def _matrix(e: MatrixSyntax, known: Mapping[str, Any]) -> Any:
    rows = [[_value(x, known, e.place) for x in row] for row in e.rows]
    flat = [x for row in rows for x in row]
    if not flat:
        return []
    if any(isinstance(x, InputElement | list) for x in flat):
        return _elements(e, flat)
    if not all(is_numeric(x) for x in flat):
        raise fault(e.place, "an array mixes numbers with something else.", "Write numbers.")
    for row in rows:
        _check_small(e.place, (len(rows), sum(np.shape(x)[-1] for x in row)))
    _check_small(e.place, (sum(max((np.shape(x)[0] for x in row), default=0) for row in rows),))
    try:
        return np.block([[x for x in row if x.size] for row in rows])
    except ValueError:
        sizes = "; ".join(" ".join("x".join(map(str, np.shape(x))) for x in row) for row in rows)
        raise fault(
            e.place, f"the rows of an array do not fit together: {sizes}.", "Give equal rows."
        ) from None


def _check_small(place: SourcePlace, shape: Sequence[int]) -> None:
    """Refuse arrays that grow exponentially by concatenation."""
    if max(shape, default=0) > LARGEST:
        raise fault(
            place,
            f"an array has {max(shape)} rows or columns, which are more than {LARGEST}.",
            "Write a smaller one.",
        )


def _elements(e: MatrixSyntax, flat: list[Any]) -> list[InputElement]:
    found: list[InputElement] = []
    for x in flat:
        if not isinstance(x, InputElement | list):
            raise fault(e.place, "an array mixes elements with numbers.", "Name elements only.")
        found += x if isinstance(x, list) else [x]
    return found


def _whole(x: Any) -> int:
    value = float(np.asarray(x).item())
    if not value.is_integer():
        raise ValueError(f"{value:g} is not a whole number")
    if abs(value) > LARGEST:
        raise ValueError(f"{value:g} is over {LARGEST}")
    return int(value)
