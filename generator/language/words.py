"""Names of options that a user may misspell or forget."""

from collections.abc import Callable, Collection
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

from mbdgen.errors import ModelError


def require_options(what: str, given: Collection[str], *functions: Callable[..., Any]) -> None:
    """Refuse options that no function takes by name, and the lack of one that the first needs.

    Parameters
    ----------
    functions : callables
        The first one, and those that it passes others on to.
    """
    own, *others = (_by_name(function) for function in functions)
    known = [p.name for found in (own, *others) for p in found]
    for name in given:
        if name not in known:
            close = get_close_matches(name, known)
            hint = f"Did you mean {close[0]}?" if close else f"It knows: {', '.join(known)}."
            raise ModelError(f"{what} has no option {name}.", hint)
    lacking = [p.name for p in own if p.default is Parameter.empty and p.name not in given]
    if lacking:
        raise ModelError(f"{what} lacks {', '.join(lacking)}.", "Give it as a named argument.")


def _by_name(function: Callable[..., Any]) -> list[Parameter]:
    parameters = signature(function).parameters.values()
    return [p for p in parameters if p.kind is Parameter.KEYWORD_ONLY]
