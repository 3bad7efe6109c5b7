"""A step in Node against one of the C backend: same equations, method and step, fused kernels.

Processor times of this process and of Node, best of several rounds; the first ones warm V8 up.
``pytest tests/benchmarks --update-baseline`` writes the ratios down.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from mbdgen import build, load, simulate
from mbdgen.errors import BuildError
from mbdgen.runtime.program import c_compiler
from tests.backends.node import evaluate, needs_node

BASELINE = Path(__file__).with_name("baseline.json")
BAR = 3.0
ROUNDS = 12
CASES = {
    "A02-2 newmark": ("n_four_bar", "newmark", 1e-3, 10_000),
    "A02-2 rk4": ("n_four_bar", "rk4", 1e-2, 1000),
    "A03 newmark": ("andrews", "newmark", 1e-5, 5000),
    "A03 rk4": ("andrews", "rk4", 1e-5, 5000),
}


def seconds_in_c(name: str, method: str, h: float, steps: int) -> float:
    """Best time of all steps, recording start and end only."""
    system = load(name, backend="c", layout="flat")
    span = (0.0, steps * h)
    runs = [
        simulate(system, span, method=method, h=h, t_eval=span, progress=False)
        for _ in range(ROUNDS)
    ]
    return min(run.timings["solve_s"] for run in runs)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("case", CASES)
def test_step_in_node_against_c(
    case: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        c_compiler.compiler()
    except BuildError:
        pytest.skip("there is no C compiler")
    name, method, h, steps = CASES[case]
    task: dict[str, Any] = {"task": "rounds", "method": method, "h": h, "steps": steps}
    module = str(build(name, tmp_path, backend="js", layout="flat"))
    (rounds,) = evaluate([{**task, "module": module, "rounds": ROUNDS}])
    js, c = min(rounds), seconds_in_c(name, method, h, steps)
    with capsys.disabled():
        print(
            f"\n{case}: {1e6 * js / steps:.2f} us a step in Node, {1e6 * c / steps:.2f} in C, "
            f"ratio {js / c:.2f}; first round {1e6 * rounds[0] / steps:.1f} us"
        )
    if request.config.getoption("--update-baseline"):
        known = json.loads(BASELINE.read_text("utf-8"))
        known.setdefault("js over c", {})[case] = round(js / c, 2)
        BASELINE.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    assert js / c < BAR
