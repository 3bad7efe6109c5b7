"""What commands need before they say something: a list of methods compiles nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime import projections as projectors
from mbdgen.runtime.methods import method_summary as traits
from mbdgen.runtime.program.compiled_functions import Separate
from typer.testing import CliRunner
from mbdgen.cli.app import app
import gc
done = CliRunner().invoke(app, ["methods"])
assert done.exit_code == 0 and "radau" in done.output
made = [f for f in gc.get_objects() if isinstance(f, Separate) and "_dispatcher" in vars(f)]
print(len(made))
"""


@pytest.mark.slow
def test_list_of_methods_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == "0", done.stderr
    assert len(list(tmp_path.rglob("*.nbi"))) <= 1  # the call of a kernel from Python
