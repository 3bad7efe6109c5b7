"""A small result for the tests of names, files and plots."""

import numpy as np

from mbdgen.runtime.monitors.chart_switch_log import Switch
from mbdgen.runtime.results.body_motion import BodyMotion
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.system.system_data import Names


def bodies(n_t: int, random: np.random.Generator) -> BodyMotion:
    """Random motion of two bodies, whose axes turn about the global ones."""
    angle = np.linspace(0.0, 3.0, n_t)
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros(n_t), np.ones(n_t)
    about_z = np.array([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    about_x = np.array([[one, zero, zero], [zero, c, -s], [zero, s, c]])
    axes = np.stack([about_z, about_x]).transpose(3, 0, 1, 2)
    r, v, w, a, alpha = random.normal(size=(5, n_t, 2, 3))
    return BodyMotion(("rod", "arm"), r, axes, v, w, a, alpha)


def make(
    n_t: int = 21, n_lam: int = 2, outputs: tuple[str, ...] = ("tip.x", "tip.y", "E")
) -> Result:
    """A result with random numbers of full precision, so that a lost digit shows."""
    random = np.random.default_rng(1)
    coordinates = ("rod.x", "rod.y", "rod.theta")
    multipliers = tuple(f"pin[{k}]" for k in range(n_lam))
    units = tuple({"E": "J"}.get(name, "m") for name in outputs)
    choices = ("pendulum", "newmark", "index3", "numba", "flat", False)
    info = RunInfo(*choices, 1, 3, n_lam, 0, 0.01, 0.2, {"L": 0.1})
    return Result(
        t=np.linspace(0, 0.2, n_t),
        q=random.normal(size=(n_t, 3)),
        v=random.normal(size=(n_t, 3)),
        a=random.normal(size=(n_t, 3)),
        lam=random.normal(size=(n_t, n_lam)) * 1e5,
        outputs=random.normal(size=(n_t, len(outputs))),
        energies=random.normal(size=(n_t, 3)) * 1e-7,
        names=Names(coordinates, multipliers, (), (), outputs, units),
        success=True,
        status=0,
        message="reached t = 0.2 s",
        counters=Counters(20, 41, 42, 1e-13, 2e-12, 3e-11, 4e-6, energy_scale=5.0),
        info=info,
        timings={"derive_s": 0.1, "solve_s": 0.02},
        t_events=[np.array([0.1]), np.array([])],
        switches=(Switch(0.07, "rod", 3, 6, True),),
        places=bodies(n_t, random),
    )
