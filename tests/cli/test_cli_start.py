"""A run whose module is in the cache imports what it needs, and nothing that takes long besides."""

import subprocess
import sys
from pathlib import Path

import pytest

# Reading, deriving and printing of models that are not there yet; parts of SciPy for a few runs;
# pictures and tables; loops of other runs than this one.
NOT_NEEDED = {
    *("jinja2", "matplotlib", "pandas", "symengine", "xarray"),
    *("scipy.fft", "scipy.integrate", "scipy.interpolate", "scipy.io", "scipy.optimize"),
    *("scipy.spatial", "scipy.special"),
    *("mbdgen.emit.render", "mbdgen.symbolic.derive", "mbdgen.symbolic.lower"),
    *("mbdgen.runtime.crowd_pairs", "mbdgen.runtime.lean", "mbdgen.runtime.dense.run"),
    *("mbdgen.runtime.ensembles.many", "mbdgen.view.plots"),
}
RUN = """
import sys
from mbdgen.cli import main
sys.argv = ["mbdgen", *sys.argv[1:]]
try:
    main()
finally:
    print("MODULES", *sys.modules)
"""


def imported(folder: Path, *arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, "run", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split("MODULES", 1)[1].split())


@pytest.mark.parametrize("model", ["pendulum", "cantilever"])
def test_the_second_run_of_a_model_imports_what_it_needs(model: str, tmp_path: Path) -> None:
    imported(tmp_path, model, "--t", "0.01")
    second = imported(tmp_path, model, "--t", "0.01")
    assert {"numba", "sympy", "mbdgen.runtime.loop"} <= second
    assert sorted(NOT_NEEDED & second) == []
