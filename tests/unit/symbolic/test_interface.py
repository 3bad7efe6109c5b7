"""What is stated twice because Python wants it so agrees with the one table of the interface."""

import ast
from pathlib import Path

from mbdgen.interface import ARGUMENTS, KERNELS, LOCALS, RESULTS
from mbdgen.language.read import read
from mbdgen.runtime.program.kernel_abi import KERNEL_SIGNATURE, Kernels
from tests.unit.compiler.printed import text_of


def functions(text: str) -> list[ast.FunctionDef]:
    """The kernels and element functions of a module."""
    printed = (f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef))
    return [f for f in printed if f.args.args and f.args.args[0].arg == "t"]


def test_the_tuple_of_compiled_functions_has_every_kernel() -> None:
    assert Kernels._fields == KERNELS
    assert set(RESULTS) == set(KERNELS)


def test_printed_functions_take_the_arguments_in_their_order() -> None:
    found = functions(text_of(read("n_four_bar", {"n": 1}), layout="loop"))
    assert len(found) > 6
    for function in found:
        assert tuple(a.arg for a in function.args.args) == ARGUMENTS
    assert len(KERNEL_SIGNATURE.args) == len(ARGUMENTS)


def test_variables_of_the_template_are_known() -> None:
    """Whatever a template assigns beside loads and temporaries has a name that nothing else has."""
    template = Path(__file__).parents[3] / "templates" / "numba" / "module.py.jinja"
    lines = [line.strip() for line in template.read_text("utf-8").splitlines()]
    assigned = {line.split(" = ")[0] for line in lines if " = m[" in line}
    assigned |= {line.split()[1] for line in lines if line.startswith("for ")}
    assert {"c", "j", "s", "e", "i"} <= assigned <= LOCALS
