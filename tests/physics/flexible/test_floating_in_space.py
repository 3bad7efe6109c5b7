"""Beams in floating frames in space: formulas, the beams of the plane, beams with large strains."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, general_section, load, material, modes, simulate, statics
from mbdgen.language.flexible.floating_beam import FloatingBeam
from tests.physics.flexible.test_floating import CLAMPED, FREE, stiffened_frequency
from tests.physics.running import SOONEST, worst

Joint = Callable[[Model, FloatingBeam], object]
AREA, IZ, IY, TORSION, LENGTH = 1e-4, 4e-10, 1e-10, 3e-10, 1.3
YOUNG, DENSITY, POISSON = 2e8, 1000.0, 0.3
SECTION = general_section(AREA, IZ, IY, TORSION)
STUFF = material(YOUNG, DENSITY, poisson=POISSON)
START, END = (0.1, 0.2, 0.3), (0.5, 1.4, 0.6)  # 1.3 m
BENDING_Y, BENDING_Z = (
    np.sqrt(YOUNG * x / (DENSITY * AREA)) / LENGTH**2 / (2 * np.pi) for x in (IZ, IY)
)
STRETCHING = np.sqrt(YOUNG / DENSITY) / LENGTH / (2 * np.pi)
TWISTING = (
    np.sqrt(YOUNG / (2 * (1 + POISSON)) * TORSION / (DENSITY * (IZ + IY))) / LENGTH / (2 * np.pi)
)


def inclined(frame: str, joint: Joint | None = None, **options: Any) -> Model:
    model = Model("beam", gravity=(0, 0, 0))
    beam = model.floating_beam("it", [START, END], SECTION, STUFF, frame=frame, **options)
    if joint is not None:
        joint(model, beam)
    return model


def clamped(model: Model, beam: FloatingBeam) -> None:
    model.fixed("root", model.ground.at(*START), beam.start)


def hinged(model: Model, beam: FloatingBeam) -> None:
    model.spherical("start", model.ground.at(*START), beam.start)
    model.spherical("end", model.ground.at(*END), beam.end)


def expected(bending: Any, stretching: float, twisting: float) -> Any:
    """Frequencies from roots of the four frequency equations."""
    found = [unit * k**2 for unit in (BENDING_Y, BENDING_Z) for k in bending]
    return np.sort([*found, STRETCHING * stretching, TWISTING * twisting])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("frame", "joint", "roots"),
    [
        ("tangent", clamped, ((CLAMPED, 4.6940911330), np.pi / 2, np.pi / 2)),
        ("mean", None, (FREE, np.pi, np.pi)),
    ],
)
def test_frequencies(frame: str, joint: Joint | None, roots: Any) -> None:
    """Modes of the supports that the frame has are those of the beam."""
    system = load(inclined(frame, joint, modes=(2, 2, 1, 1)), backend=SOONEST)
    found = modes(system).frequency
    elastic = found[found > 0.01]
    assert np.allclose(elastic, expected(*roots), rtol=1e-8)


@pytest.mark.slow
def test_frequencies_of_a_hinged_beam() -> None:
    """Half waves in both planes; it turns freely about its midline."""
    system = load(inclined("chord", hinged, modes=(2, 2, 0, 0)), backend=SOONEST)
    found = modes(system).frequency
    elastic = found[found > 0.01]
    assert np.allclose(elastic, expected((np.pi, 2 * np.pi), 0, 0)[2:], rtol=1e-8)


@pytest.mark.slow
def test_deflections_of_a_cantilever() -> None:
    """Elements bend, stretch and twist as the beam does under loads on its end."""
    model = Model("cantilever", gravity=(0, 0, 0))
    beam = model.floating_beam(
        "it", [(0, 0, 0), (LENGTH, 0, 0)], SECTION, STUFF, elements=1, across=(0, 1, 0)
    )
    model.fixed("root", model.ground.at(), beam.start)
    force, torque = (3.0, 2e-5, -1e-5), (1e-5, 4e-5, -2e-5)
    model.force("pull", beam.end, force=force)
    model.torque("turn", beam.end, torque=torque)
    model.output("tip", beam.end)
    model.output("edge", beam.at(LENGTH, 0.1, 0.2))
    for k, axis in enumerate((beam.end.e1, beam.end.e2)):
        model.output(f"axis{k}", axis)
    found = statics(load(model, backend=SOONEST)).outputs
    y, z, x, twist = YOUNG * IZ, YOUNG * IY, YOUNG * AREA, YOUNG / 2.6 * TORSION
    moved = np.array([
        force[0] * LENGTH / x,
        force[1] * LENGTH**3 / (3 * y) + torque[2] * LENGTH**2 / (2 * y),
        force[2] * LENGTH**3 / (3 * z) - torque[1] * LENGTH**2 / (2 * z),
    ])  # fmt: skip
    turned = np.array([
        torque[0] * LENGTH / twist,
        torque[1] * LENGTH / z - force[2] * LENGTH**2 / (2 * z),
        torque[2] * LENGTH / y + force[1] * LENGTH**2 / (2 * y),
    ])  # fmt: skip

    def vector(name: str) -> Any:
        return np.array([found[f"{name}.{c}"] for c in "xyz"])

    def close(a: Any, b: Any) -> None:
        assert worst(a, b) < 2e-3 * abs(b).max()  # turns of a hundredth are small to second order

    assert abs(moved).min() > 1e-5 and abs(turned).min() > 1e-4
    tip = vector("tip") - [LENGTH, 0, 0]
    close(tip, moved)
    close(np.append(vector("axis0")[1:], vector("axis1")[2]), turned[[2, 1, 0]] * [1, -1, 1])
    close(vector("edge") - [LENGTH, 0.1, 0.2], moved + np.cross(turned, [0, 0.1, 0.2]))


@pytest.mark.slow
@pytest.mark.parametrize("up", [1, 2])
@pytest.mark.parametrize("frame", ["tangent", "mean"])
def test_a_beam_that_moves_in_a_plane_is_that_of_the_plane(up: int, frame: str) -> None:
    """A pendulum of rubber, bent by a tenth, in the plane xy and, by other modes, in xz."""
    stuff, t, stiff, soft = material(2e6, 1000.0), np.linspace(0, 0.5, 26), 4e-6, 1e-6
    flat = Model("flat", gravity=(0, -9.81))
    options: dict[str, Any] = {"frame": frame, "stiffened": True}
    beam = flat.floating_beam(
        "rod", [(0, 0), (0.8, 0.6)], general_section(1e-3, stiff), stuff, modes=(2, 1), **options
    )
    flat.revolute("pin", flat.ground.at(), beam.start)
    flat.output("tip", beam.at(beam.length, 0.05))

    def placed(x: float, y: float) -> tuple[float, float, float]:
        return (x, y, 0.0) if up == 1 else (x, 0.0, y)

    model = Model("upright", gravity=placed(0, -9.81))
    bent, counts = ((stiff, soft), (2, 0, 1, 0)) if up == 1 else ((soft, stiff), (0, 2, 1, 0))
    rod = model.floating_beam(
        "rod", [(0, 0, 0), placed(0.8, 0.6)], general_section(1e-3, *bent), stuff, modes=counts,
        across=(0, 1, 0), **options,
    )  # fmt: skip
    pin = (0, 0, 1) if up == 1 else (0, 1, 0)
    model.revolute("pin", model.ground.at(), rod.start, axis=pin)
    model.output("tip", rod.at(rod.length, *((0.05, 0) if up == 1 else (0, 0.05))))
    one, other = (
        simulate(load(m, backend=SOONEST), (0, 0.5), h=5e-4, method="rk4", t_eval=t, progress=False)
        for m in (flat, model)
    )
    assert np.ptp(one["tip"][:, 1]) > 0.3
    assert worst(other["tip"][:, [0, up]], one["tip"][:, :2]) < 5e-10
    assert abs(other["tip"][:, 3 - up]).max() < 1e-12


@pytest.mark.representatives(frame="mean")
@pytest.mark.parametrize("frame", ["tangent", "mean"])
def test_tumbling_beam_keeps_momenta_and_energy(frame: str) -> None:
    """Momenta by Gauss's rule over places of the beam, with that of the sections' own spin."""
    model = Model("free", gravity=(0, 0, 0))
    stuff = material(1e4, 100)
    section = general_section(1e-2, 1e-4, 5e-5)
    beam = model.floating_beam(
        "it", [(0, 0, 0), (0, 0.6, 0.8)], section, stuff, frame=frame, modes=(1, 1, 1, 1),
        velocity=(0.5, -0.3, 0.2), angular_velocity=(2.0, 1.0, -1.5),
        amplitudes=(0.05, -0.04, 0.01, 0.002), rates=(0.2, 1.0, 0.1, 0.05),
    )  # fmt: skip
    x, weights = np.polynomial.legendre.leggauss(12)
    for k, place in enumerate((1 + x) / 2):
        model.output(f"r{k}", beam.at(place))
        model.output(f"v{k}", beam.at(place).velocity)
    model.output("omega", beam.body.angular_velocity)
    model.output("axis", beam.frame.e1)
    model.output("rate", beam.body.variable("e_4_rate"))
    found = simulate(load(model, backend=SOONEST), (0, 0.2), h=2e-4, method="rk4", progress=False)
    r, v = (np.array([found[f"{name}{k}"] for k in range(12)]) for name in "rv")
    shares = beam.modes.mass * weights / 2
    # The mean twist that spins with the frame: (1, 1, ...) against the mode, a sine of square 1.
    twist = 0.0 if frame == "mean" else np.sqrt(2) / (np.pi / 2)
    rate = found["rate"]
    spin, axis = float(beam.modes.spin), found["axis"]
    turning = np.einsum("tc,tc->t", found["omega"], axis)
    own = spin * turning + np.sqrt(spin) * twist * rate
    linear = np.einsum("k,ktc->tc", shares, v)
    angular = np.einsum("k,ktc->tc", shares, np.cross(r, v)) + own[:, None] * axis
    kinetic = np.einsum("k,ktc->t", shares / 2, v**2)
    kinetic += spin * turning**2 / 2 + np.sqrt(spin) * twist * turning * rate + rate**2 / 2
    assert worst(found.energies[:, 0], kinetic) < 1e-9
    energy = found.energies[:, 0] + found.energies[:, 1]
    assert np.ptp(linear, axis=0).max() < 1e-8
    assert np.ptp(angular, axis=0).max() < 1e-7
    assert np.ptp(energy) < 1e-7


def spinning(kind: str, gravity: float = 0.0, **options: Any) -> Any:
    """The blade of `test_floating`, of elements or of modes."""
    model = Model("blade", gravity=(0, 0, -gravity))
    section = general_section(7.299e-5, 8.214e-9, 2 * 8.214e-9, 1e-8)
    stuff, points = material(6.895e10, 2766.67, poisson=0.3), [(0, 0, 0), (8, 0, 0)]
    moving: dict[str, Any] = {"across": (0, 1, 0), "angular_velocity": (0, 0, 4.0), **options}
    beam: Any = (
        model.beam("it", points, section, stuff, kind=kind, elements=8, **moving)
        if kind
        else model.floating_beam("it", points, section, stuff, **moving)
    )
    model.revolute("axle", model.ground.at(), beam.start, axis=(0, 0, 1))
    spin = 4.0 * model.t
    model.rotation_driver("spin", model.ground.at(), beam.start, axis=(0, 0, 1), angle=spin)
    model.output("tip", beam.end)
    return load(model, backend=SOONEST, layout="loop", second=not kind)


@pytest.mark.slow
def test_stiffened_beam_in_space_has_the_frequencies_of_a_rotating_beam() -> None:
    """Two modes in each direction, from above: 0.3 % in the plane, 0.05 % across."""
    lag, flap = modes(spinning("", modes=(2, 2, 0, 0), stiffened=True)).eigenvalues.imag[:2]
    assert 0 <= lag / stiffened_frequency(4.0) - 1 < 4e-3
    assert 0 <= flap / stiffened_frequency(4.0, twice=2.0, softened=False) - 1 < 1e-3
    plain = modes(spinning("", modes=(2, 2, 0, 0))).eigenvalues
    assert plain.real.max() > 2.0  # without it, it diverges in the plane


@pytest.mark.slow
def test_stiffened_beam_in_space_flaps_as_an_exact_beam() -> None:
    """Dropped while it spins: 0.17 m of 8 m."""
    t = np.linspace(0, 3, 151)
    exact, floating = (
        simulate(system, (0, 3), h=2e-3, t_eval=t, progress=False)["tip"]
        for system in (
            spinning("exact-3d", 2.0),
            spinning("", 2.0, modes=(3, 3, 0, 0), stiffened=True),
        )
    )
    assert 0.16 < abs(exact[:, 2]).max() < 0.19
    assert worst(floating[:, 2], exact[:, 2]) < 0.01
    assert worst(floating[:, :2], exact[:, :2]) < 5e-3


@pytest.mark.slow
def test_a_floating_coupler_moves_as_one_of_elements() -> None:
    """The spatial four-bar: point C, which without flexibility is 3.7 mm off."""
    t, options = np.linspace(0, 3, 151), {"h": 2e-3, "method": "generalized-alpha"}
    couplers = (
        {"kind": "dufva-3d", "form": "general"},
        {"coupler": "floating"},
        {"coupler": "rigid"},
    )
    elements, floating, rigid = (
        simulate(load("rscr_flexible", backend=SOONEST, layout="loop", **given), (0, 3), t_eval=t,
                 progress=False, **options)["C"]
        for given in couplers
    )  # fmt: skip
    assert worst(rigid, elements) > 3e-3
    assert worst(floating, elements) < 8e-4
