"""Functions of a system that take a model as well: it is compiled, or found in the cache."""

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def takes_model(function: F) -> F:
    """Let the first argument also be a `Model`, the path of one, or the name of a shipped one.

    Not for functions that change the system: nobody else would see the change.
    """

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if given:
            return function(_loaded(given[0]), *given[1:], **named)
        if "system" in named:
            named["system"] = _loaded(named["system"])
        return function(**named)

    return cast("F", call)


def _loaded(given: Any) -> Any:
    """Load what is a model; anything else is returned as it is, and judged by the function."""
    language = sys.modules.get("mbdgen.language.model")  # otherwise nobody has made a model
    if isinstance(given, str | Path) or (language and isinstance(given, language.Model)):
        return import_module("mbdgen").load(given)
    return given
