"""A studio on a free port, with a folder of own models."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mbdgen.studio.catalogue import Catalogue
from mbdgen.studio.run_bounds import RunBounds
from mbdgen.studio.scheme_choices import SchemeChoices
from mbdgen.studio.server import Server
from mbdgen.studio.studio import Studio
from tests.studio.client import Client

CHOICES = SchemeChoices(("newmark", "rk4"), ("index1", "index3"), ("none", "mass-orthogonal"), "{}")

BALL = """
"A ball that a force pushes up."
from mbdgen import Model

def model(mass=1.0, push=0.0, name="ball"):
    '''Return it.

    Parameters
    ----------
    mass, push : float
        Of the ball.
    name : str
        Of the model.
    '''
    m = Model(name, gravity=(0, 0, -9.81))
    mass = m.parameter("mass", mass, unit="kg")
    ball = m.point_mass("ball", mass)
    m.force("push", ball.at(), force=(0, 0, push))
    m.output("height", ball.at().z, unit="m")
    return m
"""
DIES = """
from mbdgen import Model
import sympy
m = model = Model("dies")
ball = m.point_mass("ball", 1.0)
# No value after 0.25 s.
m.force("push", ball.at(), force=(sympy.sqrt(0.25 - m.t), 0, 0))
m.output("height", ball.at().z)
"""
NEVER_ENDS = """
import subprocess
from mbdgen import Model
sleeper = subprocess.Popen(["sleep", "1000"])
open("{pid}", "w").write(str(sleeper.pid))
while True:
    pass
"""
HUNGRY = "from mbdgen import Model\nmeal = bytearray(20_000_000_000)\nmodel = Model('m1')\n"
OWN = {"ball": BALL, "dies": DIES, "hungry": HUNGRY, "broken": "def model(:\n", "notes": "x = 1\n"}


def write_models(folder: Path) -> Path:
    """Fill a folder with models."""
    folder.mkdir()
    for name, text in OWN.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    pid = folder / "pid.txt"
    (folder / "never_ends.py").write_text(NEVER_ENDS.format(pid=pid), "utf-8")
    return folder


@contextmanager
def serving(
    folder: Path | None, limits: RunBounds, choices: SchemeChoices | None = CHOICES
) -> Iterator[Client]:
    """Serve a studio."""
    studio = Studio(Catalogue(folder), limits, choices)
    with Server(studio, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield Client(server)
        finally:
            server.shutdown()
            thread.join()
            studio.close()


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_models(tmp_path_factory.mktemp("studio") / "models")


@pytest.fixture(scope="module")
def client(models: Path) -> Iterator[Client]:
    with serving(models, RunBounds(seconds=300.0, memory=3.0)) as found:
        yield found
