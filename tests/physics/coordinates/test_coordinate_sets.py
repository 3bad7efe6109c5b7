"""Every set of coordinates moves a mechanism alike: pendulum, slider-crank, RSSR, tops, Bricard.

Runge and Kutta's method of order 4 acts on other coordinates in each set, so what is left between
two of them are two errors of that order. How large they are at these steps is measured against a
run with half the step in the same coordinates; the sets differ by less than `MARGIN` times that.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Result, load, simulate
from mbdgen.geometry.functions import sqrt
from mbdgen.orientations.vectorial import Vectorial
from mbdgen.runtime.system.system_data import FloatArray
from tests.physics.running import SOONEST


class QuarterSine(Vectorial):
    """A vector of length 4 sin(theta/4), which nobody ships: a generating function is enough."""

    name = "quarter-sine"
    coordinates = ("s1", "s2", "s3")
    reach = "theta < 2 pi"
    singular = "theta = 2 pi, where s has length 4"
    rebased = True

    def factors(self, square: Any) -> tuple[Any, Any]:
        """With c = cos(theta/4): c (2 c^2 - 1) and c^2/2."""
        c2 = 1 - square / 16
        return sqrt(c2) * (2 * c2 - 1), c2 / 2

    def rate_factors(self, square: Any) -> tuple[Any, Any]:
        """1/c and (1 + 2 c^2)/(16 c)."""
        c2 = 1 - square / 16
        return 1 / sqrt(c2), (1 + 2 * c2) / (16 * sqrt(c2))

    def stretch(self, cosine: Any, sine: Any) -> Any:
        """2/c, and the half angle has cosine 2 c^2 - 1."""
        return 2 / ((1 + cosine) / 2) ** 0.5


@dataclass(frozen=True)
class Mechanism:
    """A shipped model and a motion of it.

    Attributes
    ----------
    model, arguments
        The model.
    end, h : float
        Simulated time and step.
    """

    model: str
    end: float
    h: float
    arguments: dict[str, Any] = field(default_factory=dict)


FITTING = {"drive": False, "length": 41**0.5, "speed": 0.0}
"""Begins assembled and at rest. Otherwise the nearest position or velocity that suits the joints
would be taken, and what is nearest depends on the coordinates."""
MECHANISMS = {
    "pendulum": Mechanism("pendulum", 1.0, 2e-3),
    "slider-crank": Mechanism("slider_crank", 0.6, 1e-3, {"speed": 9.0}),
    "rssr": Mechanism("rssr_four_bar", 0.8, 2e-3, FITTING),
    "heavy-top": Mechanism("heavy_top", 0.05, 1e-4),
    "top": Mechanism("spinning_top", 0.2, 2e-4),
    "bricard": Mechanism("bricard", 0.4, 1e-3),
}
SETS: dict[str, Any] = {
    **{
        name: name
        for name in (
            "euler-zxz",
            "euler-xyz",
            "rotation-vector",
            "reduced-euler-rodrigues",
            "gibbs",
            "conformal",
            "direction-cosines",
            "relative",
        )
    },
    "vectorial": QuarterSine,
}
QUICK = {
    ("pendulum", "euler-xyz"),
    ("pendulum", "gibbs"),
    ("pendulum", "relative"),
    ("pendulum", "vectorial"),
    ("heavy-top", "euler-zxz"),
    ("slider-crank", "direction-cosines"),
}
"""In every run of the tests; all others are slow, because each is compiled for its own."""
MARGIN = 3.0
ROUND_OFF = 1e-9
"""Of the largest value of an output; accelerations and reactions amplify what joints leave."""


@cache
def moved(name: str, coordinates: str, part: int = 1) -> Result:
    """The motion of a mechanism, at instants that all steps meet."""
    chosen = MECHANISMS[name]
    kind = SETS.get(coordinates, coordinates)
    layout = "flat" if kind == "relative" else "loop"
    options: dict[str, Any] = {"backend": SOONEST, "layout": layout, "coordinates": kind}
    system = load(chosen.model, **options, **chosen.arguments)
    t = np.linspace(0.0, chosen.end, 11)
    h = chosen.h / part
    result = simulate(system, (0, chosen.end), method="rk4", h=h, t_eval=t, progress=False)
    assert result.success, result.message
    return result


def gap(a: Result, b: Result) -> FloatArray:
    """Largest difference of every output of both, as a part of its largest value."""
    names = [name for name in a.names.outputs if name in b.names.outputs]
    ours, theirs = (np.column_stack([r[name] for name in names]) for r in (a, b))
    size: FloatArray = np.maximum(np.abs(theirs).max(axis=0), 1e-3 * np.abs(theirs).max())
    return np.abs(ours - theirs).max(axis=0) / size


@pytest.mark.representatives(id="pendulum-relative")
@pytest.mark.parametrize(
    ("name", "coordinates"),
    [
        pytest.param(n, c, marks=() if (n, c) in QUICK else pytest.mark.slow)
        for n in MECHANISMS
        for c in SETS
    ],
)
def test_same_motion(name: str, coordinates: str) -> None:
    known, found = moved(name, "quaternion"), moved(name, coordinates)
    error = gap(known, moved(name, "quaternion", 2)).max()
    error += gap(found, moved(name, coordinates, 2)).max()
    difference = gap(found, known)
    assert difference.max() < MARGIN * error + ROUND_OFF, found.names.outputs
    assert difference.max() < 1e-4  # and the error is a small one
    assert found.info.dof == known.info.dof
