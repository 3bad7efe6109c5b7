"""Observed order of an integrator from runs with a step that is halved each time."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Convergence:
    """Outcome of a step-halving study.

    Attributes
    ----------
    order : float
        Observed order of the finest pair of errors.
    orders : tuple of float
        Observed order of every pair, coarse to fine.
    errors : tuple of float
        Largest error of each run (or difference of neighbours, without a reference).
    steps : tuple of float
        Step of each error.
    extrapolated : array
        Richardson extrapolation of the two finest runs with the observed order.
    table : str
        The study as readable text.
    """

    order: float
    orders: tuple[float, ...]
    errors: tuple[float, ...]
    steps: tuple[float, ...]
    extrapolated: np.ndarray
    table: str

    def __str__(self) -> str:
        return self.table


def study(
    run: Callable[[float], ArrayLike],
    h: float,
    reference: ArrayLike | None = None,
    levels: int = 3,
) -> Convergence:
    """Run at ``h, h/2, h/4, ...`` and observe ``p = log2(error(h) / error(h/2))``.

    Parameters
    ----------
    run : callable
        ``run(h)`` gives the observables at fixed instants, the same for every step.
    h : float
        Coarsest step.
    reference : array, optional
        Exact values. Without them the differences ``run(h) - run(h/2)`` stand for the errors,
        which converge with the same order; this needs one run more for the same confidence.
    levels : int
        Number of runs.
    """
    needed = 2 if reference is not None else 3
    if levels < needed:
        raise ValueError(f"an order needs {needed} runs here, not {levels}")
    steps = [h / 2**k for k in range(levels)]
    values = [np.array(run(step), dtype=float) for step in steps]
    if reference is None:
        pairs = list(pairwise(values))
    else:
        exact = np.asarray(reference, dtype=float)
        pairs = [(value, exact) for value in values]
    errors = [float(np.max(np.abs(a - b))) for a, b in pairs]
    orders = [_order(a, b) for a, b in pairwise(errors)]
    order = orders[-1]
    gain = 2.0**order - 1.0
    extrapolated = values[-1] + (values[-1] - values[-2]) / gain if gain > 0 else values[-1]
    return Convergence(
        order=order,
        orders=tuple(orders),
        errors=tuple(errors),
        steps=tuple(steps[: len(errors)]),
        extrapolated=extrapolated,
        table=_table(steps, errors, orders, "error" if reference is not None else "difference"),
    )


def assert_order(outcome: Convergence, expected: float, tolerance: float = 0.1) -> None:
    """Fail with the whole table if the observed order is not the expected one."""
    assert abs(outcome.order - expected) <= tolerance, (
        f"observed order {outcome.order:.3f}, expected {expected} +- {tolerance}\n{outcome.table}"
    )


def _order(coarse: float, fine: float) -> float:
    """Order of one pair; NaN when an error vanished, because then nothing was observed."""
    return math.log2(coarse / fine) if coarse > 0.0 and fine > 0.0 else math.nan


def _table(steps: list[float], errors: list[float], orders: list[float], what: str) -> str:
    lines = [f"{'h':>12} {what:>12} {'ratio':>8} {'order':>7}"]
    for k, error in enumerate(errors):
        row = f"{steps[k]:12.4e} {error:12.4e}"
        if k > 0:
            ratio = errors[k - 1] / error if error > 0.0 else math.inf
            row += f" {ratio:8.3f} {orders[k - 1]:7.3f}"
        lines.append(row)
    return "\n".join(lines)
