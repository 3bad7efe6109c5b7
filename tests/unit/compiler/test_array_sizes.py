"""What straight kernels read lies inside the arrays that a run has, in all coordinates."""

from typing import Any

import pytest

from mbdgen.build_options import BuildOptions
from mbdgen.interface import EPS, WEIGHTS
from mbdgen.language.read import read
from mbdgen.stages import derive_types, lower_model
from mbdgen.symbolic.ir.system_ir import SystemIR
from mbdgen.topology.specify import specify

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("slider_crank", {}, {}),
    ("slider_crank", {}, {"reduced": True, "backend": "c"}),
    ("slider_crank", {"coordinates": "relative"}, {}),
    ("slider_crank", {"coordinates": "natural"}, {"eliminate": True}),
    ("slider_crank", {"coordinates": "natural"}, {"eliminate": True, "backend": "c"}),
    (
        "double_pendulum",
        {"coordinates": "natural"},
        {"eliminate": True, "second": True, "backend": "c"},
    ),
]


def lowered(name: str, arguments: dict[str, Any], options: dict[str, Any]) -> SystemIR:
    model = read(name, arguments)
    specs = specify(model)
    chosen = BuildOptions(layout="flat", **options)
    return lower_model(model, specs, derive_types(specs, "sympy", chosen.second), chosen)


@pytest.mark.representatives(
    id=[
        "slider_crank-arguments0-options0",
        "slider_crank-arguments1-options1",
        "slider_crank-arguments2-options2",
        "slider_crank-arguments3-options3",
    ]
)
@pytest.mark.parametrize(("name", "arguments", "options"), CASES)
def test_inputs_lie_inside(name: str, arguments: dict[str, Any], options: dict[str, Any]) -> None:
    system = lowered(name, arguments, options)
    sizes = {
        **dict.fromkeys("qv", system.sizes["n_q"]),
        "lam": system.sizes["n_lam"],
        "w": len(WEIGHTS) + system.sizes["n_lam"],
        "p": len(system.p),
    }
    outside = [
        (kernel.name, text)
        for kernel in system.flat
        for text, array, k in kernel.inputs
        if k >= sizes.get(array, k + 1)
    ]
    assert system.flat and outside == []


def test_multipliers_have_their_own_weights() -> None:
    """Where multipliers are gone, those that are left are counted anew."""
    system = lowered(
        "slider_crank", {"coordinates": "natural"}, {"eliminate": True, "backend": "c"}
    )
    (newton,) = (kernel for kernel in system.flat if kernel.name == "newton")
    read_weights = [k for _, array, k in newton.inputs if array == "w" and k >= EPS]
    assert read_weights == [EPS + k for k in range(system.sizes["n_lam"])]
