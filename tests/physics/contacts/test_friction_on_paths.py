"""Friction, pushes and stops along the number of a place, against equations written by hand.

A collar of mass m slides on a uniform bar that turns about its end, under its weight. With the
angle psi of the bar and the distance s of the collar

    m (s'' - s psi'^2) = -m g sin psi + P(s) - mu |N| tanh(s'/v0)
    m (s psi'' + 2 s' psi') = -m g cos psi + N
    (M L^2/3) psi'' = -M g L/2 cos psi - N s
"""

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from mbdgen import Model, load, material, rectangle, simulate
from mbdgen.language.read import read
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST, FloatArray

G, COLLAR, BAR, LENGTH = 9.81, 0.3, 0.8, 1.0
GRIP, CREEP, PULL, REST, BEGIN, SPEED = 0.3, 0.02, 12.0, 0.7, 0.25, 0.8
END = 0.25


def made(model: Model, **arguments: Any) -> System:
    return load(model, layout="loop", backend=SOONEST, **arguments)


def sliding(
    kind: str = "", form: str = "revolute", young: float = 2e10, damping: float = 1e-4
) -> Model:
    """The collar on a beam of a kind, or on a line of a rigid bar."""
    m = Model("sliding_collar", gravity=(0, -G, 0))
    if kind:
        steel = material(young=young, density=BAR / LENGTH / 1e-3, damping=damping)
        bar: Any = m.beam(
            "bar", [(0, 0), (LENGTH, 0)], rectangle(0.1, 0.01), steel, elements=2, kind=kind
        )
        m.revolute("hinge", m.ground.at(), bar.start)
        place = bar.along("place", BEGIN, speed=SPEED)
    else:
        bar = m.planar_body("bar", BAR, BAR * LENGTH**2 / 12, position=(LENGTH / 2, 0))
        m.revolute("hinge", m.ground.at(), bar.at(-LENGTH / 2))
        place = bar.along("place", lambda s: (s - LENGTH / 2, 0, 0), BEGIN, speed=SPEED)
    collar = m.planar_body("collar", COLLAR, 1e-12, position=(BEGIN, 0), velocity=(SPEED, 0))
    slide = getattr(m, form)("slide", place, collar.at())
    m.friction("rub", along=place.s, load=slide.load, coefficient=GRIP, creep=CREEP)
    m.push("pull", along=place.s, force=PULL * (REST - place.s))
    m.output("s", place.s)
    m.output("normal", slide.load)
    m.output("rub", m.attached["rub"].power)
    return m


def by_hand(t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distance and normal force."""
    inertia = BAR * LENGTH**2 / 3

    def normal(y: FloatArray) -> tuple[Any, Any]:
        s, ds, psi, turn = y
        weight = BAR * LENGTH / 2 + COLLAR * s
        alpha = -(G * weight * np.cos(psi) + 2 * COLLAR * s * ds * turn) / (inertia + COLLAR * s**2)
        return alpha, COLLAR * (s * alpha + 2 * ds * turn + G * np.cos(psi))

    def rates(_: float, y: FloatArray) -> list[float]:
        s, ds, psi, turn = y
        alpha, across = normal(y)
        along = PULL * (REST - s) - GRIP * abs(across) * np.tanh(ds / CREEP)
        return [ds, s * turn**2 - G * np.sin(psi) + along / COLLAR, turn, alpha]

    begin = [BEGIN, SPEED, 0.0, 0.0]
    y = solve_ivp(rates, (0, t[-1]), begin, t_eval=t, rtol=1e-10, atol=1e-12, max_step=1e-2).y
    return y[0], np.abs(normal(y)[1])


T = np.linspace(0, END, 26)
EXACT = by_hand(T)


@pytest.mark.slow
def test_collar_on_a_rigid_bar() -> None:
    """Of second order; the normal force follows from the same acceleration."""
    system, errors = made(sliding()), []
    for h in (2e-3, 1e-3):
        r = simulate(system, (0, END), h=h, t_eval=T)
        assert r.success, r.message
        errors.append(float(abs(r["s"] - EXACT[0]).max()))
        np.testing.assert_allclose(r["normal"], EXACT[1], rtol=0, atol=10 * errors[-1])
    assert errors[1] < 5e-6 and 3.5 < errors[0] / errors[1] < 4.5, errors
    assert r.counters.energy_drift < 1e-5 and r["rub"].min() < -3


def test_collar_on_a_rigid_bar_by_an_explicit_method() -> None:
    r = simulate(made(sliding()), (0, END), "rk4", 1e-3, t_eval=T, formulation="index1")
    assert r.success, r.message
    np.testing.assert_allclose(r["s"], EXACT[0], rtol=0, atol=2e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("young", "within"), [(2e9, 2e-5), (2e10, 5e-6)])
@pytest.mark.parametrize("form", ["revolute", "fixed"])
def test_collar_on_a_stiff_beam(form: str, young: float, within: float) -> None:
    """The beam bends by 1e-5 m and 1e-6 m; its vibrations, which press too, are damped soon."""
    system = made(sliding("euler-nonlinear", form, young, damping=2e6 / young))
    r = simulate(system, (0, END), h=5e-5, t_eval=T)
    assert r.success, r.message
    np.testing.assert_allclose(r["s"], EXACT[0], rtol=0, atol=within)
    np.testing.assert_allclose(r["normal"][2:], EXACT[1][2:], atol=0.05)
    assert r.counters.energy_drift < 2e-5


@pytest.mark.representatives(id="potential")
@pytest.mark.parametrize("law", ["push", "potential", "stop"])
def test_springs_along_the_number_of_a_place(law: str) -> None:
    """A bead on a straight wire: s'' = -k/m (s - s0), a period of which ends where it began."""
    m = Model("bead", gravity=(0, 0, 0))
    place = m.ground.along("place", lambda s: (0.6 * s, 0.8 * s, 0), 0.1, speed=0.5, ends=(-1, 1))
    bead = m.point_mass("bead", COLLAR, position=(0.06, 0.08, 0), velocity=(0.3, 0.4, 0))
    m.spherical("on_wire", place, bead.at())
    k = COLLAR * (2 * np.pi) ** 2
    if law == "push":
        m.push("spring", along=place.s, force=-k * (place.s - 0.1))
    elif law == "potential":
        m.potential("spring", energy=k / 2 * (place.s - 0.1) ** 2)
    else:
        m.stop("spring", along=place.s, lower=0.1, upper=0.1, stiffness=k, law="linear")
    m.output("s", place.s)
    r = simulate(made(m), (0, 1), h=1e-3)
    assert r.success, r.message
    expected = 0.1 + 0.5 / (2 * np.pi) * np.sin(2 * np.pi * r.t)
    np.testing.assert_allclose(r["s"], expected, rtol=0, atol=5e-6)
    assert r.counters.energy_drift < 1e-5


@pytest.mark.representatives(id=["potential-flat", "potential-loop"])
@pytest.mark.parametrize("layout", ["flat", "loop"])
@pytest.mark.parametrize("law", ["push", "potential"])
def test_springs_along_the_angle_of_a_body(law: str, layout: str) -> None:
    """What acted along ``rod.angle`` was counted as work and did not move the rod."""
    m = Model("turning", gravity=(0, 0, 0))
    rod = m.planar_body("rod", 1.0, 0.1, angular_velocity=1.0)
    k = 0.1 * (2 * np.pi) ** 2
    if law == "push":
        m.push("spring", along=rod.angle, force=-k * rod.angle)
    else:
        m.potential("spring", energy=k / 2 * rod.angle**2)
    m.output("angle", rod.angle)
    r = simulate(load(m, layout=layout), (0, 1), h=1e-3)
    expected = np.sin(2 * np.pi * r.t) / (2 * np.pi)
    np.testing.assert_allclose(r["angle"], expected, rtol=0, atol=5e-6)
    assert r.counters.energy_drift < 1e-5


@pytest.mark.slow
def test_three_bars_with_friction() -> None:
    """The shipped model with a line more: the work of friction is in the balance."""
    m = read("three_bar_flexible_guide")
    joint = m.attached["A"]
    s = m.bodies["slider"].variable("number")
    m.friction("rub", along=s, load=joint.load, coefficient=0.2, creep=0.05)
    m.output("lost", m.attached["rub"].power)
    r = simulate(made(m), (0, 0.05), h=1e-4)
    assert r.success, r.message
    assert r["lost"].max() <= 0.0 > r["lost"].min()
    assert r.counters.energy_drift < 1e-3 * abs(r.energies[:, 2]).max()


def test_a_curve_by_its_parameter() -> None:
    """On a curve ``radius`` is the length per unit of the parameter: a bead on ``y = -s^2``.

    m (|r'|^2 s'' + r' . r'' s'^2) = m g . r' - mu N |r'| tanh(|r'| s'/v0)
    """
    m = Model("wire", gravity=(0, -G, 0))
    place = m.ground.along("place", lambda s: (s, -(s**2), 0), BEGIN)
    bead = m.planar_body("bead", COLLAR, 1e-12, position=(BEGIN, -(BEGIN**2)))
    slide = m.revolute("slide", place, bead.at())
    ratio = sympy.sqrt(1 + 4 * place.s**2)
    m.friction("rub", along=place.s, load=slide.load, coefficient=GRIP, creep=CREEP, radius=ratio)
    m.output("s", place.s)

    def rates(_: float, y: FloatArray) -> list[float]:
        s, ds = y
        length = np.hypot(1, 2 * s)
        normal = COLLAR * abs(-2 * ds**2 + G) / length
        rub = GRIP * normal * np.tanh(length * ds / CREEP)
        return [ds, (2 * G * s - 4 * s * ds**2 - rub * length / COLLAR) / length**2]

    system = made(m)
    ends = [simulate(system, (0, 0.4), h=h, progress=False)["s"][-1] for h in (1e-3, 5e-4)]
    exact = solve_ivp(rates, (0, 0.4), [BEGIN, 0.0], rtol=1e-10, atol=1e-12).y[0, -1]
    assert exact > BEGIN + 0.02
    errors = np.abs(np.array(ends) - exact)
    assert errors[1] < 5e-6 and errors[0] / errors[1] > 3  # of second order
