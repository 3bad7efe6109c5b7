"""Consistent initial velocities are a matter of mechanics, not of the coordinates.

Two rods of mass 1 and length 1 hang together; the first turns at 2 rad/s about a pin. An impulse j
at the joint gives the second one v = j and w = -6 j at its centre, and 4 j at the joint: what is
held of the first rod gives j = 1/2, and w = -3 rad/s. Else kinetic energy changes least.
"""

from dataclasses import replace

import numpy as np
import pytest

from mbdgen import Model, load, simulate, simulate_many
from mbdgen.errors import AssemblyError, ModelError, OptionError
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.results.body_motion import body_motion
from mbdgen.runtime.system.system import System

SETS = (
    *("planar", "natural", "quaternion", "euler-xyz", "gibbs", "direction-cosines"),
    *("relative", "eliminated"),
)
ROD = (0.001, 1 / 12, 1 / 12)


def rods(coordinates: str, **one: object) -> Model:
    m = Model("rods", gravity=(0, -9.81, 0), coordinates=coordinates)
    shape = {"centre_of_mass": (0.5, 0, 0), "length": 1.0}
    a = m.body("one", 1.0, ROD, angular_velocity=(0, 0, 2), **shape, **one)
    b = m.body("two", 1.0, ROD, position=(1, 0, 0), **shape)
    m.revolute("A", m.ground.at(), a.at())
    m.revolute("B", a.at(1, 0, 0), b.at())
    m.output("wa", a.angular_velocity)
    m.output("wb", b.angular_velocity)
    return m


def loaded(kind: str, **one: object) -> System:
    if kind == "relative":
        return load(rods("planar", **one), coordinates="relative", layout="flat")
    if kind == "eliminated":
        return load(rods("natural", **one), eliminate=True, layout="flat")
    return load(rods(kind, **one), layout="loop")


def rates(system: System) -> tuple[float, float, float]:
    """Return both angular velocities and the kinetic energy at the start."""
    state = assemble(system)
    at = (0.0, state.q, state.v, state.a, state.lam)
    told = system.named_outputs(*at)
    return told["wa.z"], told["wb.z"], float(system.energies(*at)[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", SETS)
def test_what_is_held_stays(kind: str) -> None:
    found = rates(loaded(kind, fixed_velocity="all"))
    assert found == pytest.approx((2.0, -3.0, 7 / 6), abs=1e-10)


@pytest.mark.representatives(id=["planar", "quaternion", "relative"])
@pytest.mark.parametrize("kind", SETS)
def test_what_is_free_changes_least(kind: str) -> None:
    """Minimise (w/2 - 1)^2 + (w - 2)^2/12 + (w + u/2)^2 + u^2/12 over both angular velocities."""
    mass = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]])
    w, u = np.linalg.solve(mass, (2 / 3, 0.0))
    energy = 0.5 * np.array([w, u]) @ mass @ np.array([w, u])
    assert rates(loaded(kind)) == pytest.approx((w, u, energy), abs=1e-10)


@pytest.mark.representatives(
    id=[
        "angular_velocity-planar",
        "angular_velocity-relative",
        "word1-planar",
        "word1-natural",
        "word1-quaternion",
        "word1-relative",
    ]
)
@pytest.mark.parametrize("kind", ["planar", "natural", "quaternion", "euler-xyz", "relative"])
@pytest.mark.parametrize("word", ["angular_velocity", ("velocity", "angular_velocity")])
def test_words_for_what_is_held(kind: str, word: object) -> None:
    assert rates(loaded(kind, fixed_velocity=word)) == pytest.approx((2, -3, 7 / 6), abs=1e-10)


@pytest.mark.representatives(id=["all-relative", "theta-relative"])
@pytest.mark.parametrize("target", ["natural", "relative"])
@pytest.mark.parametrize("held", ["all", "theta"])
def test_other_coordinates_hold_the_same(target: str, held: object) -> None:
    model = rods("planar", fixed="all", fixed_velocity=held)
    found = rates(load(model, coordinates=target, layout="flat"))
    assert found == pytest.approx((2, -3, 7 / 6), abs=1e-10)


def test_names_that_other_coordinates_lack() -> None:
    with pytest.raises(ModelError, match=r"'one' fixes x, which .* have not.*velocity"):
        load(rods("planar", fixed_velocity="x"), coordinates="natural")
    with pytest.raises(ModelError, match=r"no coordinate 'speed'.*'velocity' and"):
        rods("planar", fixed_velocity="speed")


@pytest.mark.parametrize("kind", ["planar", "quaternion", "relative"])
def test_contradictions_name_bodies_and_joints(kind: str) -> None:
    system = loaded(kind, fixed_velocity="all", velocity=(0, 1, 0))
    with pytest.raises(AssemblyError, match="held of 'one' contradict"):
        assemble(system)


def test_relative_coordinates_begin_where_others_do() -> None:
    """Positions that do not fit: the same place but for the square of what was corrected."""
    places = []
    for kind in ("planar", "relative"):
        model = rods("planar")
        model.bodies["two"].motion = replace(model.bodies["two"].motion, position=(1.01, 0.01, 0))
        given = {"coordinates": "relative", "layout": "flat"} if kind == "relative" else {}
        system = load(model, **given)
        state = assemble(system)
        places.append(body_motion(system, state.q).R[0, :, 1, 0])
    assert np.abs(places[0]).max() > 1e-3
    np.testing.assert_allclose(*places, atol=1e-4)


def test_members_of_ensembles_begin_alike() -> None:
    model = rods("planar")
    L = model.parameter("speed", 2.0)
    one = model.bodies["one"]
    one.motion = replace(one.motion, angular_velocity=(0, 0, L))
    plain, relative = load(model), load(model, coordinates="relative", layout="flat")
    runs = [
        simulate_many(s, (0, 1e-3), h=1e-3, parameters={"speed": [1.0, 3.0]}, series=["wb.z"])
        for s in (plain, relative)
    ]
    for run in runs:
        np.testing.assert_allclose(run["wb.z"][:, 0], np.array([1, 3]) * -6 / 7, atol=1e-10)


def test_initial_numbers_of_a_user_count() -> None:
    """Whoever gives coordinates and velocities of joints states these."""
    system = loaded("relative").copy()
    system.v0[:] = (0.5, 0.25)
    w, u, _ = rates(system)
    assert (w, u) == pytest.approx((0.5, 0.75), abs=1e-12)


@pytest.mark.slow
def test_sensitivities_of_a_start_that_is_held() -> None:
    model = rods("quaternion", fixed_velocity="all")
    speed = model.parameter("speed", 2.0)
    one = model.bodies["one"]
    one.motion = replace(one.motion, angular_velocity=(0, 0, speed))
    system = load(model, layout="loop", sensitivities=True)
    result = simulate(system, (0, 1e-3), h=1e-3, sensitivities=["speed"])
    slopes = result.sensitivity("wa.z", "speed")[0], result.sensitivity("wb.z", "speed")[0]
    assert slopes == pytest.approx((1.0, -1.5), abs=1e-9)
    with pytest.raises(OptionError, match="not all of its orientation"):
        part = load(rods("quaternion", fixed_velocity="q3"), layout="loop", sensitivities=True)
        simulate(part, (0, 1e-3), h=1e-3, sensitivities=["one.x"])
