"""Benchmark problems: model, duration, error measure, and the step sizes to try.

Energy drift is the criterion of the IFToMM benchmarks; the other problems compare a probe with a
reference solution.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mbdgen.errors import OptionError

ENERGY, PROBE = "energy_drift_J", "probe_max"


@dataclass(frozen=True)
class Problem:
    """Benchmark problem.

    Attributes
    ----------
    name, model, t_end, arguments
        Name, the shipped model with its arguments, and the simulated time.
    measure : str
        ``energy_drift_J`` (largest deviation) or ``probe_max`` (largest distance of the probe).
    limit : float
        Largest error that counts as solved.
    steps : mapping of method to tuple of float
        Methods of mbdgen and their step sizes.
    others : tuple of float
        Step sizes of the other program.
    reduced : bool
        Whether the reduced system is measured as well.
    probe : tuple of str
        Series of the result that are compared.
    fine : float
        Step of the reference by rk4 of mbdgen, which the tests compare with independent solutions.
    flat : bool
        Whether the layout ``flat`` is measured where it would not be chosen.
    """

    name: str
    model: str
    t_end: float
    measure: str
    limit: float
    steps: Mapping[str, tuple[float, ...]]
    others: tuple[float, ...] = ()
    arguments: dict[str, Any] = field(default_factory=dict)
    reduced: bool = True
    probe: tuple[str, ...] = ()
    fine: float = 0.0
    flat: bool = False


def _four_bars(n: int) -> Problem:
    return Problem(
        f"A02-{n}", "n_four_bar", 10.0, ENERGY, 0.1 * (3 * n + 1) / 7,
        {"newmark": (2e-2, 1e-2, 5e-3, 2e-3), "rk4": (1e-1, 5e-2, 2e-2, 1e-2)},
        (2e-2, 1e-2, 8e-3, 5e-3, 2e-3), {"n": n}, reduced=n <= 8,
    )  # fmt: skip


def _dyads(k: int) -> Problem:
    t_end = 1.0 if k <= 36 else 0.5 if k <= 144 else 0.25
    return Problem(
        f"K-{k}", "crank_dyads", t_end, PROBE, 1e-3,
        {"newmark": (5e-3, 2.5e-3, 1e-3), "rk4": (2.5e-2, 2e-2, 1e-2, 5e-3)},
        (2e-2, 1e-2, 6.25e-3, 5e-3, 2.5e-3), {"k": k}, k <= 9,
        ("pin.y", "pin.z", "slider.x", "slider.y", "slider.z"), 1e-3,
    )  # fmt: skip


def _chain(n: int) -> Problem:
    t_end = 1.0 if n <= 100 else 0.2 if n <= 1000 else 0.05
    return Problem(
        f"chain-{n}", "chain", t_end, ENERGY, 1e-4 * n,
        {"newmark": (1e-2, 5e-3, 2e-3, 1e-3), "rk4": (2e-2, 1e-2, 5e-3, 2e-3),
         "dop853": (5e-2, 4e-2, 2e-2, 1e-2)},
        (1e-2, 5e-3, 2e-3, 1e-3), {"n": n}, reduced=n <= 10,
    )  # fmt: skip


def _cables(n: int) -> Problem:
    """Exudyn has its own elements for this problem: `mbdgen.bench.exudyn_special`."""
    fast = 1.0 if n <= 10 else 0.25
    steps = {
        "newmark": (2e-3 * fast, 1e-3 * fast),
        "verlet": (2e-3 * fast, 1e-3 * fast, 5e-4 * fast),
        "rk4": (2.8e-3 * fast, 1.8e-3 * fast, 1e-3 * fast),
        "dop853": (6e-3 * fast, 5e-3 * fast, 2e-3 * fast),
    }
    rod = {"length": 1.2, "young": 0.7e6, "density": 5540.0, "area": 0.0018, "iz": 1.215e-8}
    return Problem(
        f"ANCF1-{n}", "flexible_pendulum", 1.1, PROBE, 1e-3, steps, (), {"elements": n, **rod},
        reduced=False, flat=n <= 10, probe=("tip.x", "tip.y"), fine=2e-4 * fast,
    )  # fmt: skip


PROBLEMS: dict[str, Problem] = {
    problem.name: problem
    for problem in (
        Problem("A01", "pendulum", 10.0, ENERGY, 5e-5,
                {"newmark": (1e-2, 4e-3, 2e-3, 1e-3, 5e-4), "rk4": (4e-2, 3e-2, 2e-2, 1e-2),
                 "dopri5": (0.1, 5e-2, 2e-2), "dop853": (0.4, 0.3125, 0.25, 0.2, 0.1, 5e-2)},
                (1e-2, 4e-3, 2e-3, 1e-3, 5e-4)),
        *(_four_bars(n) for n in (2, 4, 8, 16, 40, 100)),
        Problem("A03", "andrews", 0.05, PROBE, 1e-4,
                {"newmark": (1e-4, 5e-5, 2e-5, 1e-5), "rk4": (4e-4, 2e-4, 1e-4, 5e-5, 2e-5)},
                (4e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5), {}, True, ("F.x", "F.y", "E.x", "E.y"), 2e-6),
        Problem("A04", "bricard", 10.0, ENERGY, 1e-3,
                {"newmark": (2e-2, 1e-2, 5e-3, 2e-3), "rk4": (1e-1, 4e-2, 2e-2, 1e-2)},
                (2e-2, 1e-2, 5e-3, 2e-3, 1e-3), {"width": 0.1}),
        Problem("A05", "governor", 10.0, PROBE, 1e-4,
                {"newmark": (5e-3, 2e-3, 1e-3), "rk4": (1e-2, 5e-3, 2e-3, 1e-3)},
                (1e-2, 5e-3, 2e-3, 1e-3), {}, True, ("height",), 1e-4),
        Problem("T", "heavy_top", 1.0, PROBE, 1e-3,
                {"newmark": (5e-3, 2e-3, 1e-3, 5e-4), "rk4": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4),
                 "dop853": (2e-2, 1e-2, 5e-3)},
                (2e-3, 1e-3, 5e-4, 1e-4), {}, True, ("centre.x", "centre.y", "centre.z"), 1e-4),
        *(_dyads(k) for k in (1, 9, 36, 144, 400)),
        *(_chain(n) for n in (10, 100, 1000, 10000)),
        *(_cables(n) for n in (10, 40)),
    )
}  # fmt: skip


def chosen(names: list[str] | None) -> list[Problem]:
    """Return the problems of these names; A02, K, chain and ANCF1 stand for all sizes."""
    if not names:
        return list(PROBLEMS.values())
    found = []
    for name in names:
        hits = [p for p in PROBLEMS.values() if p.name == name or p.name.startswith(f"{name}-")]
        size = name.partition("-")[2]
        if not hits and size.isdecimal() and int(size) > 0:
            makers = {"A02": _four_bars, "K": _dyads, "chain": _chain, "ANCF1": _cables}
            make = makers.get(name.partition("-")[0])
            hits = [make(int(size))] if make else []
        if not hits:
            raise OptionError(
                f"There is no problem '{name}'.",
                f"Known are: {', '.join(PROBLEMS)}; A02-N, K-N, chain-N and ANCF1-N take any size.",
            )
        found += hits
    return found
