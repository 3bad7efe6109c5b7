"""Functions of a system that take a model as well: it is compiled, or found in the cache."""

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from mbdgen.errors import OptionError
from mbdgen.runtime.system import System

F = TypeVar("F", bound=Callable[..., Any])


class ModelLike(Protocol):
    """What `mbdgen.load` compiles: a `mbdgen.Model`."""

    name: str

    @property
    def parameter_defaults(self) -> dict[Any, float]:
        """Default value of every parameter, by symbol."""


SystemLike: TypeAlias = System | ModelLike | str | Path
"""A system, or a model that is loaded first, with its default options."""


def require_system(function: str, system: object) -> System:
    """Return a system, or refuse what is none."""
    if isinstance(system, System):
        return system
    raise OptionError(
        f"{function} needs a System, not {type(system).__name__}.",
        "Give mbdgen.load(...), 'system' of a generated module, a Model, or the path or name "
        "of one.",
    )


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
