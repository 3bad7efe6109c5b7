"""Errors for misspelt, missing or repeated arguments, with suggestions."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, isfunction, signature
from typing import Any, TypeVar

from mbdgen.errors import ModelError, meant

C = TypeVar("C", bound=type[Any])
_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def explains_arguments(words: C) -> C:
    """Decorate a class so that its methods report wrong arguments, with suggestions."""
    first = () if is_dataclass(words) else ("__init__",)  # users do not create those
    for name, method in [*vars(words).items()]:
        if isfunction(method) and (name in first or not name.startswith("_")):
            called = words.__name__ if name == "__init__" else name
            setattr(words, name, _explained(method, called))
    return words


def check_known(what: str, given: Collection[str], known: Collection[str]) -> None:
    """Reject unknown options."""
    unknown = [name for name in given if name not in known]
    if unknown:
        listed = f"It knows: {', '.join(dict.fromkeys(known))}."
        raise ModelError(
            f"{what} has no option {', '.join(unknown)}.", meant(unknown[0], known, listed)
        )


def _explained(method: Callable[..., Any], called: str) -> Callable[..., Any]:
    @wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except TypeError:
            # Errors raised inside the method do not concern its arguments.
            _check_fitting(called, method, given[1:], named)
            raise

    return call


def _check_fitting(
    called: str, method: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]
) -> None:
    """Reject arguments that do not match the signature of a method."""
    parameters = [*signature(method).parameters.values()][1:]
    known = [p.name for p in parameters if p.kind in _NAMED]
    positional = [p.name for p in parameters if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    kinds = {p.kind for p in parameters}
    name = given[0] if given and positional[:1] == ["name"] else named.get("name")
    what = f"{called} '{name}'" if isinstance(name, str) else f"{called}(...)"
    if Parameter.VAR_KEYWORD not in kinds:
        check_known(what, named, known)
    takes = f"It takes: {', '.join(known) or 'none'}."
    if len(given) > len(positional) and Parameter.VAR_POSITIONAL not in kinds:
        raise ModelError(
            f"{what} takes {len(positional)} arguments by position, but {len(given)} were given.",
            takes,
        )
    first = positional[: len(given)]
    if twice := [name for name in first if name in named]:
        raise ModelError(f"{what} is given {', '.join(twice)} twice.", takes)
    needed = [p.name for p in parameters if p.kind in _NAMED and p.default is Parameter.empty]
    if lacking := [name for name in needed if name not in first and name not in named]:
        raise ModelError(f"{what} lacks {', '.join(lacking)}.", takes)
