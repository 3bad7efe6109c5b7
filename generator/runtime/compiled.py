"""How functions that only other compiled functions call are compiled, and kept fresh."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def internal(signature: object) -> Callable[[F], F]:
    """Compile at once, keep in the cache, and leave out the wrappers for calls from Python.

    The wrappers unpack tuples of dozens of arrays: they take longer to compile than the function.
    """
    decorate = njit(
        signature,
        cache=True,
        error_model="numpy",  # a division by zero gives inf, which the loops report, and no branch
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )
    return cast("Callable[[F], F]", decorate)


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
    sources = [*folder.glob("*.py"), *folder.glob("ensembles/*.py"), folder / "integrators/base.py"]
    newest = max(source.stat().st_mtime for source in sources)
    for index in folder.rglob("__pycache__/*.nbi"):
        try:
            if index.stat().st_mtime < newest:
                index.unlink()
        except OSError:
            continue  # another process was faster, or the folder is read-only


_forget_stale(Path(__file__).parent)
