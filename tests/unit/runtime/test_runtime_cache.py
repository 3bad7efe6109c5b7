"""Functions of the runtime are compiled once: the next process takes them from the cache."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mbdgen.runtime.methods.plugin_validation import Deferred
from mbdgen.runtime.program import prebuild
from mbdgen.runtime.program.compiled_functions import Separate

PROGRAM = """
from mbdgen.runtime.program import compiled_functions, object_code
counts = [0, 0]

def counted(place, function):
    def count(*given):
        counts[place] += 1
        return function(*given)
    return count

object_code._compile = counted(0, object_code._compile)
specialise = compiled_functions.Program.specialise
compiled_functions.Program.specialise = counted(1, specialise)
from mbdgen.runtime.integrators import newmark
from mbdgen.runtime.monitors import recorder
newmark.step.compiled.address, recorder.begin.entry
print(*counts)
"""


def counts(environment: dict[str, str]) -> list[int]:
    """Return how many modules a process compiled, and how many functions it translated."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    return [int(x) for x in done.stdout.split()]


def test_second_process_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "MBDGEN_CACHE": str(tmp_path)}
    first = counts(environment)
    assert first[0] > 10 and first[1] > first[0]
    assert counts(environment) == [0, 0]
    for path in tmp_path.rglob("*.json"):  # of an interrupted copy
        path.write_bytes(path.read_bytes()[:-5])
    found = counts(environment)
    assert found[0] == 0 and found[1] == first[1]
    damaged = next(tmp_path.rglob("*.o"))
    damaged.write_bytes(damaged.read_bytes()[:-5])
    assert counts(environment)[0] <= 1
    assert counts(environment) == [0, 0]


def test_what_is_compiled_with_the_package_exists() -> None:
    for name in (*prebuild.CALLED, *prebuild.STEPS):
        module, _, function = name.partition(":")
        found = getattr(import_module(f"mbdgen.runtime.{module}"), function)
        assert isinstance(found, Separate | Deferred), name


RUN = """
import sys
from pathlib import Path
from mbdgen.runtime.program import object_code
object_code.PREBUILT = Path(sys.argv[1])
compiled, original = [], object_code._compile

def compile_module(text, kernel):
    compiled.append(kernel)
    return original(text, kernel)

object_code._compile = compile_module
from mbdgen import load, simulate
system = load("n_four_bar")
for method in ("newmark", "rk4"):
    assert simulate(system, (0, 0.1), h=1e-2, method=method).success
print(len(compiled), all(compiled))
"""


@pytest.mark.slow
def test_a_first_run_compiles_kernels_only(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mbdgen.runtime.program.prebuild", str(tmp_path / "built")]
    subprocess.run(build, check=True)
    environment = {**os.environ, "MBDGEN_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path / "built")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    count, only_kernels = done.stdout.split()
    assert int(count) > 3 and only_kernels == "True", done.stdout


def test_a_helper_in_another_file_is_part_of_the_key(tmp_path: Path) -> None:
    """Of a plug-in, say, whose step calls functions of the user's other files."""
    law = "from helper import factor\nimport sys\n"
    law += "from mbdgen.runtime.program.compiled_functions import separate\n"
    law += "from mbdgen.subset import types\n\n\n@separate(types.float64(types.float64))\n"
    law += "def law(x):\n    return factor(x)\n\n\nprint(law(2.0))\n"
    (tmp_path / "law.py").write_text(law)
    environment = {**os.environ, "MBDGEN_CACHE": str(tmp_path / "cache")}
    for factor in (3.0, 5.0):
        (tmp_path / "helper.py").write_text(f"def factor(x):\n    return {factor} * x\n")
        done = subprocess.run(
            [sys.executable, "law.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.stdout == f"{factor * 2.0}\n", done.stderr
