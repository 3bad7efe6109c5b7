"""Processor times of the published table of integrators for the rotating beam, as ratios.

Planar, nonlinear, spun up within 15 s: trapezoidal steps of 5 ms and of 1 ms, which are the ends of
the range between which Radau's steps varied, beside Radau at three tolerances. The times of the
thesis are of a machine of about 2005, so that only their ratios can be put beside others.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mbdgen import load, simulate
from tests.physics.running import SOONEST

TOLERANCES = (1e-2, 1e-3, 1e-4)
PUBLISHED = {  # seconds at each absolute tolerance
    "h = 5 ms": (759, 748, 981),
    "h = 1 ms": (3783, 3814, 3738),
    "radau": (3769, 3703, 4039),
}
REPEATS = 3


@dataclass(frozen=True)
class Run:
    """What a run took: processor time, steps, iterations; and the largest lag of the tip."""

    seconds: float
    steps: int
    iterations: int
    lag: float


def ran(system: Any, **options: Any) -> Run:
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        found = simulate(system, (0, 20), progress=False, **options)
        seconds.append(time.process_time() - start)
    assert found.success, found.message
    counters = found.counters
    lag = float(found["tip.y"].min())
    return Run(min(seconds), counters.steps, counters.newton_iterations, lag)


@pytest.mark.slow
def test_times_of_integrators(capsys: pytest.CaptureFixture[str]) -> None:
    """Long trapezoidal steps lose no accuracy and save most of the work, as published.

    Times are told and not looked at; steps and iterations do not depend on the machine. The lag is
    that of short steps within (5 ms w)^2/12 for the beam's slow bending, far below 1 %.
    """
    system = load(
        "rotating_beam", kind="omar", elements=8, frame="inertial", layout="loop", backend=SOONEST
    )
    long, short = (ran(system, method="newmark", h=h) for h in (5e-3, 1e-3))
    radau = [ran(system, method="radau", rtol=x, atol=x) for x in TOLERANCES]
    published = {name: np.array(x) / PUBLISHED["h = 5 ms"] for name, x in PUBLISHED.items()}
    rows = {"h = 5 ms": [long] * 3, "h = 1 ms": [short] * 3, "radau": radau}
    with capsys.disabled():
        print(
            "\n| integrator | tolerance | published ratio | ratio | seconds | steps | iterations |"
        )
        for name, runs in rows.items():
            for tolerance, beside, run in zip(TOLERANCES, published[name], runs, strict=True):
                ratio = run.seconds / long.seconds
                print(
                    f"| {name} | {tolerance:g} | {beside:.2f} | {ratio:.2f} | {run.seconds:.2f} | "
                    f"{run.steps} | {run.iterations} |"
                )
    assert abs(long.lag - short.lag) < 1e-3 * abs(short.lag)
    assert abs(radau[-1].lag - short.lag) < 2e-3 * abs(short.lag)
    assert short.iterations > 4 * long.iterations
    assert [run.steps for run in radau] == sorted(run.steps for run in radau)
