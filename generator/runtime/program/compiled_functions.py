"""How functions that only other compiled functions call are compiled, and kept fresh."""

from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar, cast

from llvmlite.binding import add_symbol
from numba import njit, types
from numba.core.cgutils import get_or_insert_function
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import infer_global, make_concrete_template

from mbdgen.runtime.program.activity import RUNTIME, activity
from mbdgen.runtime.program.numba_cache import ours
from mbdgen.runtime.program.precompile import compile_ahead

F = TypeVar("F", bound=Callable[..., Any])

# A division by zero gives inf, which the loops report, and no branch.
_for_compiled_callers = partial(
    njit, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)


def internal(function: F) -> F:
    """Make the code of a small function a part of every compiled function that calls it.

    It is compiled with its callers, and not at all if they are in the cache.
    """
    return cast("F", _for_compiled_callers()(function))


def inlined(function: F) -> F:
    """Put the lines of a small function into those of its callers, before they are compiled.

    A call hands over every array of a room: where a step calls often, [M] a quarter of its time.
    """
    return cast("F", _for_compiled_callers(inline="always")(function))


class Separate:
    """A compiled function whose code exists once; compiled code calls it by its symbol.

    Numba copies, optimises and stores a function anew in every function that calls it, and in all
    that call those. With two or three levels of calls most of the time of compiling, and of
    loading from the cache, went into copies: [M] 23 s instead of 17, and 1.06 instead of 0.69.

    Parameters
    ----------
    function : callable
        What to compile.
    signature : Numba signature
        The only types it is compiled for.
    from_python : bool
        Whether Python calls it too; otherwise only compiled code does.
    nogil : bool
        Whether other threads of Python go on meanwhile.
    """

    def __init__(self, function: Any, signature: Any, from_python: bool, nogil: bool) -> None:
        self._function, self._signature = function, signature
        self._from_python, self._nogil = from_python, nogil
        # The same source may be compiled for several signatures: every version has its symbol.
        types_of = sha256(str(signature).encode()).hexdigest()[:16]
        self._symbol = f"{function.__module__}.{function.__qualname__}.{types_of}"
        template = make_concrete_template(self._symbol, self, [signature])
        infer_global(self, types.Function(template))
        lower_builtin(self, *signature.args)(self._call)

    @cached_property
    def _dispatcher(self) -> Any:
        """Compile it, or load it from the cache, and register its symbol."""
        _help_once()
        decorate = njit(
            self._signature,
            cache=True,
            error_model="numpy",
            no_cpython_wrapper=not self._from_python,
            no_cfunc_wrapper=True,
            nogil=self._nogil,
        )
        with activity(RUNTIME), ours():
            dispatcher = decorate(with_callees(self._function))
        (version,) = dispatcher.overloads.values()
        name = version.fndesc.llvm_func_name
        add_symbol(self._symbol, version.library.get_pointer_to_function(name))
        return dispatcher

    def make(self) -> None:
        """Compile it, or load it from the cache, unless that has been done."""
        self._dispatcher  # noqa: B018

    @property
    def function(self) -> Callable[..., Any]:
        """Its source."""
        return cast("Callable[..., Any]", self._function)

    @property
    def overloads(self) -> Any:
        """Compiled versions by their signatures, as those of Numba's functions: there is one."""
        return self._dispatcher.overloads

    @property
    def stats(self) -> Any:
        """What was compiled and what was in the cache, as Numba's functions count it."""
        return self._dispatcher.stats

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python."""
        return self._dispatcher(*arguments)

    def _call(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Write a call of the symbol into the caller; statuses are values, nothing is raised."""
        # Otherwise the caller could be loaded from the cache before this symbol is known.
        assert "_dispatcher" in vars(self), f"with_callees overlooked {self._symbol}"
        convention = context.call_conv
        kind = convention.get_function_type(signature.return_type, signature.args)
        target = get_or_insert_function(builder.module, kind, self._symbol)
        _, value = convention.call_function(
            builder, target, signature.return_type, signature.args, arguments
        )
        return value


def separate(
    signature: object, *, from_python: bool = False, nogil: bool = False
) -> Callable[[F], F]:
    """Compile at first use, keep in the cache, let compiled code call it as a `Separate` function.

    For what is large or has several callers; what is small is better `internal`.
    """

    def decorate(function: F) -> F:
        made = Separate(function, signature, from_python, nogil)
        if "DIGEST" in function.__globals__:
            made.make()  # kernels of a generated module are Numba's own: nobody asks their callees
        return cast("F", made)

    return decorate


def with_callees(function: F) -> F:
    """Return a function, with every `Separate` function that it calls compiled or loaded.

    Code from the cache is linked at once: the symbols in it must be known before.
    """
    for callee in _callees(function, set()):
        callee.make()
    return function


def _callees(function: Any, seen: set[int]) -> Iterator[Separate]:
    """`Separate` functions that a function calls, itself or by those that become a part of it."""
    if id(function) in seen:
        return
    seen.add(id(function))
    names = tuple(_names(function.__code__))
    found = [cell.cell_contents for cell in function.__closure__ or ()]
    found += [function.__globals__.get(name) for name in names]
    for module in [value for value in found if isinstance(value, ModuleType)]:
        found += [vars(module).get(name) for name in names]
    for value in found:
        # A function has the name of an attribute, or of what it calls in another module: itself.
        if isinstance(value, Separate) and value.function is not function:
            yield value
        elif isinstance(value, Dispatcher):
            yield from _callees(value.py_func, seen)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def make_all(*modules: ModuleType) -> None:
    """Compile or load all `Separate` functions of modules."""
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Separate):
                value.make()


def direct(function: Any) -> Callable[..., Any]:
    """Return the only version of a compiled function, called without looking at the arguments.

    Finding the types of tuples of dozens of arrays takes Numba longer than a hundred steps.
    """
    (version,) = function.overloads.values()
    return cast("Callable[..., Any]", version.entry_point)


@cache
def _help_once() -> None:
    """Let another process compile too, as soon as a function is needed."""
    compile_ahead(Path(__file__).parents[1])
