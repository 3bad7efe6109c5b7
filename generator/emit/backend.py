"""The contract of a backend: a printer, a template folder and, if Python runs it, a way to load it.

To add one: a file in `mbdgen.emit.backends` that defines ``BACKEND`` and a folder of the same name
in `templates`. Nothing else knows which languages exist.
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
    load : callable or None
        Turns the written module into a `System`; None if Python does not run it.
    fuse_limit : int
        Statements up to which flat kernels include elimination and solution as straight lines.
    operation_limit : int
        Operations up to which ``auto`` takes the flat module that came out, given by compile time.
    part_size : int
        Statements of one function: longer straight lines are cut, given by compile time.
    table_limit : int
        Numbers up to which tables stand in the module; more of them go to an ``.npz`` file.
    recursive : bool
        Whether its template has the loops of relative coordinates.
    module_printer : Printer
        Writes the expressions of the parameters in the first file.
    reads : bool
        Whether what integrates the module finds forces that depend on reactions.
    switches : bool
        Whether what integrates it switches orientations whose numbers come near to failing.
    crowds : bool
        Whether its kernels find the pairs of many contacts.
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

    @property
    def fuses(self) -> bool:
        """Whether it makes fused kernels at all."""
        return self.fuse_limit > 0

    @property
    def suffixes(self) -> list[str]:
        """Endings of the files, the module's own first."""
        return [suffix for _, suffix in self.templates]


def load_python(path: Path) -> System:
    """Load a backend's first file where that is a Python module with a ``system``."""
    if path.suffix != ".py":
        raise BuildError(f"'{path}' is no Python module.", "Its header says how to use it.")
    module = load_module(path)
    system = vars(module).get("system")
    if not isinstance(system, System):
        raise BuildError(f"{path} contains no system.", "Delete it and build it again.")
    return system
