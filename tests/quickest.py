"""The backend that compiles fastest here: C where there is a compiler, else Numba."""

from mbdgen.errors import BuildError
from mbdgen.runtime.program import c_compiler


def quickest() -> str:
    """Return its name."""
    try:
        c_compiler.compiler()
    except BuildError:
        return "numba"
    return "c"
