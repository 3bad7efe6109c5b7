"""Compilation of functions of the solver language, when they are first needed."""

import logging
from collections.abc import Callable
from functools import cache, cached_property
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

from mbdgen.runtime.program.activity import RUNTIME, activity
from mbdgen.runtime.program.object_code import add_object, address_of_symbol
from mbdgen.subset.entries import Entry, entry_of
from mbdgen.subset.functions import Declared, internal
from mbdgen.subset.print_llvm import FREE_FRAME, Unit, Units
from mbdgen.subset.translator import Program
from mbdgen.subset.types import Signature

__all__ = ["Separate", "internal", "separate"]

logger = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., Any])


@cache
def _program() -> Program:
    return Program()


@cache
def _units() -> Units:
    return Units()


def _load(unit: Unit, seen: set[str]) -> None:
    """Load a unit after those that it calls."""
    if unit.symbol in seen:
        return
    seen.add(unit.symbol)
    for needed in unit.needs.values():
        _load(needed, seen)
    add_object(unit.symbol, lambda: unit.text)


def compiled_symbol(source: FunctionType, signature: Signature) -> str:
    """Return the symbol of a function compiled for declared types, after loading it.

    Parameters
    ----------
    source : function
        Its Python source.
    signature : Signature
        Its types.
    """
    with activity(RUNTIME):
        made = _program().specialise(source, signature.arguments, True, signature.result)
        unit = _units().of(made)
        _load(unit, set())
        return unit.symbol


class Separate(Declared):
    """A function compiled by itself for declared types; Python may call it, too."""

    @cached_property
    def address(self) -> int:
        """Its address."""
        return address_of_symbol(self.symbol)

    @cached_property
    def symbol(self) -> str:
        """Its symbol in machine code."""
        return compiled_symbol(self.source, self.signature)

    @cached_property
    def entry(self) -> Entry:
        """The compiled function, called from Python."""
        with activity(RUNTIME):
            types = self.signature
            made = _program().specialise(self.source, types.arguments, True, types.result)
            unit = _units().of(entry_of(made, types))
            _load(unit, set())
            add_object("mbdgen.frame_free", lambda: FREE_FRAME)
            address, free = map(address_of_symbol, (unit.symbol, "mbdgen.frame_free"))
        return Entry(address, types, free, self.source.__name__)

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.entry(*arguments)

    def make(self) -> None:
        """Compile the function, or load it from the cache, if not done yet."""
        self.address  # noqa: B018


def separate(signature: Signature) -> Callable[[F], F]:
    """Compile a function by itself, at its first use; others call it.

    For large functions, or those with several callers; small ones are better `internal`.
    """

    def decorate(function: F) -> F:
        return cast("F", Separate(cast("FunctionType", function), signature))

    return decorate


def make_all(*modules: ModuleType) -> None:
    """Compile or load all `Separate` functions of modules."""
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Separate):
                value.make()
