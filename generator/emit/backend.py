"""Interface of a backend: a printer, a template folder and, if Python runs it, a loader.

To add one: a file in `mbdgen.emit.backends` that defines ``BACKEND`` and a folder of the same name
in `templates`. Backends are found automatically.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mbdgen.emit.printer import Printer
from mbdgen.emit.python_printer import PythonPrinter
from mbdgen.emit.table_literals import LITERAL_LIMIT
from mbdgen.errors import BuildError
from mbdgen.runtime.system.module_loading import load_module
from mbdgen.runtime.system.system import System

Loader = Callable[[Path], System]


@dataclass(frozen=True)
class Backend:
    """Backend: a target language.

    Attributes
    ----------
    name : str
        Name of the option ``--backend``.
    printer : Printer
        Printer of expressions.
    templates : tuple of (template, suffix)
        Files to render; the first is the module that users import. Suffixes follow its name.
    flat_limit : int
        Largest number of statements for which ``auto`` chooses the flat layout, limited by compile
        time.
    load : callable or None
        Loads the generated module as a `System`; None if Python does not run it.
    fuse_limit : int
        Largest number of statements for which flat kernels include straight-line factorisation and
        solution.
    operation_limit : int
        Largest number of operations for which ``auto`` keeps the flat module, limited by compile
        time.
    part_size : int
        Largest number of statements of a function: longer straight-line code is divided, because of
        compile time.
    table_limit : int
        Largest number of table entries within the module; larger tables go to an ``.npz`` file.
    recursive : bool
        Whether its template supports loops for relative coordinates.
    module_printer : Printer
        Printer of the expressions of parameters in the first file.
    reads : bool
        Whether its integrator supports forces that depend on reactions (such as friction).
    switches : bool
        Whether its integrator switches orientation charts near coordinate singularities.
    crowds : bool
        Whether its kernels support many contacts (search of pairs).
    methods : tuple of str
        Methods of the time integrator that it prints; empty if Python integrates.
    """

    name: str
    printer: Printer
    templates: tuple[tuple[str, str], ...]
    flat_limit: int
    load: Loader | None
    fuse_limit: int = 0
    operation_limit: int = sys.maxsize
    part_size: int = sys.maxsize
    table_limit: int = LITERAL_LIMIT
    recursive: bool = False
    module_printer: Printer = field(default_factory=PythonPrinter)
    reads: bool = True
    switches: bool = True
    crowds: bool = False
    methods: tuple[str, ...] = ()

    @property
    def fuses(self) -> bool:
        """Whether it supports fused kernels."""
        return self.fuse_limit > 0

    @property
    def suffixes(self) -> list[str]:
        """Suffixes of the files, that of the module first."""
        return [suffix for _, suffix in self.templates]


def load_python(path: Path) -> System:
    """Load the first file of a backend, a Python module with a ``system``."""
    if path.suffix != ".py":
        raise BuildError(f"'{path}' is no Python module.", "Its header says how to use it.")
    module = load_module(path)
    system = vars(module).get("system")
    if not isinstance(system, System):
        raise BuildError(f"{path} contains no system.", "Delete it and build it again.")
    return system
