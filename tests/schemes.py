"""Problems that every method and formulation is put through, and how a scheme is observed."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from mbdgen import Result, load, simulate
from mbdgen.runtime import formulations, integrators
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.methods.scheme import Scheme, choose, fits
from mbdgen.runtime.results.result import STATE_ARRAYS
from mbdgen.runtime.system.system import System
from tests.convergence import Convergence, study
from tests.physics.cases import CASES, Case
from tests.physics.running import columns, stacked
from tests.reference import load as load_reference
from tests.scheme_orders import band


@dataclass(frozen=True)
class Problem:
    """A model, the time that is simulated, and how many steps a method of order 2 needs for it.

    Attributes
    ----------
    model, arguments
        A shipped model.
    end : float
        Simulated time; nothing singular is passed.
    steps : int
        Of the coarsest run of a method of order 2.
    redundant : bool
        Whether constraints depend on each other.
    massless : bool
        Whether a body has no mass, or no moment of inertia, in a direction.
    """

    model: str
    end: float
    steps: int
    arguments: dict[str, Any] = field(default_factory=dict)
    redundant: bool = False
    massless: bool = False

    @property
    def case(self) -> Case:
        """The stored reference of the same mechanism."""
        found = [c for c in CASES if c.builder == self.model and c.arguments == self.arguments]
        return found[0]


PROBLEMS = {
    "pendulum": Problem("pendulum", 0.6, 60, massless=True),
    "A02": Problem("n_four_bar", 0.6, 60),
    "slider-crank": Problem("slider_crank", 0.4, 60, massless=True),
    "top": Problem("spinning_top", 0.2, 100),
    "bricard": Problem("bricard", 0.5, 60, redundant=True, massless=True),
}
SOFT = {"staggered": {"epsilon": 1e-2, "tau": 1e-2}}
"""Options of formulations whose stiffness explicit methods must resolve."""
COARSER = {1: 2.0, 2: 1.0, 3: 0.6, 4: 0.4, 5: 0.3, 6: 0.25, 7: 0.2, 8: 0.15}
"""Steps of the coarsest run by the order of a method, relative to those of order 2."""


@cache
def system_of(name: str, second: bool = False) -> System:
    """Return the compiled system of a problem, with second derivatives for who needs them."""
    problem = PROBLEMS[name]
    return load(problem.model, backend="numba", second=second, **problem.arguments)


@cache
def exact_end(name: str) -> np.ndarray:
    """Return position and velocity at the end, by a method of order 8 with small steps."""
    end = PROBLEMS[name].end
    result = simulate(system_of(name), (0, end), method="dop853", h=end / 400, progress=False)
    assert result.success, result.message
    return np.concatenate([result.q[-1], result.v[-1]])


def coarsest(name: str, scheme: Scheme) -> int:
    """Return the number of steps that a study of a scheme begins with."""
    return max(4, round(PROBLEMS[name].steps * COARSER[min(scheme.order, 8)]))


def run(name: str, scheme: Scheme, steps: int, **more: Any) -> Result:
    """Run a scheme."""
    end = PROBLEMS[name].end
    return simulate(
        system_of(name, second=bool(scheme.method.kernels)),
        (0, end),
        h=end / steps,
        progress=False,
        **more,
        **scheme.arguments,
    )


def reason_against(name: str, scheme: Scheme) -> str:
    """Return why the theory of a scheme does not allow a problem; nothing if it does."""
    problem, formulation = PROBLEMS[name], scheme.formulation
    if scheme.method.library:
        return "a library chooses the steps"
    if formulation is None:
        return ""
    if problem.redundant and scheme.method.needs == "stages" and not formulation.redundant:
        return f"{scheme.method.name} with {formulation.name} wants independent constraints"
    if problem.redundant and not formulation.whole:
        return f"{formulation.name} wants independent constraints"
    if problem.massless and scheme.method.needs == "slope" and not formulation.massless:
        return f"{formulation.name} wants a regular mass matrix"
    return ""


@dataclass(frozen=True)
class Study:
    """What a scheme does on a problem when its step is halved again and again.

    Attributes
    ----------
    outcome : Convergence
        Differences of position and velocity at the end, and their orders.
    orders : tuple of float
        Of the two finest pairs of differences that are no rounding errors, or of the only one.
    distance : float
        Distance of the finest end from the exact one.
    last : Result
        The finest run.
    """

    outcome: Convergence
    orders: tuple[float, ...]
    distance: float
    last: Result

    @property
    def order(self) -> float:
        """The last of them; NaN if all differences are rounding errors."""
        return self.orders[-1] if self.orders else np.nan


ROUND_OFF = 1e-10
"""Differences below this show no order."""
MOST_LEVELS = 10


def halved(name: str, text: str, levels: int = 4) -> Study:
    """Study a scheme on a problem; raise an AssertionError if a run fails.

    Differences are the largest at any instant of the coarsest run, so that none is small by chance.
    Orders are limits: until two in a row are that of the scheme, steps are halved further, down to
    differences of the size of rounding errors; if all are, steps are doubled.
    """
    scheme = named(text)
    low, high = band(text, name, scheme.order)
    results: dict[int, Result] = {}
    first = coarsest(name, scheme)

    def motion(h: float) -> np.ndarray:
        steps = round(PROBLEMS[name].end / h)
        if steps not in results:
            results[steps] = run(name, scheme, steps)
        result = results[steps]
        # Long steps break a motion; an order is seen all the same. `complaints` looks at the last.
        assert result.success or result.status == -BROKEN, result.message
        return np.hstack([result.q, result.v])[:: steps // first]

    while True:
        found = study(motion, PROBLEMS[name].end / first, levels=levels)
        seen = [o for o, e in zip(found.orders, found.errors[1:], strict=True) if e > ROUND_OFF]
        orders = tuple(seen[-2:])
        if len(orders) == 2 and all(low <= order <= high for order in orders):
            break
        if found.errors[-1] > 10 * ROUND_OFF and levels < MOST_LEVELS:
            levels += 1
        elif not seen and high < np.inf and first >= 4:
            first, levels = first // 2, levels + 1
        else:
            break
    last = results[max(results)]
    end = np.concatenate([last.q[-1], last.v[-1]])
    distance = float(np.abs(end - exact_end(name)).max())
    return Study(found, orders, distance, last)


def named(text: str) -> Scheme:
    """Return the scheme ``method``, ``method + formulation`` or ``... + projection``."""
    method, *others = [part.strip() for part in text.split("+")]
    soft = SOFT if choose(method).method.needs == "slope" else {}
    return choose(method, *others, given=soft.get(others[0] if others else ""))


def all_pairs() -> list[str]:
    """Every method by itself, and every pair of a method and a formulation that fits."""
    known = [formulations.formulation(name) for name in formulations.known()]
    methods = [m for m in map(integrators.method, integrators.known()) if not m.library]
    return [method.name for method in methods] + [
        f"{method.name} + {formulation.name}"
        for method, formulation in product(methods, known)
        if method.general and method.needs != "nothing" and fits(method, formulation)
    ]


LEVELS = {"position": "max_phi", "velocity": "max_phi_dot", "acceleration": "max_phi_ddot"}


def may_break(scheme: Scheme) -> bool:
    """Whether runs of a scheme may be broken however short the steps are.

    So are those of formulations that are too soft for a fast top: nothing holds it.
    """
    return scheme.formulation is not None and not scheme.formulation.exact


def is_confirmed(found: Study, low: float, high: float) -> bool:
    """Whether two orders in a row are in a band, or what rounding errors leave to be seen."""
    size = found.outcome.errors[-1]
    if high == np.inf or not found.orders:
        return size < ROUND_OFF or found.order >= low
    seen = found.orders if size > 10 * ROUND_OFF else found.orders[-1:]
    return all(low <= order <= high for order in seen)


def complaints(name: str, text: str, found: Study) -> list[str]:
    """Say what is not as claimed: order, solution, references, and constraints of all levels."""
    scheme, table = named(text), found.outcome.table
    formulation, size = scheme.formulation, found.outcome.errors[-1]
    wrong = []
    if not found.last.success and not may_break(scheme):
        wrong.append(f"the run with the shortest steps is broken: {found.last.message}")
    low, high = band(text, name, scheme.order)
    if not is_confirmed(found, low, high):
        wrong.append(f"orders {found.orders} are not within {low} and {high}\n{table}")
    if formulation is None or formulation.exact:
        # The rest of a series of differences, with a margin for orders still to be reached.
        rest = size / (2.0 ** min(low, scheme.order) - 1.0)
        if found.distance > 1.5 * rest + 1e-9:
            wrong.append(f"the end is {found.distance:.2e} from the exact one\n{table}")
        away = distance_from_reference(name, found.last)
        if away > 20 * (size + REFERENCE):
            wrong.append(f"{away:.2e} from the reference\n{table}")
    # Dependent constraints ask for different motions wherever positions violate them.
    held = "position" in scheme.levels or not PROBLEMS[name].redundant
    for level in scheme.levels if held else ():
        if not getattr(found.last.counters, LEVELS[level]) < 1e-8:
            wrong.append(f"constraints of {level} are violated")
    return wrong


REFERENCE = 1e-9
"""Accuracy of stored references and of solvers, in the units of the problems."""


def distance_from_reference(name: str, result: Result) -> float:
    """Return the largest distance of positions from the stored reference, at common instants."""
    case = PROBLEMS[name].case
    reference = load_reference(case.reference).until(float(result.t[-1]))
    rates = ("rate", "velocity", "acceleration")
    series = {k: c for k, c in case.series.items() if not k.partition(".")[0].endswith(rates)}
    gap = np.abs(result.t[:, None] - reference.t[None])
    rows, instants = np.nonzero(gap < 1e-9 * result.t[-1])
    assert len(rows) > 1, "no instant of the reference was recorded"
    expected = stacked(reference, series)[instants]
    difference = columns(result, tuple(series))[rows] - expected
    return float(np.abs(difference).max())


MOST_HALVINGS = 4
"""Of the coarsest steps, until a run is no broken one that nothing goes on from."""


def in_two(name: str, scheme: Scheme) -> list[str]:
    """Return which arrays of one run are not, bit for bit, those of two runs over its halves.

    Raises
    ------
    AssertionError
        If a run fails, or if the first half is broken with short steps too.
    """
    system = system_of(name, second=bool(scheme.method.kernels))

    def over(begin: float, end: float, h: float, **more: Any) -> Result:
        result = simulate(system, (begin, end), h=h, progress=False, **more, **scheme.arguments)
        assert result.success or result.status == -BROKEN, result.message
        return result

    for halving in range(MOST_HALVINGS + 1):
        h = float(f"{PROBLEMS[name].end / coarsest(name, scheme) / 2**halving:.1e}")
        instants = [float(k * Fraction(repr(h))) for k in (0, 7, 12)]
        first = over(*instants[:2], h)
        if first.success:
            break
    if not first.success:
        assert may_break(scheme), first.message
        return []
    whole = over(instants[0], instants[2], h)
    second = over(*instants[1:], h, start=first.checkpoint())
    return [
        array
        for array in ("t", *STATE_ARRAYS)
        if not np.array_equal(
            getattr(whole, array),
            np.concatenate([getattr(first, array), getattr(second, array)[1:]]),
            equal_nan=True,
        )
    ]


def examined(name: str, text: str) -> tuple[Study, list[str]]:
    """Study a scheme on a problem, and say all that is not as claimed, restarts included."""
    found = halved(name, text)
    wrong = complaints(name, text, found)
    if unequal := in_two(name, named(text)):
        wrong.append(f"two runs are not one in {', '.join(unequal)}")
    return found, wrong
