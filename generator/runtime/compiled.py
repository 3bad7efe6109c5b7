"""How functions that only other compiled functions call are compiled, and kept fresh."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from llvmlite.binding import add_symbol
from numba import njit, types
from numba.core.cgutils import get_or_insert_function
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import infer_global, make_concrete_template

from mbdgen.runtime.ahead import compile_ahead

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
        self._dispatcher = njit(
            signature,
            cache=True,
            error_model="numpy",
            no_cpython_wrapper=not from_python,
            no_cfunc_wrapper=True,
            nogil=nogil,
        )(function)
        (version,) = self._dispatcher.overloads.values()
        # The same source may be compiled for several signatures: every version has its symbol.
        types_of = sha256(str(version.signature).encode()).hexdigest()[:16]
        self._symbol = f"{function.__module__}.{function.__qualname__}.{types_of}"
        name = version.fndesc.llvm_func_name
        add_symbol(self._symbol, version.library.get_pointer_to_function(name))
        template = make_concrete_template(self._symbol, self, [version.signature])
        infer_global(self, types.Function(template))
        lower_builtin(self, *version.signature.args)(self._call)

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
    """Compile at once, keep in the cache, and let compiled code call it as a `Separate` function.

    For what is large or has several callers; what is small is better `internal`.
    """

    def decorate(function: F) -> F:
        return cast("F", Separate(function, signature, from_python, nogil))

    return decorate


def direct(function: Any) -> Callable[..., Any]:
    """Return the only version of a compiled function, called without looking at the arguments.

    Finding the types of tuples of dozens of arrays takes Numba longer than a hundred steps.
    """
    (version,) = function.overloads.values()
    return cast("Callable[..., Any]", version.entry_point)


def _forget_stale(folder: Path) -> None:
    """Delete cached code that is older than any source of the runtime.

    Numba compares a cached function with its own file only, but the code of the functions it
    calls is inside it: after a change in `projections` cached integrators would use the old one.
    """
    # Nothing calls an integrator but by its address: a new one makes nothing else stale.
    shared = [s for f in ("ensembles", "dense", "sensitivities") for s in folder.glob(f"{f}/*.py")]
    sources = [*folder.glob("*.py"), *shared, *folder.glob("*/base.py")]
    newest = max(source.stat().st_mtime for source in sources)
    for index in folder.rglob("__pycache__/*.nbi"):
        try:
            if index.stat().st_mtime < newest:
                index.unlink()
        except OSError:
            continue  # another process was faster, or the folder is read-only


_forget_stale(Path(__file__).parent)
compile_ahead(Path(__file__).parent)
