"""The contract of a backend: a printer, a template folder and a way to load what was written.

To add one: a folder in `templates`, a printer, and one line in `BACKENDS`. Nothing else knows
which languages exist.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mbdgen.emit.numba_printer import NumbaPrinter
from mbdgen.emit.printer import Printer
from mbdgen.errors import OptionError
from mbdgen.runtime.load import load_module
from mbdgen.runtime.system import System

Loader = Callable[[Path], System]


@dataclass(frozen=True)
class Backend:
    """A target language.

    Attributes
    ----------
    name : str
        What users write after ``--backend``.
    printer : Printer
        Writes expressions.
    templates : tuple of (template, suffix)
        Files to render; the first is the module that users import. Suffixes are appended to the
        model's name.
    flat_limit : int
        Statements up to which the layout ``auto`` prints flat code, given by compile time.
    load : callable
        Turns the written module into a `System`.
    """

    name: str
    printer: Printer
    templates: tuple[tuple[str, str], ...]
    flat_limit: int
    load: Loader


def _load_python(path: Path) -> System:
    return load_module(path).system


NUMBA = Backend(
    name="numba",
    printer=NumbaPrinter(),
    templates=(("module.py.jinja", ".py"),),
    # Numba compiles 200 to 250 straight-line statements a second.
    flat_limit=2000,
    load=_load_python,
)

BACKENDS = {b.name: b for b in (NUMBA,)}


def find_backend(name: str) -> Backend:
    """Return the backend of that name.

    Raises
    ------
    OptionError
        If there is none.
    """
    if name not in BACKENDS:
        raise OptionError(f"Unknown backend {name!r}.", f"Choose one of: {', '.join(BACKENDS)}.")
    return BACKENDS[name]
