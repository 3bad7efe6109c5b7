"""Compilation of functions called by other compiled functions (Numba), and their caching."""

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

# Division by zero gives inf, which the loops report, without a branch.
_for_compiled_callers = partial(
    njit, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)


def internal(function: F) -> F:
    """Compile a small function into every compiled function that calls it.

    It is compiled with its callers, and not at all if these are in the cache.
    """
    return cast("F", _for_compiled_callers()(function))


def inlined(function: F) -> F:
    """Inline the source of a small function into its callers, before these are compiled.

    A call passes every array of a workspace: in steps with many calls [M] a quarter of the time.
    """
    return cast("F", _for_compiled_callers(inline="always")(function))


class Separate:
    """A function compiled once; compiled code calls it by its symbol.

    Numba copies, optimises and stores a function again in every function that calls it, and in all
    that call those. With two or three levels of calls most of the time for compiling, and for
    loading from the cache, was due to copies: [M] 23 s instead of 17, and 1.06 instead of 0.69.

    Parameters
    ----------
    function : callable
        Function to compile.
    signature : Numba signature
        The only types it is compiled for.
    from_python : bool
        Whether Python calls it as well; otherwise only compiled code does.
    nogil : bool
        Whether it releases the global interpreter lock.
    """

    def __init__(self, function: Any, signature: Any, from_python: bool, nogil: bool) -> None:
        self._function, self._signature = function, signature
        self._from_python, self._nogil = from_python, nogil
        # The same source may be compiled for several signatures: each version has its own symbol.
        types_of = sha256(str(signature).encode()).hexdigest()[:16]
        self._symbol = f"{function.__module__}.{function.__qualname__}.{types_of}"
        template = make_concrete_template(self._symbol, self, [signature])
        infer_global(self, types.Function(template))
        lower_builtin(self, *signature.args)(self._call)

    @cached_property
    def _dispatcher(self) -> Any:
        """Compile the function, or load it from the cache, and register its symbol."""
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
        """Compile the function, or load it from the cache, if not done yet."""
        self._dispatcher  # noqa: B018

    @property
    def function(self) -> Callable[..., Any]:
        """Its Python source."""
        return cast("Callable[..., Any]", self._function)

    @property
    def overloads(self) -> Any:
        """Compiled versions by signature, as in Numba's functions: there is one."""
        return self._dispatcher.overloads

    @property
    def stats(self) -> Any:
        """Counts of compilations and cache hits, as in Numba's functions."""
        return self._dispatcher.stats

    def __call__(self, *arguments: Any) -> Any:
        """Call the function from Python."""
        return self._dispatcher(*arguments)

    def _call(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Emit a call of the symbol into the caller; errors are statuses, nothing is raised."""
        # Otherwise the caller could be loaded from the cache before this symbol is registered.
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
    """Compile at first use, cache, and let compiled code call it: see `Separate`.

    For large functions, or those with several callers; small ones are better `internal`.
    """

    def decorate(function: F) -> F:
        made = Separate(function, signature, from_python, nogil)
        if "DIGEST" in function.__globals__:
            made.make()  # kernels of a generated module are compiled without `with_callees`
        return cast("F", made)

    return decorate


def with_callees(function: F) -> F:
    """Return a function after compiling or loading every `Separate` function that it calls.

    Code from the cache is linked at once: its symbols must be registered before.
    """
    for callee in _callees(function, set()):
        callee.make()
    return function


def _callees(function: Any, seen: set[int]) -> Iterator[Separate]:
    """Yield `Separate` functions that a function calls, directly or by inlined functions."""
    if id(function) in seen:
        return
    seen.add(id(function))
    names = tuple(_names(function.__code__))
    found = [cell.cell_contents for cell in function.__closure__ or ()]
    found += [function.__globals__.get(name) for name in names]
    for module in [value for value in found if isinstance(value, ModuleType)]:
        found += [vars(module).get(name) for name in names]
    for value in found:
        # The name of an attribute, or of a callee in another module, may be the function itself.
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
    """Return the only version of a compiled function, called without dispatch on the arguments.

    Numba takes longer than a hundred steps to find the types of tuples of dozens of arrays.
    """
    (version,) = function.overloads.values()
    return cast("Callable[..., Any]", version.entry_point)


@cache
def _help_once() -> None:
    """Start parallel compilation in another process, as soon as a function is needed."""
    compile_ahead(Path(__file__).parents[1])
