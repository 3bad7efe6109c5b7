"""Printed modules run by Python itself: what is printed is tested without waiting for Numba."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen.build_options import BuildOptions
from mbdgen.emit.backends import find_backend
from mbdgen.emit.module_files import signed
from mbdgen.emit.module_header import facts_of
from mbdgen.language.model import Model
from mbdgen.runtime import simulate  # noqa: F401  compiled before the decorators are switched off
from mbdgen.runtime.program import compiled_functions, machine_code
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.system.system import System
from mbdgen.stages import derive_types, emit_text, lower_model
from mbdgen.topology.specify import specify

Array = NDArray[np.float64]
KERNELS = ("residual", "matrix", "rates", "energies", "outputs")


def text_of(model: Model, **options: Any) -> str:
    """The text of the module, with all its tables: no file lies beside it."""
    chosen = BuildOptions(**options)
    specs = specify(model)
    system = lower_model(model, specs, derive_types(specs, chosen.engine, chosen.second), chosen)
    backend = replace(find_backend("numba"), table_limit=sys.maxsize)
    texts = emit_text(system, backend, facts_of(model, system, chosen))
    return signed(texts)[".py"]


def plain_module(text: str) -> ModuleType:
    """Execute a module whose functions are left to Python."""
    with pytest.MonkeyPatch.context() as patch:
        # Of relative coordinates.
        patch.setattr(compiled_functions, "separate", lambda _: lambda function: function)
        patch.setattr(compiled_functions, "internal", lambda function: function)
        patch.setattr(machine_code, "compile_kernels", _left_to_python)
        module = ModuleType("printed")
        patch.setitem(sys.modules, "printed", module)
        exec(compile(text, "<printed module>", "exec"), module.__dict__)
    module.system._inertias = NoInertias()
    return module


def _left_to_python(module: Mapping[str, Any], names: Sequence[str]) -> Kernels:
    return Kernels(**{name: module[name] for name in names})


class NoInertias:
    """In the place of `Inertias`, which calls kernels by their addresses."""

    def of(self, system: System, parameters: Sequence[str]) -> tuple[()]:
        return ()


def random_arguments(system: System, seed: int = 0) -> list[Any]:
    """Any t, q, v, a, lam, and weights."""
    rng = np.random.default_rng(seed)
    q, v, a = system.q0 + rng.uniform(-0.3, 0.3, (3, system.n_q))
    return [0.7, q, v, a, rng.uniform(-1, 1, system.n_lam), np.array([0.7, -1.3, 0.4])]


def call(module: ModuleType, kernel: str, arguments: list[Any]) -> Array:
    """Run one kernel of a plain module with the present parameters of its system."""
    system = module.system
    sizes = {"rates": 2 * system.n, "energies": 3}
    sizes |= dict.fromkeys(("matrix", "mass"), len(system.work.values))
    sizes["slopes"] = 2 * len(system.work.values)
    sizes["outputs"] = len(system.names.outputs)
    out = np.full(sizes.get(kernel, system.n), np.nan)
    status = getattr(module, kernel)(*arguments, system.work.p, system.work.m, out)
    assert status == 0
    return out


def assert_same_numbers(one: ModuleType, two: ModuleType, tolerance: float, seed: int = 0) -> None:
    """All kernels of two modules agree to a part of their largest number."""
    assert one.system.names == two.system.names
    arguments = random_arguments(one.system, seed)
    for kernel in KERNELS:
        a, b = call(one, kernel, arguments), call(two, kernel, arguments)
        worst = np.abs(a - b).max(initial=0.0)
        assert worst <= tolerance * max(1.0, np.abs(a).max(initial=0.0)), f"{kernel}: {worst}"
