"""What is particular about the integrators that run with a formulation."""

import numpy as np
import pytest

from mbdgen import Result, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.methods.scheme import choose
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.stepping.argument_validation import schedule
from mbdgen.runtime.stepping.driver import Run
from mbdgen.runtime.steps.adams_slopes import ESTIMATE
from mbdgen.runtime.system.system import System
from tests.convergence import study

END = 0.6
MULTISTEP = [(name, k) for name in ("adams", "pece", "bdf") for k in range(1, 6)]
STEPS = {1: 400, 2: 120, 3: 96, 4: 72, 5: 60}


@pytest.fixture(scope="module")
def system() -> System:
    return load("pendulum")


@pytest.fixture(scope="module")
def exact(system: System) -> Result:
    return run(system, "dop853", END / 200)


def run(system: System, method: str, h: float, **more: object) -> Result:
    result = simulate(system, (0, END), method=method, h=h, progress=False, **more)  # type: ignore[arg-type]
    assert result.success, result.message
    return result


def ends(result: Result) -> np.ndarray:
    return np.concatenate([result.q[-1], result.v[-1]])


@pytest.mark.parametrize(("method", "order"), MULTISTEP)
def test_order_with_uneven_steps(method: str, order: int, system: System, exact: Result) -> None:
    """Steps alternate between long and short ones, and slowly change besides."""

    def observe(h: float) -> np.ndarray:
        n = round(END / h)
        u = (np.arange(n + 1) + 0.15 * np.cos(np.pi * np.arange(n + 1)) - 0.15) / n
        instants = END * (u + 0.15 * np.sin(np.pi * u)) / (u[-1] + 0.15 * np.sin(np.pi * u[-1]))
        instants[-1] = END
        result = run(system, method, END, t_eval=instants, order=order)
        assert result.counters.steps == n
        return ends(result)

    found = study(observe, END / STEPS[order], ends(exact))
    assert found.order > order - 0.25, found.table


@pytest.mark.parametrize("formulation", ["index3", "index2", "index1", "baumgarte"])
@pytest.mark.parametrize("order", range(1, 6))
def test_bdf_by_formulation(order: int, formulation: str, system: System, exact: Result) -> None:
    """Every order on equations of every index, without projections, from the first step on."""

    def observe(h: float) -> np.ndarray:
        return ends(run(system, "bdf", h, formulation=formulation, order=order))

    found = study(observe, END / STEPS[order], ends(exact), levels=4)
    assert found.order > order - 0.25, found.table


@pytest.mark.representatives(id=["index3-orders0", "baumgarte-orders3"])
@pytest.mark.parametrize(
    ("formulation", "orders"),
    [("index3", (5, 3, 2)), ("index2", (5, 5, 3)), ("index1", (5, 5, 5)), ("baumgarte", (5, 5, 5))],
)
def test_radau_by_formulation(
    formulation: str, orders: tuple[int, int, int], system: System, exact: Result
) -> None:
    """Orders of position, velocity and acceleration without projections are those of theory."""
    for part, order in zip("qva", orders, strict=True):

        def observe(h: float, part: str = part) -> np.ndarray:
            result = run(system, "radau", h, formulation=formulation)
            end: np.ndarray = getattr(result, part)[-1]
            return end

        found = study(observe, END / 12, getattr(exact, part)[-1])
        assert found.order > order - 0.3, found.table
        assert found.order < order + 0.3 or order == 5, found.table


def test_radau_with_compliant_constraints(system: System) -> None:
    """Multipliers that yield: a motion of its own, which an explicit method finds too."""
    soft = Formulation(
        name="soft", text="", source="", weights=lambda values: (100.0, 20.0, 1.0, 1e-2)
    )
    implicit = run(system, "radau", END / 60, formulation=soft)
    explicit = run(system, "rk4", END / 600, formulation=soft)
    hard = run(system, "rk4", END / 600)
    assert np.abs(ends(explicit) - ends(hard)).max() > 1e-3
    np.testing.assert_allclose(ends(implicit), ends(explicit), atol=1e-7)


def test_estimate_of_pece(system: System) -> None:
    """Milne's estimate after the first corrected step is the error of that step."""
    h, order = 1e-3, 3
    scheme = choose("pece", "index1", given={"order": order})
    state = assemble(system, 0.0)
    running = Run(
        system, scheme, state, 1, [], None, lambda t: None, OrientationCharts(system, True)
    )
    running.integrate(schedule((0.0, order * h), h, None, most_rows=100))
    rows = running._steps.vectors[2]
    exact = simulate(system, (0, order * h), method="dop853", h=h / 2, progress=False)
    error = np.concatenate([exact.q[-1] - state.q, exact.v[-1] - state.v])
    assert np.abs(error).max() > 1e-12
    np.testing.assert_allclose(rows[ESTIMATE], error, atol=0.1 * np.abs(error).max())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("hht", {"alpha": 0.0}), ("trapezoidal", {})),
        (("wilson", {"theta": 1.0}), ("newmark", {"preset": "linear-acceleration"})),
        (
            ("collocation", {"theta": 1.0, "beta": 0.3, "gamma": 0.6}),
            ("newmark", {"preset": "damped", "beta": 0.3}),
        ),
        (("collocation", {"theta": 1.4, "beta": 1 / 6}), ("wilson", {})),
        (("bdf", {"order": 1}), ("backward-euler", {})),
        (("generalized-alpha", {"rho_inf": 0.5}), ("hht", {"alpha": -1 / 3})),
    ],
)
@pytest.mark.parametrize("projection", ["mass", "none"])
def test_members_of_families(one, other, projection: str, system: System) -> None:  # type: ignore[no-untyped-def]
    """Different names for one formula give one motion."""
    found = [
        run(system, name, 1e-2, formulation="index2", projection=projection, **options)
        for name, options in (one, other)
    ]
    for part in "qva":
        left, right = (getattr(result, part) for result in found)
        np.testing.assert_allclose(left, right, atol=1e-8 * np.abs(right).max())


@pytest.mark.parametrize("method", ["adams", "pece", "bdf", "wilson", "hht"])
def test_a_terminal_event_ends_a_step_of_its_own(method: str, system: System) -> None:
    """The step to the event has another size and finds the history that the full one found."""

    def turned(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return t - 0.1234

    turned.terminal = True  # type: ignore[attr-defined]
    result = simulate(system, (0, END), method=method, h=5e-3, events=turned, progress=False)
    assert result.t[-1] == pytest.approx(0.1234, abs=1e-12)
    exact = simulate(system, (0, result.t[-1]), method="dop853", h=1e-3, progress=False)
    plain = simulate(system, (0, 0.12), method=method, h=5e-3, progress=False)
    before = simulate(system, (0, 0.12), method="dop853", h=1e-3, progress=False)
    error = np.abs(result.q[-1] - exact.q[-1]).max()
    assert error < 1.3 * np.abs(plain.q[-1] - before.q[-1]).max() + 1e-12


def test_orders_are_whole_numbers() -> None:
    with pytest.raises(OptionError, match="not a whole number"):
        choose("bdf", given={"order": 2.5})
    with pytest.raises(OptionError, match="out of range"):
        choose("adams", given={"order": 6})
