"""Flexible bodies in floating frames: closed solutions, conservation, other coordinates."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.linalg import eigh

from mbdgen import Model, general_section, load, material, modes, simulate, statics
from mbdgen.language.flexible.floating_beam import FloatingBeam
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System
from tests.frames_of_beams import frame_of
from tests.handwritten.modified_floating_beam import RotatingBeam
from tests.physics.running import SOONEST, worst
from tests.unit.language.test_flexible_body import MASS, NODES, STIFFNESS, tetrahedron

Joint = Callable[[Model, FloatingBeam], object]
CLAMPED, PINNED = 1.8751040687, 3.9266023120  # roots of the frequency equations, times length
FREE = (4.7300407449, 7.8532046241)


def unit_beam(frame: str, joint: Joint | None = None, **options: Any) -> Model:
    """A beam of length, mass per length and bending stiffness 1; frequencies are (kL)^2."""
    model = Model("beam", gravity=(0, 0, 0))
    section, stuff = general_section(1e-2, 1e-6), material(1e6, 100)
    beam = model.floating_beam("it", [(0, 0), (1, 0)], section, stuff, frame=frame, **options)
    if joint is not None:
        joint(model, beam)
    return model


def fixed(model: Model, beam: FloatingBeam) -> None:
    model.fixed("root", model.ground.at(), beam.start)


def pinned(model: Model, beam: FloatingBeam) -> None:
    model.revolute("root", model.ground.at(), beam.start)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("frame", "joint", "expected", "tolerance"),
    [
        ("mean", None, FREE, 1e-9),  # its own modes
        ("tangent", fixed, (CLAMPED,), 1e-9),  # likewise
        ("tangent", None, FREE, 3e-4),  # six modes of other supports: Ritz, from above
        pytest.param("chord", None, FREE, 3e-4, marks=pytest.mark.slow),
        pytest.param("tangent", pinned, (PINNED,), 3e-5, marks=pytest.mark.slow),
        ("chord", pinned, (PINNED,), 3e-5),
    ],
)
def test_frequencies_do_not_depend_on_the_frame(
    frame: str, joint: Joint | None, expected: tuple[float, ...], tolerance: float
) -> None:
    """Modes, coupled through the motion of the frame, vibrate as the beam does."""
    found = modes(load(unit_beam(frame, joint, modes=(6, 1)), backend=SOONEST))
    roots = np.sqrt(2 * np.pi * found.frequency)
    elastic = roots[roots > 0.1][: len(expected)]
    assert (elastic > np.array(expected) * (1 - 1e-9)).all()
    assert np.abs(elastic / np.array(expected) - 1).max() < tolerance


def rotating(rate: float, **options: Any) -> Model:
    """The beam of the spin-up of Wu and Haug, clamped at an axis that turns steadily."""
    model = Model("rotating", gravity=(0, 0, 0))
    section, stuff = general_section(7.299e-5, 8.214e-9), material(6.895e10, 2766.67)
    beam = model.floating_beam(
        "blade", [(0, 0), (8, 0)], section, stuff, angular_velocity=rate, **options
    )
    hub = model.body("hub", 1.0, 1.0, coordinates="planar", angular_velocity=rate)
    model.revolute("axle", model.ground.at(), hub.at())
    model.fixed("clamp", hub.at(), beam.start)
    model.rotation_driver("spin", model.ground.at(), hub.at(), angle=rate * model.t)
    across, end = hub.at().e2, beam.end
    model.output("lag", across[0] * end.x + across[1] * end.y)
    return model


UNIT = np.sqrt(6.895e10 * 8.214e-9 / (2766.67 * 7.299e-5 * 8.0**4))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "root"),
    [
        pytest.param({"modes": (1, 0)}, CLAMPED**2, marks=pytest.mark.slow),
        ({"elements": 1, "modes": (1, 0)}, np.sqrt(12.48019215)),
    ],
)
def test_constant_stiffness_diverges_at_the_first_frequency(
    options: dict[str, Any], root: float
) -> None:
    """About steady rotation the square of the frequency falls by that of the rate: 2.92 rad/s."""
    critical = root * UNIT
    assert abs(critical - 2.92) < 0.011
    for rate in (critical - 0.01, critical + 0.01):
        found = modes(load(rotating(rate, **options), backend=SOONEST, second=True)).eigenvalues
        square = critical**2 - rate**2
        assert np.allclose(found[0] ** 2, -square, rtol=1e-6), found
        assert (found.real.max() > 0.1) == (square < 0)


def stiffened_frequency(rate: float, twice: float = 1.0, softened: bool = True) -> float:
    """First frequency in the plane of rotation by Ritz, polynomials clamped at the axis.

    Energies ``EI w''^2 + N w'^2`` with the axial force N of the rotation, less ``rate^2 w^2`` in
    its plane; `twice` is how many times as stiff the beam is in bending.
    """
    x, weights = np.polynomial.legendre.leggauss(30)
    x, weights = (1 + x) / 2, weights / 2
    powers = np.arange(2, 10)
    w = x[:, None] ** powers
    slope, bend = (
        powers * x[:, None] ** (powers - 1),
        powers * (powers - 1) * x[:, None] ** (powers - 2),
    )
    pull = (rate / UNIT) ** 2 * (1 - x**2) / 2

    def product(a: Any, factor: Any = 1.0) -> Any:
        return (a.T * (weights * factor)) @ a

    stiffness = twice * product(bend) + product(slope, pull)
    if softened:
        stiffness = stiffness - (rate / UNIT) ** 2 * product(w)
    return float(np.sqrt(eigh(stiffness, product(w), eigvals_only=True)[0])) * UNIT


@pytest.mark.slow
def test_stiffened_beam_has_the_frequency_of_a_rotating_beam() -> None:
    """Four modes of the beam at rest: Ritz with few shapes, a little above."""
    rate = 4.0
    found = modes(load(rotating(rate, modes=(3, 0), stiffened=True), backend=SOONEST, second=True))
    expected = stiffened_frequency(rate)
    assert expected > 3.0  # without stiffening the beam would diverge
    assert 0 <= found.eigenvalues.imag[0] / expected - 1 < 1e-3


def spin_up(rate: float, **options: Any) -> Result:
    end, c = 15.0, 2 * np.pi / 15.0
    model = rotating(0.0, **options)
    t, driver = model.t, model.attached.pop("spin")
    law = sympy.Piecewise(
        (rate / end * (t**2 / 2 + (sympy.cos(c * t) - 1) / c**2), t < end),
        (rate * (t - end / 2), True),
    )
    model.rotation_driver("spin", *driver.markers, angle=law)
    return simulate(load(model, backend=SOONEST), (0, 20), h=5e-3, method="newmark", progress=False)


@pytest.mark.slow
def test_spin_up_beyond_the_first_frequency_needs_stiffening() -> None:
    """The largest lag of the reference EL4, from large strains: 0.5340 m at 6.75 s."""
    found = spin_up(4.0, stiffened=True)
    lag = found["lag"]
    assert abs(lag.min() + 0.5340) < 2e-3 and abs(found.t[lag.argmin()] - 6.75) < 0.03
    assert not spin_up(4.0).success


def pendulum(kind: str, **options: Any) -> Model:
    model = Model("pendulum", gravity=(0, -9.81))
    section, stuff = general_section(1e-3, 2e-6), material(2e8, 1000)
    points = [(0, 0), (1, 0)]
    if kind == "floating":
        beam: Any = model.floating_beam("rod", points, section, stuff, **options)
    else:
        beam = model.beam("rod", points, section, stuff, kind=kind, elements=8)
    model.revolute("pin", model.ground.at(), beam.start)
    model.output("tip", beam.end)
    model.output("middle", beam.at(0.5))
    return model


@pytest.mark.slow
def test_stiff_pendulum_swings_as_beams_in_absolute_coordinates_do() -> None:
    """The difference is of second order in the strains; 1e-3 of the length is the deflection."""
    t = np.linspace(0, 1.0, 51)

    def places(model: Model) -> Any:
        system = load(model, backend=SOONEST)
        found = simulate(system, (0, 1), h=5e-4, method="newmark", t_eval=t, progress=False)
        return np.column_stack([found["tip"], found["middle"]])

    expected = places(pendulum("euler-nonlinear"))
    for frame, bound in (("chord", 4e-5), ("tangent", 8e-5), ("mean", 4e-4)):
        assert worst(places(pendulum("floating", frame=frame)), expected) < bound
    assert worst(places(pendulum("floating", stiffened=True)), expected) < 2e-5


@pytest.mark.representatives(id="mean")
@pytest.mark.parametrize("frame", ["tangent", "mean"])
def test_free_beam_keeps_momentum_and_energy(frame: str) -> None:
    """Momenta by Gauss's rule over places of the beam; steps of fourth order leave the rest."""
    model = Model("free", gravity=(0, 0, 0))
    section, stuff = general_section(1e-2, 1e-4), material(1e4, 100)
    beam = model.floating_beam(
        "it", [(0, 0), (1, 0)], section, stuff, frame=frame, modes=(2, 1), velocity=(0.5, -0.3),
        angular_velocity=2.0, amplitudes=(0.05, 0.02, 0.01), rates=(0.0, 1.0, 0.1),
    )  # fmt: skip
    x, weights = np.polynomial.legendre.leggauss(12)
    for k, place in enumerate((1 + x) / 2):
        model.output(f"r{k}", beam.at(place))
        model.output(f"v{k}", beam.at(place).velocity)
    system = load(model, backend=SOONEST)
    coarse, fine = (_drift(system, h, weights / 2) for h in (4e-4, 2e-4))
    assert fine < 3e-8 and coarse > 12 * fine


def _drift(system: System, h: float, weights: Any) -> float:
    """The largest change of momenta and energy, and of the energy against that of the places."""
    found = simulate(system, (0, 0.2), h=h, method="rk4", progress=False)
    r, v = (np.array([found[f"{x}{k}"] for k in range(12)]) for x in "rv")
    linear = np.einsum("k,ktc->tc", weights, v)
    angular = np.einsum("k,kt->t", weights, r[..., 0] * v[..., 1] - r[..., 1] * v[..., 0])
    assert worst(found.energies[:, 0], np.einsum("k,ktc->t", weights / 2, v**2)) < 1e-9
    energy = found.energies[:, 0] + found.energies[:, 1]
    return float(max(np.ptp(linear, axis=0).max(), np.ptp(angular), np.ptp(energy)))


@pytest.mark.slow
def test_tumbling_point_masses_keep_momenta_and_energy() -> None:
    """Every node is at the interface: momenta and energies are sums over the masses, exactly."""
    nodes, mass, stiffness = tetrahedron()
    model = Model("tumbling", gravity=(0, 0, 0))
    body = model.flexible_body(
        "crystal", mass=mass, stiffness=stiffness, nodes=nodes, interface=range(5), modes=0,
        velocity=(0.2, 0.5, -0.3), angular_velocity=(2.0, 3.0, 1.0), highest=4.0,
        rates=[0.3, -0.2],
    )  # fmt: skip
    for k in range(5):
        model.output(f"r{k}", body.node(k))
        model.output(f"v{k}", body.node(k).velocity)
    found = simulate(load(model, backend=SOONEST), (0, 1), h=2e-3, method="rk4", progress=False)
    m = np.diag(mass)[::3]
    r = np.array([found[f"r{k}"] for k in range(5)])
    v = np.array([found[f"v{k}"] for k in range(5)])
    linear, angular = np.einsum("k,ktc->tc", m, v), np.einsum("k,ktc->tc", m, np.cross(r, v))
    assert np.ptp(linear, axis=0).max() < 1e-9
    assert np.ptp(angular, axis=0).max() < 1e-8
    kinetic = np.einsum("k,ktc->t", m / 2, v**2)
    assert worst(found.energies[:, 0], kinetic) < 1e-11
    assert np.ptp(found.energies[:, 0] + found.energies[:, 1]) < 1e-7


@pytest.mark.slow
def test_static_shapes_of_the_interface_are_exact() -> None:
    """A bracket held at one node and loaded at another sags as the full structure does."""
    model = Model("bracket", gravity=(0, 0, 0))
    body = model.flexible_body(
        "part", mass=MASS, stiffness=STIFFNESS, nodes=NODES, interface={"wall": 0, "tip": 6},
        modes=0, frame="wall",
    )  # fmt: skip
    model.fixed("held", model.ground.at(), body.node("wall"))
    load_at_tip = np.array([2e-3, -1e-3, 3e-3])
    model.force("load", body.node("tip"), force=tuple(load_at_tip))
    model.output("tip", body.node("tip"))
    system = load(model, backend=SOONEST)
    found = statics(system)
    full = np.zeros(42)
    right = np.zeros(42)
    right[36:39] = load_at_tip
    full[6:] = np.linalg.solve(STIFFNESS[6:, 6:], right[6:])
    moved = np.array([found.outputs[f"tip.{c}"] for c in "xyz"]) - NODES[6]
    # Turned loads would change the answer by the square of the deflection.
    assert worst(moved, full[36:39]) < 1e-4 * np.abs(full[36:39]).max()


@pytest.mark.slow
def test_modified_floating_frame_is_the_element_with_a_tangent_frame() -> None:
    """The same trajectories: strains seen from the tangent at each element's first node."""
    beam = RotatingBeam(length=1.0, axial=1e3, bending=1.0, density=1.0, elements=2)
    a, b = 1.5, 3.0

    def angle(t: float) -> tuple[float, float, float]:
        return a * np.sin(b * t) ** 2, a * b * np.sin(2 * b * t), 2 * a * b**2 * np.cos(2 * b * t)

    t = np.linspace(0, 1.0, 21)
    displaced = beam.motion(angle, t)
    model = Model("spinning", gravity=(0, 0, 0))
    stuff = material(1e5, 100.0)
    rod = model.beam(
        "rod",
        [(0, 0), (1, 0)],
        general_section(1e-2, 1e-5),
        stuff,
        elements=2,
        kind="euler-tangent",
    )
    hub = model.body("hub", 1.0, 1.0, coordinates="planar")
    model.revolute("axle", model.ground.at(), hub.at())
    model.fixed("clamp", hub.at(), rod.start)
    law = a * sympy.sin(b * model.t) ** 2
    model.rotation_driver("spin", model.ground.at(), hub.at(), angle=law)
    model.output("tip", rod.end)
    model.output("middle", rod.node(1))
    system = load(model, backend=SOONEST)
    found = simulate(system, (0, 1), h=2e-4, method="rk4", t_eval=t, progress=False)
    theta = np.array([angle(x)[0] for x in t])
    for name, node in (("middle", 1), ("tip", 2)):
        u, w = displaced[:, 4 * node], displaced[:, 4 * node + 1]
        x = beam.size * node + u
        expected = np.column_stack(
            [np.cos(theta) * x - np.sin(theta) * w, np.sin(theta) * x + np.cos(theta) * w]
        )
        assert np.abs(w).max() > 0.05  # it bends
        assert worst(found[name][:, :2], expected) < 1e-6


def blade(rate: float, kind: str = "", gravity: float = 0.0, **options: Any) -> Model:
    """The spin-up beam in space, twice as stiff in flapping, driven at its root."""
    model = Model("blade", gravity=(0, 0, -gravity))
    size = {"area": 7.299e-5, "iz": 8.214e-9, "iy": 2 * 8.214e-9, "torsion": 1e-8}
    if kind:
        stuff = material(6.895e10, 2766.67, poisson=0.3)
        points = [(0, 0, 0), (8, 0, 0)]
        beam: Any = model.beam("it", points, general_section(**size), stuff, kind=kind,
                               elements=8, angular_velocity=(0, 0, rate))  # fmt: skip
        root, tip = beam.start, beam.end
    else:
        x = np.linspace(0, 8, 13)
        nodes, bars = np.column_stack([x, 0 * x, 0 * x]), [(k, k + 1) for k in range(12)]
        mass, stiffness = frame_of(nodes, bars, **size, young=6.895e10, density=2766.67)
        body = model.flexible_body(
            "it", mass=mass, stiffness=stiffness, nodes=nodes, frame="root", modes=4, highest=5.0,
            interface={"root": 0, "tip": 12}, angular_velocity=(0, 0, rate), **options,
        )  # fmt: skip
        root, tip = body.node("root"), body.node("tip")
    model.revolute("axle", model.ground.at(), root, axis=(0, 0, 1))
    spin = rate * model.t
    model.rotation_driver("spin", model.ground.at(), root, axis=(0, 0, 1), angle=spin)
    model.output("tip", tip)
    return model


@pytest.mark.slow
def test_stiffened_body_in_space_has_the_frequencies_of_a_rotating_beam() -> None:
    """Two modes in each direction: Ritz with few shapes, from above; flapping is not softened.

    Two exact modes are 0.3 % above in the plane, 0.05 % across; twelve elements, whose mass takes
    what is drawn together as straight between nodes, add 0.08 % and 0.03 %.
    """
    rate = 4.0
    system = load(blade(rate, stiffened=range(13)), backend=SOONEST, second=True)
    lag, flap = modes(system).eigenvalues.imag[:2]
    assert 0 <= lag / stiffened_frequency(rate) - 1 < 5e-3
    expected = stiffened_frequency(rate, twice=2.0, softened=False)
    assert expected > 1.3 * 2**0.5 * CLAMPED**2 * UNIT  # far above that at rest
    assert 0 <= flap / expected - 1 < 1.5e-3
    softer = modes(load(blade(rate), backend=SOONEST, second=True)).eigenvalues
    assert softer.real.max() > 2.0  # without it, it diverges in the plane


@pytest.mark.slow
def test_stiffened_body_in_space_flaps_as_an_exact_beam() -> None:
    """Dropped while it spins: 0.17 m of 8 m, 0.37 m without stiffening; four modes are 5 % off."""
    t, tips = np.linspace(0, 3, 151), []
    for kind, options in (("exact-3d", {}), ("", {"stiffened": range(13)}), ("", {})):
        system = load(blade(4.0, kind, gravity=2.0, **options), backend=SOONEST, layout="loop")
        tips.append(simulate(system, (0, 3), h=2e-3, t_eval=t, progress=False)["tip"])
    exact, stiffened, plain = tips
    assert 0.16 < abs(exact[:, 2]).max() < 0.19
    assert worst(stiffened[:, 2], exact[:, 2]) < 0.01
    assert worst(stiffened[:, :2], exact[:, :2]) < 5e-3
    assert worst(plain[:, 2], exact[:, 2]) > 0.3
