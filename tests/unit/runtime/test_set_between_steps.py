"""Parameters that a callback sets act at once: nothing that a method keeps belongs to old ones."""

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.integrators import known
from mbdgen.runtime.integrators import method as method_named
from mbdgen.runtime.system.system import System

STEPS, H = 6, 0.1
SQUARE = np.array([0.0, 0.1, 0.0, 0.1, 0.0, 0.1, 0.0])


def cart(**options: object) -> System:
    m = Model("set_between_steps_cart", gravity=(0, 0, 0))
    u = m.parameter("u", 0.0, unit="N")
    c = m.body("cart", 1.0, (0.1, 0.1, 0.1))
    m.prismatic("rail", m.ground, c, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("push", c.at(), force=(u, 0, 0))
    return load(m, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def system() -> System:
    return cart()


@pytest.fixture(scope="module")
def relative() -> System:
    return cart(coordinates="relative")


@pytest.fixture(scope="module")
def differentiated() -> System:
    """With second derivatives, which some methods need."""
    return cart(coordinates="relative", second=True)


def square_wave(system: System, **options: object) -> object:
    """Push to and fro, changed at every instant of the plan."""

    def switch(t: float, q: object, v: object) -> None:
        system.set(u=1.0 if round(t / H) % 2 == 0 else -1.0)

    system.set(u=0.0)
    span, instants = (0, STEPS * H), np.arange(STEPS + 1) * H
    found = simulate(system, span, h=H, t_eval=instants, callback=switch, **options)  # type: ignore[arg-type]
    assert found.success, found.message
    return found


def check(system: System, tolerance: float = 1e-9, **options: object) -> None:
    found = square_wave(system, **options)
    assert np.abs(found.v[:, 0] - SQUARE).max() < tolerance  # type: ignore[attr-defined]


FEW = ("rk4", "newmark", "heun", "adams", "bdf", "solve-ivp")


@pytest.mark.parametrize("method", FEW)
def test_force_is_switched(relative: System, method: str) -> None:
    check(relative, method=method)


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(set(known()) - set(FEW)))
def test_force_is_switched_with_every_method(differentiated: System, method: str) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    check(differentiated, tolerance=1e-6 if method_named(method).library else 1e-9, method=method)


@pytest.mark.parametrize("method", ["rk4", "newmark", "dopri5"])
def test_force_is_switched_with_constraints(system: System, method: str) -> None:
    check(system, method=method)


def test_force_is_switched_in_a_multistep_method_that_remembers(relative: System) -> None:
    check(relative, method="adams", order=5)
    check(relative, method="bdf", order=4)


@pytest.mark.parametrize("method", ["dopri5", "newmark"])
def test_force_is_switched_in_steps_of_chosen_length(relative: System, method: str) -> None:
    check(relative, method=method, rtol=1e-7)


@pytest.mark.parametrize("formulation", ["index1", "nullspace-qr"])
def test_force_is_switched_in_formulations(system: System, formulation: str) -> None:
    check(system, tolerance=1e-6, method="newmark", formulation=formulation)


def test_fused_steps_forget_their_factors() -> None:
    check(cart(backend="c", layout="flat"), method="newmark")


def test_changed_parameters_do_work_that_is_no_drift() -> None:
    m = Model("set_between_steps_spring", gravity=(0, 0, 0))
    k = m.parameter("k", 1.0, unit="N/m")
    b = m.point_mass("b", 1.0, position=(1, 0, 0))
    m.spring("spring", m.ground.at(), b.at(), stiffness=k, length=0.0)
    system = load(m)

    def stiffer(t: float, q: object, v: object) -> None:
        system.set(k=4.0 if t > 0.5 else 1.0)

    found = simulate(system, (0, 1), h=1e-3, method="rk4", callback=stiffer)
    work = found.energies[-1, 2]
    at = int(np.searchsorted(found.t, 0.5005))
    given = 0.5 * 3.0 * found["b.x"][at] ** 2
    assert found.counters.energy_drift < 1e-9
    assert work == pytest.approx(given, rel=1e-9)
    assert found.counters.energy_scale == pytest.approx(
        max(found["energy.kinetic"].max(), np.ptp(found["energy.total"])), rel=0.3
    )


def test_a_length_that_jumps_is_refused() -> None:
    m = Model("set_between_steps_length")
    length = m.parameter("length", 1.0, unit="m")
    rod = m.body("rod", 1.0, (0.1, 0.1, 0.1), position=(length, 0, 0))
    m.revolute("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0))
    system = load(m)

    def grow(t: float, q: object, v: object) -> None:
        if t > 0.05:
            system.set(length=1.1)

    found = simulate(system, (0, 0.2), h=0.01, callback=grow)
    assert not found.success and 0.05 < found.t[-1] < 0.07
    assert "'pin' is violated by 0.1" in found.message and "function of time" in found.message


def test_a_speed_that_jumps_gives_an_impulse() -> None:
    m = Model("set_between_steps_speed", gravity=(0, 0, 0))
    speed = m.parameter("speed", 1.0, unit="m/s")
    c = m.body("cart", 2.0, (0.1, 0.1, 0.1))
    m.prismatic("rail", m.ground, c, at=(0, 0, 0), axis=(1, 0, 0))
    m.translation_driver("drive", m.ground.at(axis=(1, 0, 0)), c.at(), distance=speed * m.t)
    system = load(m)

    def faster(t: float, q: object, v: object) -> None:
        system.set(speed=2.0)

    found = simulate(system, (0, 0.1), h=0.01, callback=faster)
    assert np.allclose(found.v[:, 0], [1.0] + [2.0] * 10)
    assert found.energies[-1, 2] == pytest.approx(0.5 * 2.0 * (4.0 - 1.0))
    assert found.counters.energy_drift < 1e-12


def test_sensitivities_refuse() -> None:
    system = cart(sensitivities=True)

    def switch(t: float, q: object, v: object) -> None:
        system.set(u=1.0)

    with pytest.raises(OptionError, match=r"Leave system\.set out of the callback"):
        simulate(system, (0, 0.1), h=H, method="rk4", callback=switch, sensitivities=["u"])
