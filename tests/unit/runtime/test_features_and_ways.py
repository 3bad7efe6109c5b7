"""What a way of running does not know it refuses by name; nothing is left out in silence."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen import (
    Model,
    inverse_dynamics,
    linearise,
    load,
    modes,
    simulate,
    simulate_many,
    statics,
)
from mbdgen.build_options import BuildOptions
from mbdgen.emit.backend_capabilities import check_backend_limits
from mbdgen.emit.backends import find_backend
from mbdgen.errors import BuildError, MbdgenError
from mbdgen.language.read import read
from mbdgen.mechanics.statics import settle
from mbdgen.runtime.system.system import System
from mbdgen.stages import derive_types, lower_model
from mbdgen.topology.specify import specify
from tests.features import (
    LAW,
    arms,
    bouncing,
    charted,
    crowded,
    leaving,
    rolling,
    rubbing,
    touching,
    turning,
)

FloatArray = NDArray[np.float64]


RELATIVE: dict[str, Any] = {"coordinates": "relative"}
REFUSED = [
    (rubbing, RELATIVE, {}, "numba", "force 'rub' depends on reactions"),
    (rubbing, {}, {"eliminate": True}, "numba", "'rub' depends on reactions"),
    (rubbing, {}, {"reduced": True}, "numba", "forces 'rub' depend on reactions"),
    (rubbing, {}, {}, "js", "depend on reactions .* 'js' cannot find"),
    (bouncing, RELATIVE, {"eliminate": True}, "numba", "'bouncing' has coordinates of joints"),
    (bouncing, RELATIVE, {"reduced": True}, "numba", "'bouncing' cannot be reduced: it has coord"),
    (rolling, {}, {"reduced": True}, "numba", "rolling"),
    (charted, RELATIVE, {}, "numba", "body 'rod' with coordinates 'euler-zxz'"),
    (charted, {}, {"eliminate": True}, "numba", "'rod'"),
    (charted, {}, {}, "js", "'js' cannot switch orientations .* body 'rod'"),
    (touching, {}, {}, "js", "contacts, .* 'js' cannot open and close"),
    (crowded, RELATIVE, {}, "numba", "'grains' of 'crowded' .* coordinates of joints"),
    (crowded, {}, {"eliminate": True}, "numba", "'grains' .* elimination"),
    (crowded, {}, {"reduced": True}, "numba", "'grains' .* reduced"),
    (crowded, {}, {"second": True}, "numba", "'grains' of 'crowded'"),
    (crowded, {}, {}, "js", "'js' cannot find the pairs .* 'crowded'"),
]


@pytest.mark.parametrize(("make", "coordinates", "options", "backend", "message"), REFUSED)
def test_refused_by_name(
    make: Callable[[], Model],
    coordinates: dict[str, Any],
    options: dict[str, Any],
    backend: str,
    message: str,
) -> None:
    model = read(make(), coordinates)
    specs = specify(model)
    types = derive_types(specs, "sympy")
    with pytest.raises(BuildError, match=message):
        system = lower_model(model, specs, types, BuildOptions(backend, **options))
        check_backend_limits(find_backend(backend), system)


INSTANTS = np.linspace(0, 0.6, 7)


@cache
def loaded(make: Callable[[], Model]) -> System:
    return load(make())


@cache
def reference(make: Callable[[], Model]) -> FloatArray:
    """The motion, made with short steps; behind its end nothing."""
    found = simulate(loaded(make), (0, 0.6), "rk4", 2e-4, t_eval=INSTANTS)
    assert found.success, found.message
    return until(found["height"], found.t)


def until(values: FloatArray, t: FloatArray) -> FloatArray:
    """Return a series at the wanted instants that were reached."""
    reached = INSTANTS[INSTANTS <= t[-1]]
    return np.array(values[: len(reached)])


SAME: list[tuple[Callable[[], Model], str, dict[str, Any], float]] = [
    (bouncing, "relative", {}, 2e-4),
    (bouncing, "newmark", {"h": 2e-4}, 2e-4),
    (bouncing, "rk4", {"h": 1e-3, "formulation": "nullspace-qr"}, 2e-4),
    (bouncing, "many", {}, 0.0),
    (crowded, "many", {}, 0.0),
    (crowded, "cvode", {"rtol": 1e-8}, 2e-4),
    (crowded, "solve-ivp", {"rtol": 1e-8}, 2e-4),
    (turning, "newmark", {"h": 2e-4}, 1e-5),
    (turning, "many", {}, 0.0),
    (turning, "cvode", {"rtol": 1e-9}, 1e-6),
    (turning, "ida", {"rtol": 1e-9}, 1e-6),
    (leaving, "many", {}, 0.0),
    (leaving, "cvode", {"rtol": 1e-9}, 1e-6),
    (leaving, "ida", {"rtol": 1e-9}, 1e-6),
    (leaving, "newmark", {"h": 1e-3}, 1e-5),
]


@pytest.mark.representatives
@pytest.mark.parametrize(("make", "way", "given", "atol"), SAME)
def test_the_same_motion(
    make: Callable[[], Model], way: str, given: dict[str, Any], atol: float
) -> None:
    expected = reference(make)
    if way in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    if way == "many":
        table, system = {"m": [2.0, 1.0]}, loaded(make)
        many = simulate_many(
            system, (0, 0.6), table, method="rk4", h=2e-4, t_eval=INSTANTS, series="height"
        )
        assert (many.status >= 0).all()
        found = np.array(many["height"][1, : len(expected)])
    else:
        system = load(make(), coordinates="relative") if way == "relative" else loaded(make)
        method = "newmark" if way == "relative" else way
        result = simulate(system, (0, 0.6), method, t_eval=INSTANTS, **{"h": 1e-3, **given})
        assert result.success, result.message
        found = until(result["height"], result.t)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= atol


@pytest.mark.slow
def test_work_of_contacts() -> None:
    """The step on which a contact opens had the work of the whole contact."""
    system = loaded(bouncing)
    exact = simulate(system, (0, 0.6), "dop853", rtol=1e-10)
    for h in (1e-3, 5e-4):
        found = simulate(system, (0, 0.6), "rk4", h)
        assert found.counters.energy_drift < 1e-4
        assert found.energies[-1, 2] == pytest.approx(exact.energies[-1, 2], abs=1e-4)


def test_sensitivities_of_what_turns() -> None:
    system = load(turning(), sensitivities=True)
    found = simulate(system, (0, 0.6), "rk4", 1e-3, t_eval=INSTANTS, sensitivities=["m"])
    ends = []
    for m in (1.001, 0.999):
        system.set(m=m)
        ends.append(simulate(system, (0, 0.6), "rk4", 1e-3, t_eval=INSTANTS)["height"])
    slope = (ends[0] - ends[1]) / 0.002
    assert np.abs(slope).max() > 0.1
    assert np.abs(found.sensitivity("height", "m") - slope).max() < 1e-6


def sensitivities(make: Callable[[], Model]) -> object:
    system = load(make(), sensitivities=True)
    return simulate(system, (0, 0.6), t_eval=INSTANTS, sensitivities=["m"])


def by_groups(make: Callable[[], Model]) -> object:
    from mbdgen.grouping.group_loading import load_groups
    from mbdgen.runtime.groups.group_simulation import simulate_by_groups

    return simulate_by_groups(load_groups(make()), (0, 0.1))


NOT_DONE: list[tuple[Callable[[], Model], Callable[[Callable[[], Model]], object], str]] = [
    (bouncing, sensitivities, "'bouncing' has contacts, which a run with sensitivities"),
    (bouncing, by_groups, "'bouncing' has contacts, which a solver by groups"),
    (bouncing, lambda make: simulate(loaded(make), (0, 1), "cvode"), "contacts, .* 'cvode'"),
    (bouncing, lambda make: simulate(loaded(make), (0, 1), "ida"), "contacts, .* 'ida'"),
    (crowded, by_groups, "'crowded' find their pairs .* structural groups"),
    (crowded, lambda make: simulate(loaded(make), (0, 1), "ida"), "'crowded' .* 'ida'"),
    (crowded, lambda make: simulate(loaded(make), (0, 1), "newmark"), "'crowded' .* 'newmark'"),
    (crowded, lambda make: statics(loaded(make)), "'crowded' find their pairs"),
    (crowded, lambda make: modes(loaded(make)), "'crowded' find their pairs"),
    (crowded, lambda make: linearise(loaded(make)), "'crowded'"),
    (turning, by_groups, "'rod' with coordinates 'gibbs'"),
    (leaving, sensitivities, "sensitivities cannot end .* 'place.s' is at .* beyond 0 to 0.6 m"),
]


@pytest.mark.parametrize(("make", "do", "message"), NOT_DONE)
def test_refused_when_it_runs(
    make: Callable[[], Model], do: Callable[[Callable[[], Model]], object], message: str
) -> None:
    with pytest.raises(MbdgenError, match=message):
        do(make)


@pytest.mark.slow
def test_modes_and_inverse_dynamics_of_contacts() -> None:
    """At rest on the floor, and pressed into it by a driver."""
    system = load(bouncing())
    settle(system)
    depth = 1.0 * 9.81 / 2000.0
    rest = statics(system)
    assert rest.outputs["height"] == pytest.approx(0.1 - depth, rel=1e-9)
    arm = 0.25 - (0.2 - rest.outputs["height"]) ** 2
    rate = np.sqrt(2000.0 * arm / 0.35)
    assert modes(system).frequency == pytest.approx([rate / (2 * np.pi)], rel=2e-2)
    m = Model("pressed", gravity=(0, 0, 0))
    ball = arms(m, 1)[0]
    m.sphere_plane("floor", ball, m.ground, normal=(0, 0, 1), **{**LAW, "restitution": 1.0})
    axis = (0, 1, 0)
    drive = m.rotation_driver("drive", m.ground, ball, at=(0, 0, 0.2), axis=axis, angle=0.3 * m.t)
    m.output("torque", drive.torque[1])
    t = np.array([0.0, 0.5, 1.0])
    z = 0.2 - 0.5 * np.sin(0.3 * t)
    push = 2000.0 * np.maximum(0.1 - z, 0.0) * 0.5 * np.cos(0.3 * t)
    assert push.max() > 10.0
    assert np.abs(np.abs(inverse_dynamics(load(m), t)["torque"]) - push).max() < 1e-6 * push.max()
