"""Model arguments: functions of a system also accept a model, which is compiled or cached."""

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
T = TypeVar("T")


class Description(Protocol):
    """Interface of `mbdgen.Model` for the runtime, which does not import the model language."""

    def with_joint_coordinates(self, wanted: str) -> Any:
        """Return the same model in other coordinates."""


Source: TypeAlias = Description | str | Path
"""Objects loaded where a system is expected: a model, its path, or the name of a shipped one."""


def takes_model(
    function: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[S | Source, P], T]:
    """Let the first argument also be a `Model`, the path of one, or the name of a shipped one.

    Not for functions that change the system: the change would be lost. Type checkers and ``help``
    see it in the annotation of the argument.
    """

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if not given and first.name in named:
            given = (named.pop(first.name),)
        return function(*map(_loaded, given[:1]), *given[1:], **named)

    stated = signature(function)
    first, *others = stated.parameters.values()
    # Type checkers need it positional beside **options; here the name is known to be no option.
    kind = Parameter.POSITIONAL_OR_KEYWORD
    first = first.replace(annotation=first.annotation | Source, kind=kind)
    call.__signature__ = stated.replace(parameters=[first, *others])  # type: ignore[attr-defined]
    call.__annotations__ = {**function.__annotations__, first.name: first.annotation}
    return call


def _loaded(given: Any) -> Any:
    """Load a model; return anything else unchanged, for the function to validate."""
    language = sys.modules.get("mbdgen.language.model")  # without it there are no models
    if isinstance(given, str | Path) or (language and isinstance(given, language.Model)):
        return import_module("mbdgen").load(given)
    return given
