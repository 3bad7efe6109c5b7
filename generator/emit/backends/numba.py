"""Backend numba: Python kernels, compiled by LLVM as Numba does (decision 157)."""

from mbdgen.emit.backend import Backend, load_python
from mbdgen.emit.python_printer import PythonPrinter

BACKEND = Backend(
    name="numba",
    printer=PythonPrinter(),
    templates=(("module.py.jinja", ".py"),),
    # LLVM compiles three thousand statements a second; loops are shared by all meshes of a type.
    flat_limit=2000,
    load=load_python,
    recursive=True,
    crowds=True,
)
