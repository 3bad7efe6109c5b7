"""Loads that grow in steps: the roll-up of a cantilever; limits that know the size of things."""

from functools import cache
from math import asin, cos, pi, sin

import pytest
import sympy

from mbdgen import Model, load, material, modes, rectangle, statics
from mbdgen.errors import EquilibriumError, OptionError
from mbdgen.language.read import read
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST

LENGTH, THICK, YOUNG = 0.6, 0.002, 70e9
STIFF = YOUNG * 0.02 * THICK**3 / 12


@cache
def cantilever(layout: str) -> System:
    m = Model("rollup", gravity=(0, 0, 0))
    turns = m.parameter("turns", 0.25)
    section = rectangle(THICK, 0.02)
    beam = m.beam("beam", [(0, 0, 0), (LENGTH, 0, 0)], section, material(YOUNG, 2700), elements=16,
                  kind="euler-nonlinear")  # fmt: skip
    m.fixed("clamp", m.ground.at(), beam.start)
    m.torque("M", beam.end, torque=(0, 0, turns * (2 * pi * STIFF / LENGTH)))
    m.output("tip", beam.end)
    return load(m, layout=layout)


@pytest.mark.representatives(
    id=["0.5-loop", "0.5-auto", "1.0-loop", "1.0-auto", "1.5-loop", "1.5-auto"]
)
@pytest.mark.parametrize("layout", ["loop", "auto"])
@pytest.mark.parametrize("turns", [0.25, 0.5, 1.0, 1.5, 2.0])
def test_roll_up(layout: str, turns: float) -> None:
    """The axis is an arc of the curvature M/(E I)."""
    system = cantilever(layout).copy()
    system.set(turns=turns)
    before = system.work.p.copy()
    found = statics(system)
    bend = 2 * pi * turns
    assert found.outputs["tip.x"] == pytest.approx(LENGTH * sin(bend) / bend, abs=2e-3)
    assert found.outputs["tip.y"] == pytest.approx(LENGTH * (1 - cos(bend)) / bend, abs=2e-3)
    assert found.stability == "stable"
    assert (system.work.p == before).all()


def test_steps_that_are_asked_for() -> None:
    system = cantilever("loop").copy()
    found = statics(system, steps=20)
    assert found.method == "load steps"
    assert found.outputs["tip.x"] == pytest.approx(LENGTH / (pi / 2), abs=1e-5)
    with pytest.raises(OptionError, match="steps = 0"):
        statics(system, steps=0)
    with pytest.raises(OptionError, match="downhill"):
        statics(system, steps=3, stable=True)


def test_a_failure_does_not_blame_what_is_held() -> None:
    """A grip of 8 sin(angle) N m holds a torque that grows to 10 N m up to four fifths of it."""
    m = Model("grip", gravity=(0, 0, 0), coordinates="planar")
    rod = m.body("rod", 1.0, 0.1, position=(0.5, 0))
    m.revolute("pin", m.ground.at(), rod.at(-0.5))
    m.torque("grip", rod.at(), torque=(0, 0, -8.0 * sympy.sin(rod.angle)))
    m.torque("pull", rod.at(), torque=(0, 0, 10.0))
    with pytest.raises(EquilibriumError, match=r"followed up to 0\.(79|8)"):
        statics(load(m, layout="loop"), steps=10)


def test_gravity_grows_too() -> None:
    """A pendulum on a torsion spring: k theta = m g L cos(theta)."""
    m = Model("balance", gravity=(0, -9.81, 0), coordinates="planar")
    rod = m.body("rod", 1.0, 0.1, position=(0.5, 0))
    m.revolute("pin", m.ground.at(), rod.at(-0.5))
    m.torsion_spring("spring", m.ground.at(), rod.at(-0.5), stiffness=8.0)
    found = statics(load(m, layout="loop"), steps=5)
    theta = float(found.state.q[2])
    assert 8.0 * theta + 9.81 * 0.5 * cos(theta) == pytest.approx(0.0, abs=1e-9)


def balance(coordinates: str, **kinds: object) -> Model:
    """A rod on a torsion spring; its weight and a moment are parameters, or numbers."""
    m = Model("balance", gravity=(0, 0, 0), coordinates=coordinates)
    sizes = {"g": 9.81, "M": 0.5}
    g, moment = (m.parameter(x, sizes[x]) if x in kinds else sizes[x] for x in sizes)
    m.gravity = (0, -g, 0)
    rod = m.planar_body("rod", 1.0, 0.1, position=(0.5, 0))
    m.revolute("pin", m.ground.at(), rod.at(-0.5))
    m.torsion_spring("spring", m.ground.at(), rod.at(-0.5), stiffness=8.0)
    m.torque("push", rod.at(), torque=(0, 0, moment))
    m.output("rod_end", rod.at(0.5))
    m.output("rod", rod.at(0))  # an output may be called like a body
    return m


@pytest.mark.parametrize("coordinates", ["planar", "relative"])
def test_numbers_in_the_kernels_do_not_grow(coordinates: str) -> None:
    """Layout flat: named and refused, never taken off as forces that stay as they are."""
    m = balance(coordinates)
    system = load(m, layout="flat", backend=SOONEST)
    assert system.data.printed_loads == ("gravity", "push")
    with pytest.raises(OptionError, match=r"number in its kernels .*'flat'.*: gravity, push\."):
        statics(system, steps=2)
    assert statics(system).stability == "stable"


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("coordinates", ["planar", "relative"])
def test_parameters_of_the_layout_flat_grow(coordinates: str) -> None:
    """M = k theta + m g L cos(theta)."""
    system = load(balance(coordinates, g=True, M=True), layout="flat", backend=SOONEST)
    found = statics(system, steps=50)
    assert found.method == "load steps" and found.iterations >= 50
    theta = asin(found.outputs["rod_end.y"])
    assert 8.0 * theta + 9.81 * 0.5 * cos(theta) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.representatives(id="10000.0")
@pytest.mark.parametrize("mass", [1.0, 1e4])
def test_soft_modes_of_stiff_beams_are_stable(mass: float) -> None:
    """A tip mass on a clamped beam: w^2 = 3 E I/(m L^3), far below the modes of the elements."""
    m = Model("tip", gravity=(0, 0, 0), coordinates="planar")
    section = rectangle(THICK, 0.02)
    beam = m.beam("beam", [(0, 0, 0), (LENGTH, 0, 0)], section, material(YOUNG, 2700), elements=20,
                  kind="euler-nonlinear")  # fmt: skip
    m.fixed("clamp", m.ground.at(), beam.start)
    tip = m.body("tip", mass, 1e-9 * mass, position=(LENGTH, 0))
    m.fixed("weld", beam.end, tip.at())
    found = statics(load(m, layout="loop"))
    assert found.stability == "stable"
    assert found.stiffness[0] == pytest.approx(3 * STIFF / (mass * LENGTH**3), rel=0.02)


@pytest.mark.slow
def test_beams_at_rest_have_modes() -> None:
    """Round-off of stiff, light elements gives accelerations of 1e-5 and moves nothing."""
    model = read("cantilever", {"P": 0, "ramp": 0, "elements": 20})
    found = modes(load(model, layout="loop", second=True))
    frequency = 3.5160 * (132e9 * 0.1**2 / 12 / 8145.2) ** 0.5 / 5.0**2 / (2 * pi)
    assert found.frequency[0] == pytest.approx(frequency, rel=2e-3)


def test_neutral_and_unstable_are_still_told() -> None:
    for angle, kind in ((0.0, "stable"), (pi, "unstable")):
        m = Model("pendulum", gravity=(0, -9.81, 0), coordinates="planar")
        place = (sin(angle), -cos(angle))
        rod = m.body("rod", 1.0, 0.1, position=place, angle=angle)
        m.revolute("pin", m.ground.at(), rod.at(0, 1.0))
        assert statics(load(m)).stability == kind
    m = Model("wheel", gravity=(0, -9.81, 0), coordinates="planar")
    wheel = m.body("wheel", 1.0, 0.1)
    m.revolute("pin", m.ground.at(), wheel.at())
    assert statics(load(m)).stability == "neutral"
