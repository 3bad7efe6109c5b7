"""Results of motions that are known in closed form, for tests of pictures; nothing is compiled."""

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.results.body_motion import BodyMotion
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.scene_figures import Row, Scene
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.system.system_data import Names

DOWN: Row = ("gravity", "", (), "", (0.0, 0.0, -9.81))


def about_z(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotation matrices about z."""
    c, s, one = np.cos(angle), np.sin(angle), np.ones_like(angle)
    rows = [[c, -s, 0 * one], [s, c, 0 * one], [0 * one, 0 * one, one]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def result_of(
    t: NDArray[np.float64],
    r: NDArray[np.float64],
    R: NDArray[np.float64],
    rows: list[Row],
    series: dict[str, NDArray[np.float64]] | None = None,
    units: tuple[str, ...] = (),
) -> Result:
    """A result of bodies ``b0, b1, ...`` at places ``r`` with axes ``R``, and outputs."""
    n, bodies = r.shape[:2]
    series = series or {}
    zero = np.zeros((n, bodies, 3))
    motion = BodyMotion(tuple(f"b{k}" for k in range(bodies)), r, R, zero, zero, zero, zero)
    outputs = np.array(list(series.values())).reshape(len(series), n).T
    info = RunInfo("sample", "newmark", "index3", "numba", "flat", False, 1, 1, 0, 0, 0.1, t[-1])
    return Result(
        t=t,
        q=np.zeros((n, 1)),
        v=np.zeros((n, 1)),
        a=np.zeros((n, 1)),
        lam=np.zeros((n, 0)),
        outputs=outputs,
        energies=np.zeros((n, 3)),
        names=Names(("b0.x",), (), (), (), tuple(series), units or ("m",) * len(series)),
        success=True,
        status=0,
        message="",
        counters=Counters(),
        info=info,
        scene=Scene.of_rows(rows),
        places=motion,
    )


def wheel(n: int = 50, t_end: float = 2.0, rows: list[Row] | None = None) -> Result:
    """A bar from its middle to (1, 0, 0) that turns about z through one turn, at the origin."""
    t = np.linspace(0.0, t_end, n) if n > 1 else np.zeros(1)
    angle = np.pi * t
    body: Row = ("body", "b0", ("b0",), "", (1.0, 0.0, 0.0))
    point: Row = ("point", "tip", ("b0",), "", (1.0, 0.0, 0.0))
    series = {"tip.x": np.cos(angle), "tip.y": np.sin(angle), "tip.z": 0 * angle}
    where = np.zeros((n, 1, 3))
    return result_of(t, where, about_z(angle)[:, None], [DOWN, body, point, *(rows or [])], series)


def many(n: int = 10_000, bodies: int = 1) -> Result:
    """Balls that bounce for ten seconds, each with its own frequency; the first is ``|sin t|``."""
    t = np.linspace(0.0, 10.0, n)
    k = np.arange(bodies)
    r = np.zeros((n, bodies, 3))
    side = int(np.ceil(np.sqrt(bodies)))
    r[..., 0], r[..., 1] = 0.3 * (k % side), 0.3 * (k // side)
    r[..., 2] = np.abs(np.sin(t[:, None] * (1.0 + k / bodies)))
    R = np.broadcast_to(np.eye(3), (n, bodies, 3, 3))
    rows: list[Row] = [
        DOWN,
        ("plane", "", ("ground",), "", (0.0,) * 3 + (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)),
    ]
    for j in range(bodies):
        rows += [("body", f"b{j}", (f"b{j}",), "", ())]
        rows += [("sphere", f"b{j}", (f"b{j}",), "", (0.0, 0.0, 0.0, 0.12))]
    return result_of(t, r, R, rows, {"height": r[:, 0, 2]})
