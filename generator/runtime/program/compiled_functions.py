"""Compilation of functions of the solver language, when they are first needed."""

from collections.abc import Callable
from functools import cache, cached_property
from types import FunctionType
from typing import Any, TypeVar, cast

from mbdgen.runtime.program.activity import RUNTIME, activity
from mbdgen.runtime.program.object_code import (
    LOADING,
    add_object,
    address_of_symbol,
    load_objects,
    object_name,
)
from mbdgen.runtime.program.program_index import key_of, read_program, write_program
from mbdgen.subset.decorators import Declared, internal
from mbdgen.subset.entries import Entry, entry_of, type_of_argument
from mbdgen.subset.print_llvm import FREE_FRAME, Unit, Units
from mbdgen.subset.translator import Program
from mbdgen.subset.typed_tree import TypedFunction
from mbdgen.subset.types import Signature, Type

__all__ = ["Separate", "compiled", "internal", "separate"]

F = TypeVar("F", bound=Callable[..., Any])


@cache
def _program() -> Program:
    return Program()


@cache
def _units() -> Units:
    return Units()


def _load(unit: Unit, names: dict[str, None]) -> None:
    """Load a unit after those that it calls, and add the names of their object code."""
    for needed in unit.needs.values():
        _load(needed, names)
    if (name := object_name(unit.symbol)) not in names:
        add_object(name, lambda: unit.text)
        names[name] = None


def _loaded(key: str, translated: Callable[[], TypedFunction]) -> str:
    """Return the symbol of a function after loading it, from the cache if it is there."""
    with LOADING:
        found = read_program(key)
        if found is not None and load_objects(found[1]):
            return found[0]
        with activity(RUNTIME):
            unit, names = _units().of(translated()), dict[str, None]()
            _load(unit, names)
        write_program(key, unit.symbol, list(names))
        return unit.symbol


def _entry(
    key: str,
    made: Callable[[], TypedFunction],
    signature: Signature,
    name: str,
    nogil: bool = False,
) -> Entry:
    """Return a specialised function as one that Python calls, after loading it."""
    with LOADING:
        symbol = _loaded(key, lambda: entry_of(made(), signature))
        add_object(object_name("mbdgen.frame_free"), lambda: FREE_FRAME)
        address, free = map(address_of_symbol, (symbol, "mbdgen.frame_free"))
    return Entry(address, signature, free, name, nogil)


class Separate(Declared):
    """A function compiled by itself for declared types; Python may call it, too.

    Parameters
    ----------
    source : function
        Its Python source.
    signature : Signature
        Its types.
    nogil : bool
        Whether it releases the global interpreter lock when Python calls it.
    """

    def __init__(self, source: FunctionType, signature: Signature, nogil: bool = False) -> None:
        super().__init__(source, signature)
        self._nogil = nogil

    @cached_property
    def address(self) -> int:
        """Its address."""
        with LOADING:
            return address_of_symbol(self.symbol)

    @cached_property
    def symbol(self) -> str:
        """Its symbol in machine code."""
        return _loaded(key_of(self.source, self.signature, "calls"), self._specialised)

    def _specialised(self) -> TypedFunction:
        types = self.signature
        return _program().specialise(self.source, types.arguments, True, types.result)

    @cached_property
    def entry(self) -> Entry:
        """The compiled function, called from Python."""
        key = key_of(self.source, self.signature, "calls by Python")
        name = self.source.__name__
        return _entry(key, self._specialised, self.signature, name, self._nogil)

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.entry(*arguments)

    def make(self) -> None:
        """Compile the function, or load it from the cache, if not done yet."""
        self.address  # noqa: B018


class Compiled:
    """A function compiled for the types of the arguments that Python passes.

    Parameters
    ----------
    source : function
        Its Python source.
    """

    def __init__(self, source: FunctionType) -> None:
        self.source = source
        self._entries: dict[tuple[Type, ...], Entry] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Call the version for these types, after compiling it if there is none."""
        kinds = tuple(map(type_of_argument, arguments))
        if kinds not in self._entries:
            with LOADING, activity(RUNTIME):
                made = _program().specialise(self.source, kinds, True)
            signature = Signature(_program().result_of(made), kinds)
            key = key_of(self.source, signature, "calls by Python")
            name = self.source.__name__
            self._entries[kinds] = _entry(key, lambda: made, signature, name)
        return self._entries[kinds](*arguments)


def compiled(function: F) -> F:
    """Compile a function for the arguments that it is called with by Python."""
    return cast("F", Compiled(cast("FunctionType", function)))


def separate(signature: Signature, *, nogil: bool = False) -> Callable[[F], F]:
    """Compile a function by itself, at its first use; others call it.

    For large functions, or those with several callers; small ones are better `internal`.
    """

    def decorate(function: F) -> F:
        return cast("F", Separate(cast("FunctionType", function), signature, nogil))

    return decorate
