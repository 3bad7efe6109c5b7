"""Python that Numba compiles: one ``cfunc`` for every kernel."""

from mbdgen.emit.backend import Backend, load_python
from mbdgen.emit.python_printer import PythonPrinter

BACKEND = Backend(
    name="numba",
    printer=PythonPrinter(),
    templates=(("module.py.jinja", ".py"),),
    # Numba compiles 200 to 250 straight-line statements a second.
    flat_limit=2000,
    load=load_python,
    recursive=True,
    crowds=True,
)
