"""Wheel with compiled code: `pip install .` compiles what most runs need; see `prebuild`."""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCode(build_py):
    """Copy the package, then compile what most runs need into its folder ``prebuilt``."""

    def run(self) -> None:
        """Run the command."""
        super().run()
        if self.editable_mode:
            return
        lib = Path(self.build_lib).resolve()
        command = [sys.executable, "-m", "mbdgen.runtime.program.prebuild"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(lib), *sys.path[1:]])}
        folder = lib / "mbdgen" / "prebuilt"
        done = subprocess.run([*command, str(folder)], env=environment, cwd=lib)
        if done.returncode != 0:
            self.warn("nothing was compiled: first runs do it")


setup(cmdclass={"build_py": BuildWithCode})
