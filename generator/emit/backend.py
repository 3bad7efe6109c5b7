"""The contract of a backend: a printer, a template folder and a way to load what was written.

To add one: a file in `mbdgen.emit.backends` that defines ``BACKEND`` and a folder of the same name
in `templates`. Nothing else knows which languages exist.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mbdgen.emit.printer import Printer
from mbdgen.errors import BuildError
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
    fuse_limit : int
        Statements up to which flat kernels include elimination and solution as straight lines.
    operation_limit : int
        Operations up to which ``auto`` takes the flat module that came out, given by compile time.
    part_size : int
        Statements of one function: longer straight lines are cut, given by compile time.
    """

    name: str
    printer: Printer
    templates: tuple[tuple[str, str], ...]
    flat_limit: int
    load: Loader
    fuse_limit: int = 0
    operation_limit: int = sys.maxsize
    part_size: int = sys.maxsize


def load_python(path: Path) -> System:
    """Load a backend's first file where that is a Python module with a ``system``."""
    module = load_module(path)
    system = vars(module).get("system")
    if not isinstance(system, System):
        raise BuildError(f"{path} contains no system.", "Delete it and build it again.")
    return system
