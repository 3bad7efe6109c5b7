"""Linear models against closed forms: rest, steady motion, drivers, loads, frequency response."""

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg

from mbdgen import Model, frequency_response, linearise, load, modes, root_locus, simulate
from mbdgen.errors import OptionError
from mbdgen.language.bodies.orientation import axis_angle

G = 9.81


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("coordinates", ["planar", "natural", "quaternion"])
def test_double_pendulum(coordinates: str) -> None:
    """Two uniform rods of length and mass 1: ``M x'' + K x = 0`` in absolute angles."""
    hanging = {"angle1": -np.pi / 2, "angle2": -np.pi / 2}
    system = load("double_pendulum", layout="loop", coordinates=coordinates, **hanging)
    M = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]])
    wanted = np.sqrt(scipy.linalg.eigh(np.diag([1.5 * G, 0.5 * G]), M, eigvals_only=True))
    found = modes(system)
    np.testing.assert_allclose(found.eigenvalues, 1j * wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.damping_ratio, 0.0, atol=1e-9)
    # A shape moves along the constraints, and the rods have ratios of angles of the pencil.
    jacobian = system.jacobian(0.0, found.linear.at.q)
    assert np.abs(jacobian @ found.shapes.T).max() < 1e-9
    assert np.abs(found.shapes).max(axis=1) == pytest.approx(1.0)


def links(n: int, stiffness: float) -> Model:
    """A beam of n rigid links of length 1/n without weight, clamped at one end by a spring."""
    m = Model("beam", gravity=(0, 0, 0), coordinates="planar")
    length, mass, before = 1 / n, 1 / n, m.ground
    for k in range(n):
        link = m.body(f"link{k}", mass, mass * length**2 / 12, position=((k + 0.5) * length, 0))
        at = (k * length, 0, 0)
        m.revolute(f"J{k}", before, link, at=at, axis=(0, 0, 1))
        # Half a link lies between clamp and first centre, so the first spring is twice as stiff.
        local = stiffness * n * (2 if k == 0 else 1)
        m.torsion_spring(f"S{k}", before, link, at=at, axis=(0, 0, 1), stiffness=local)
        before = link
    return m


def test_beam_of_links() -> None:
    """The pencil of the links in absolute angles, and near the beam of Euler and Bernoulli."""
    n, length = 10, 0.1
    levers = np.tril(np.full((n, n), length), -1) + np.diag(np.full(n, length / 2))
    M = levers.T @ levers / n + np.eye(n) * length**2 / (12 * n)
    bends = np.eye(n) - np.eye(n, k=-1)
    K = bends.T @ np.diag([20.0] + [10.0] * (n - 1)) @ bends
    wanted = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True))
    found = modes(load(links(n, 1.0), layout="loop"))
    np.testing.assert_allclose(found.eigenvalues.imag, wanted, rtol=1e-8)
    # sqrt(EI / m) = 1: roots of cos b cosh b = -1, squared; discretisation errs by 1/n^2.
    np.testing.assert_allclose(found.eigenvalues.imag[:2], (1.8751041**2, 4.6940911**2), rtol=0.02)


def test_nutation_of_a_conical_pendulum() -> None:
    """A steady motion in quaternions; the closed form has cyclic angles eliminated (Routh)."""
    m, w, I1, I3 = Model("conical", gravity=(0, 0, -G)), 5.0, 0.01, 0.005
    A = 2.0 + I1  # mass 2 at distance 1
    tilt = np.arccos(2 * G / (w * w * (A - I3)))
    s, c = np.sin(tilt), np.cos(tilt)
    ball = m.body(
        "ball", 2.0, (I1, I1, I3), position=(s, 0, -c), velocity=(0, w * s, 0),
        angular_velocity=(0, 0, w), orientation=axis_angle((0, 1, 0), -tilt),
    )  # fmt: skip
    m.spherical("J", m.ground, ball, at=(0, 0, 0))
    found = modes(load(m, layout="loop", second=True))
    # V(theta) = (a - b cos)^2 / (2 A sin^2) - m g cos, with a, b the momenta; u = w sin.
    b = I3 * w * c
    a = A * s * s * w + b * c
    h = 1e-3

    def V(x: float) -> float:
        return float((a - b * np.cos(x)) ** 2 / (2 * A * np.sin(x) ** 2) - 2 * G * np.cos(x))

    second = (V(tilt + h) - 2 * V(tilt) + V(tilt - h)) / h**2  # to h^2
    # The two cyclic angles have zero eigenvalues, double ones: the root of rounding errors.
    assert np.abs(found.eigenvalues[:-1]).max() < 1e-4
    assert found.eigenvalues[-1].imag == pytest.approx(np.sqrt(second / A), rel=1e-5)
    assert abs(found.eigenvalues[-1].real) < 1e-8


@pytest.mark.slow
def test_spinning_rotor_at_any_turn() -> None:
    """Gyroscopic stiffening must not depend on how far the rotor has turned."""
    m = Model("rotor", gravity=(0, 0, 0))
    frame = m.body("frame", 1.0, (1.0, 1.0, 1.0))
    m.universal("U", m.ground, frame, at=(0, 0, 0), axis_a=(1, 0, 0), axis_b=(0, 0, 1))
    m.torsion_spring("s", m.ground, frame, at=(0, 0, 0), axis=(1, 0, 0), stiffness=3)
    rotor = m.body("rotor", 1.0, (0.3, 0.5, 0.3), angular_velocity=(0, 7, 0))
    m.revolute("R", frame, rotor, at=(0, 0, 0), axis=(0, 1, 0))
    system = load(m, layout="loop", second=True)
    wanted = np.sqrt((3 + 3.5**2 / 1.3) / 1.3)  # x'' = -(3 x + H^2 x / I) / I, H = 3.5
    assert modes(system).eigenvalues[-1] == pytest.approx(1j * wanted, rel=1e-9)
    motion = simulate(system, (0, 0.3), h=1e-3, method="dopri5")
    system.q0[:], system.v0[:] = motion.q[-1], motion.v[-1]
    assert modes(system).eigenvalues[-1] == pytest.approx(1j * wanted, rel=1e-6)


def oscillator(damping: float = 0.3) -> Model:
    m = Model("oscillator", gravity=(0, 0, 0))
    mass = m.point_mass("mass", 2.0)
    m.point_on_line("rail", m.ground, mass, axis=(1, 0, 0))
    k, push = m.parameter("k", 8.0), m.parameter("push", 0.0)
    m.spring("s", m.ground.at(-1, 0, 0), mass.at(), stiffness=k, length=1, damping=damping)
    m.force("f", mass.at(), force=(push, 0, 0))
    return m


@pytest.mark.slow
def test_frequency_response(tmp_path: Path) -> None:
    system = load(oscillator(), layout="loop", sensitivities=True)
    linear = linearise(system, inputs=["push"], outputs=["mass.x"])
    w = np.geomspace(0.1, 30, 40)
    found = frequency_response(linear, w)
    wanted = 1 / (8 - 2 * w**2 + 0.3j * w)
    np.testing.assert_allclose(found.of("mass.x", "push"), wanted, rtol=1e-11)
    found.save_plot("mass.x", "push", tmp_path / "bode.png")
    assert (tmp_path / "bode.png").stat().st_size > 1000
    with pytest.raises(OptionError, match="no 'pull'"):
        found.of("mass.x", "pull")


def test_accelerations_and_reactions_have_direct_parts() -> None:
    system = load(oscillator(), layout="loop", sensitivities=True)
    linear = linearise(system, inputs=["push"], outputs=["mass.x.ddot", "mass.x.dot"])
    np.testing.assert_allclose(linear.D, [[0.5], [0.0]], atol=1e-12)
    np.testing.assert_allclose(linear.C, [[-4.0, -0.15], [0.0, 1.0]], atol=1e-12)


def test_root_locus() -> None:
    values = np.linspace(1.0, 20.0, 12)
    found = root_locus(load(oscillator(0.0), layout="loop"), "k", values)
    np.testing.assert_allclose(np.abs(found.imag), np.sqrt(values / 2)[:, None].repeat(2, 1))
    assert (np.diff(np.sign(found.imag), axis=0) == 0).all()


def test_driver_as_input() -> None:
    """A pendulum on a driven slide: ``J x'' + m g l x = -m l y''``; the slide moves anyway."""
    m = Model("driven_slide", gravity=(0, -G, 0), coordinates="planar")
    slide = m.body("slide", mass=1, inertia=1)
    rod = m.body("rod", mass=2, inertia=0.1, position=(0, -0.5))
    m.prismatic("rail", m.ground, slide, axis=(1, 0, 0))
    m.translation_driver("motor", m.ground, slide, axis=(1, 0, 0), distance=0.4 * m.t)
    m.revolute("pin", slide.at(), rod.at(0, 0.5))
    system = load(m, layout="loop", second=True)
    system.v0[:] = 0.4, 0, 0, 0.4, 0, 0
    linear = linearise(system, inputs=["motor"], outputs=["rod.theta"])
    assert linear.inputs == ("motor.ddot",) and linear.states[-2:] == ("motor", "motor.dot")
    w = np.array([0.5, 2.0, 7.0])
    J, mgl, ml = 0.1 + 2 * 0.25, 2 * G * 0.5, 2 * 0.5
    wanted = -ml / (mgl - J * w**2)
    found = frequency_response(linear, w).of("rod.theta", "motor.ddot")
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def shaken() -> Model:
    """A pendulum whose pin is at the parameter s of a line; J x'' + m g l x = -m l s''."""
    m = Model("shaken", gravity=(0, -G, 0), coordinates="planar")
    s = m.parameter("s", 0.3)
    rod = m.body("rod", mass=2, inertia=0.1, position=(s, -0.5))
    pin = m.revolute("pin", m.ground.at(s, 0), rod.at(0, 0.5))
    m.output("tip", rod.at(0, -0.5))
    m.output("reach", rod.at(s, -0.5))
    m.output("force", pin.force)
    return m


def test_length_as_input() -> None:
    """A parameter in the constraints moves with its rates; outputs of the model may contain it."""
    system = load(shaken(), layout="loop", sensitivities=True)
    names = ("tip.x", "reach.x", "reach.y", "force.x", "force.y")
    linear = linearise(system, inputs=["s"], outputs=names)
    assert linear.inputs == ("s.ddot",)
    assert [name.rpartition(".")[2] for name in linear.states[-2:]] == ["s", "dot"]
    w = np.array([0.5, 2.0, 7.0])
    J, mgl, ml = 0.1 + 2 * 0.25, 2 * G * 0.5, 2 * 0.5
    angle, s = -ml / (mgl - J * w**2), -1 / w**2
    found = frequency_response(linear, w)
    wanted = {
        "tip.x": s + angle,
        "reach.x": 2 * s + angle,  # in the rod's axes, so that it also sways up and down
        "reach.y": 0.3 * angle,
        "force.x": 2 * (1.0 - 0.5 * w**2 * angle),  # carries the mass: m (s'' + l x'')
        "force.y": 0.0 * w,
    }
    for name, value in wanted.items():
        np.testing.assert_allclose(found.of(name, "s.ddot"), value, rtol=1e-9, atol=1e-11)


def test_columns_and_rows_stand_in_the_order_asked_for() -> None:
    """What enters the constraints and what does not may alternate; rows of outputs likewise."""
    system = load(shaken(), layout="loop", sensitivities=True)
    inputs, outputs = ["rod: moment z", "s", "rod: force x"], ["force.y", "tip.x", "rod.theta"]
    both = linearise(system, inputs=inputs, outputs=outputs)
    assert both.inputs == ("rod: moment z", "s.ddot", "rod: force x")
    assert both.outputs == tuple(outputs)
    for k, name in enumerate(inputs):
        one = linearise(system, inputs=[name, "s"] if name != "s" else ["s"], outputs=outputs[::-1])
        np.testing.assert_array_equal(both.B[:, k], one.B[:, 0])
        np.testing.assert_array_equal(both.D[:, k], one.D[::-1, 0])
        np.testing.assert_array_equal(both.C, one.C[::-1])


@pytest.mark.slow
def test_output_of_the_model_moves_as_it_does() -> None:
    """The tip of the second rod: ``dx = L1 da1 + L2 da2`` below, whatever the coordinates."""
    hanging = {"angle1": -np.pi / 2, "angle2": -np.pi / 2}
    for coordinates in ("planar", "quaternion"):
        system = load(
            "double_pendulum", layout="loop", coordinates=coordinates, sensitivities=True, **hanging
        )
        found = modes(system, outputs=["tip2"])
        linear, rest, h = found.linear, np.zeros(system.n_q), 1e-4
        assert linear.outputs[:2] == ("tip2.x", "tip2.y")
        for k in range(len(found)):
            ahead, behind = (
                system.outputs(0.0, found.displaced(k, a), rest, rest, linear.at.lam)
                for a in (h, -h)
            )
            place = [system.names.outputs.index(name) for name in linear.outputs]
            slope = (ahead - behind)[place] / (2 * h)  # to h^2
            np.testing.assert_allclose(found.output_shapes[k].real, slope, atol=1e-7)
        assert np.abs(found.output_shapes[:, 0]).min() > 0.1


def test_length_that_others_contradict() -> None:
    m = Model("two_rods", gravity=(0, -G, 0), coordinates="planar")
    L, beam = m.parameter("L", 1.0), m.body("beam", 1.0, 0.1, position=(1.0, -1.0))
    for k, length in enumerate((L, 1.0, 1.0)):
        m.distance(f"rod{k}", m.ground.at(k), beam.at(k - 1.0), length=length)
    system = load(m, layout="loop", sensitivities=True)
    with pytest.raises(OptionError, match=r"'L' cannot change in 'two_rods'.*'rod"):
        linearise(system, inputs=["L"])


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        (["pull"], [], "has no input 'pull'"),
        (["pushh"], [], "has no input 'pushh'.*Did you mean 'push'"),
        (["mass: force along x", "mass: force along x"], [], "input .* is named twice"),
        ([], ["mass.x", "mass.y", "mass.x"], "output 'mass.x' is named twice"),
        ([], ["mass", "mass.x"], "output 'mass.x' is named twice"),
        ([], ["energy.kinetic"], "cannot be an output"),
        ([], ["mas.x"], "nothing called 'mas.x'"),
        (["k"], [], "sensitivities=True"),
    ],
)
def test_mistakes(inputs: list[str], outputs: list[str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        linearise(load(oscillator(), layout="loop"), inputs=inputs, outputs=outputs)


def test_outputs_need_variations() -> None:
    system = load(shaken(), layout="loop")
    with pytest.raises(OptionError, match=r"An output of the model.*sensitivities=True"):
        linearise(system, outputs=["tip.x"])
