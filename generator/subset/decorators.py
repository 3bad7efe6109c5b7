"""Functions of the solver language: decorators."""

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from mbdgen.subset.types import Signature

F = TypeVar("F", bound=Callable[..., Any])


class Inlined:
    """A function that becomes part of every function that calls it; in Python, itself."""

    def __init__(self, source: FunctionType) -> None:
        self.source = source
        self.__name__, self.__doc__ = source.__name__, source.__doc__
        self.__wrapped__ = source

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the Python function."""
        return self.source(*arguments, **named)


def internal(function: F) -> F:
    """Make a function part of every compiled function that calls it."""
    return cast("F", Inlined(cast("FunctionType", function)))


class Declared:
    """A function with declared types, compiled by itself.

    Parameters
    ----------
    source : function
        Its Python source.
    signature : Signature
        Its types.
    """

    def __init__(self, source: FunctionType, signature: Signature) -> None:
        self.source, self.signature = source, signature
        self.__name__, self.__doc__ = source.__name__, source.__doc__
        self.__wrapped__ = source
