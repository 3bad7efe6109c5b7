"""Checks of the values that methods of user classes return, such as lengths of vectors."""

import sys
from numbers import Real
from typing import Any

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.usable import title


def is_expression(x: object) -> bool:
    """Return whether `x` is a real number or a scalar expression of SymPy or symengine."""
    if isinstance(x, Real):
        return not isinstance(x, bool)
    # Neither is imported for this: a library that is not imported has no objects.
    sp, se = sys.modules.get("sympy"), sys.modules.get("symengine")
    if sp is not None and isinstance(x, sp.Expr):
        return not x.is_Matrix
    return se is not None and isinstance(x, se.Expr)


def expression(owner: object, method: str, value: Any, hint: str = "") -> Any:
    """Return the scalar expression that a method of `owner` returned, or raise an error."""
    if not is_expression(value):
        raise wrong(owner, method, value, f"one expression{hint}")
    return value


def expressions(owner: object, method: str, value: Any, n: int | None = None) -> list[Any]:
    """Return a list of (`n`) expressions that a method of `owner` returned, or raise an error."""
    count = "" if n is None else f"{n} "
    wanted = f"a list of {count}expressions"
    vector = isinstance(value, np.ndarray) and value.ndim == 1
    if not (vector or isinstance(value, list | tuple)) or (n is not None and len(value) != n):
        raise wrong(owner, method, value, wanted)
    for k, entry in enumerate(value, 1):
        if not is_expression(entry):
            raise wrong(owner, method, value, wanted, f" with {kind(entry)} as number {k}")
    return list(value)


def wrong(owner: object, method: str, value: Any, wanted: str, more: str = "") -> ModelError:
    """Return the error for a method with an invalid return value."""
    return ModelError(
        f"{method} of {title(type(owner))} returned {kind(value)}{more}.",
        f"It must return {wanted}.",
    )


def kind(value: object) -> str:
    """Describe a wrong value in a word or two."""
    if value is None:
        return "None"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return type(value).__name__
