"""A beam that is spun up: against a geometrically exact one, and the eigenvalues of its element.

The references EL4 are series of Legendre polynomials, accurate to 1e-7 m. Published: the
frequencies of one element in units of EI/(m L^3) and EA/(m L), and the critical speed of linear
elasticity.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from mbdgen import (
    Model,
    Result,
    general_section,
    load,
    material,
    modes,
    simulate,
    statics,
)
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST, run, system, worst
from tests.reference import FloatArray
from tests.reference import load as reference

LENGTH, AREA, INERTIA, YOUNG, DENSITY = 8.0, 7.299e-5, 8.215e-9, 6.895e10, 2766.67
MASS = DENSITY * AREA * LENGTH


def rotating(speed: float = 4.0, **more: object) -> System:
    found = system("rotating_beam", layout="loop", backend=SOONEST, second=True, **more)
    found.set(speed=speed)
    return found


def spun(elements: int, speed: float, **more: object) -> Result:
    t = reference(f"EL4_beam_spin_up_{speed:g}").t
    return run(rotating(speed, elements=elements, **more), t, 0.01, "generalized-alpha")


@pytest.mark.slow
@pytest.mark.representatives(id="4.0-0.0002")
@pytest.mark.parametrize(("speed", "bound"), [(2.0, 3e-5), (4.0, 2e-4)])
def test_lag_and_stretch(speed: float, bound: float) -> None:
    """Eight elements: 1 % of the lag is asked for; the error of the mesh is a part of 2000."""
    expected = reference(f"EL4_beam_spin_up_{speed:g}")
    result = spun(8, speed)
    assert worst(result["tip.y"], expected["v_tip_rotating"]) < bound
    assert worst(result["tip.x"], expected["u_tip_rotating"]) < bound
    lag = expected["v_tip_rotating"].min()
    assert result["tip.y"].min() == pytest.approx(lag, rel=1e-3)


@pytest.mark.slow
def test_the_rotating_frame_sees_the_same_motion() -> None:
    """Coriolis, Euler and centrifugal forces, against a root that is turned."""
    still, turned = spun(4, 4.0), spun(4, 4.0, frame="inertial")
    # Both are solved to 0.01 s, in coordinates that turn by up to 0.04 rad in a step.
    assert worst(still["tip"], turned["tip"]) < 1e-3
    assert np.abs(turned["tip.y"]).max() > 0.4


def test_what_is_known_along_a_steady_beam() -> None:
    """The tension carries what is outside; its energy is that of the stretch."""
    result, speed = spun(8, 2.0), 2.0
    tension = result.along("beam", "axial_force", t=20.0)
    exact = DENSITY * AREA * speed**2 * (LENGTH**2 - tension.s**2) / 2
    # The residual bending vibration of 1 mm swings the tension by Coriolis' force.
    assert worst(tension.values, exact) < 0.01 * exact.max()
    stretch = AREA * DENSITY**2 * speed**4 * LENGTH**5 / (15 * YOUNG)
    bending = result["energy.strain"][-1] - stretch
    assert 0.0 < bending < 3 * YOUNG * INERTIA / (2 * LENGTH**3) * result["tip.y"].min() ** 2
    assert np.abs(result["energy.balance"]).max() < 1e-4


@pytest.mark.slow
def test_meshes_converge() -> None:
    """Cubic elements: an error of the fourth order in their length, until steps matter."""
    expected = reference("EL4_beam_spin_up_2")["v_tip_rotating"]
    coarse, fine = (worst(spun(n, 2.0)["tip.y"], expected) for n in (2, 4))
    assert coarse > 8 * fine


@pytest.mark.slow
def test_modes_of_one_element() -> None:
    """The table of eigenvalues, to its printed digits."""
    found = modes(rotating(elements=1))
    bending = YOUNG * INERTIA / (MASS * LENGTH**3)
    axial = YOUNG * AREA / (MASS * LENGTH)
    published = (
        [12.4802, 1211.52] * np.array(bending),
        [2.46774, 23.3913, 109.141] * np.array(axial),
    )
    expected = np.sort(np.concatenate(published))
    assert np.sort(found.eigenvalues.imag**2) == pytest.approx(expected, rel=1e-5)
    assert found.eigenvalues.imag.min() == pytest.approx(2.92, abs=5e-3)


def test_steady_rotation_is_an_equilibrium_with_modes() -> None:
    """Stretch rho w^2 L^3/(3 E); the first frequency of a chain of exact beams, by shooting."""
    speed = 4.0
    beam = rotating(speed, elements=8)
    rest = statics(beam, 20.0)
    assert rest.outputs["tip.x"] == pytest.approx(
        DENSITY * speed**2 * LENGTH**3 / (3 * YOUNG), rel=1e-3
    )
    first = modes(beam, 20.0, at=rest.state).eigenvalues.imag.min()
    assert first == pytest.approx(first_frequency(speed), rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elements", "speed", "lag"),
    [(1, 2.0, -0.3427), (1, 4.0, None), (2, 4.0, -0.2379), (4, 4.0, -0.3365), (2, 8.0, None),
     pytest.param(4, 8.0, -0.4879, marks=pytest.mark.slow),
     pytest.param(8, 8.0, -0.7419, marks=pytest.mark.slow)],
)  # fmt: skip
def test_linear_elasticity_has_a_critical_speed(
    elements: int, speed: float, lag: float | None
) -> None:
    """Stable below 2.92 rad/s for one element, higher for more of them; the published pattern."""
    beam = rotating(speed, elements=elements, kind="euler-tangent")
    result = simulate(beam, (0, 20), h=0.01, method="generalized-alpha", progress=False)
    least = result["tip.y"].min()
    if lag is None:
        assert not result.success or least < -5.0
    else:
        assert result.success and least == pytest.approx(lag, rel=5e-3)


ANGLES = (0.0, 1.0, 5.0, 15.0, 45.0, 90.0)
CRITICAL = {
    2: (0.9957, 1.6124, 2.6621, 2.8047, 2.9684, 3.3489),
    3: (0.9954, 1.5047, 3.6185, 4.3909, 4.7307, 5.2821),
    4: (0.9953, 1.3679, 3.7249, 5.5860, 6.3323, 7.0985),
}
"""Critical speeds over that of one element, for a tangent in the middle turned by so many degrees;
elements are turned as on a circle."""


@pytest.mark.slow
def test_critical_speeds_of_bent_beams() -> None:
    """From the stiffness and mass of our straight element, turned and put together by hand."""
    single = critical([0.0], *matrices(1))
    assert single == pytest.approx(2.92, abs=5e-3)
    for elements, expected in CRITICAL.items():
        K, M = matrices(elements)
        for angle, ratio in zip(ANGLES, expected, strict=True):
            turns = 2 * np.radians(angle) * np.arange(elements) / elements
            assert critical(turns, K, M) / single == pytest.approx(ratio, abs=6e-5)


def matrices(elements: int) -> tuple[FloatArray, FloatArray]:
    """Stiffness and mass of one of so many elements, by what the generated module says."""
    m = Model("free", gravity=(0, 0, 0))
    m.beam(
        "beam",
        points=[(0, 0), (LENGTH / elements, 0)],
        section=general_section(area=AREA, iz=8.214e-9),
        material=material(young=YOUNG, density=2767),
        elements=1,
        kind="euler-tangent",
    )
    free = load(m, layout="loop", backend=SOONEST)
    zero = np.zeros(free.n_q)
    K, M = (
        free.matrix(0.0, free.q0, zero, zero, np.zeros(0), weights).toarray()
        for weights in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    )
    return K, M


def critical(turns: Sequence[float] | FloatArray, K: FloatArray, M: FloatArray) -> float:
    """Where ``K - omega^2 M`` of the clamped beam becomes singular."""
    n = 4 * len(turns) + 4
    whole = np.zeros((2, n, n))
    for k, angle in enumerate(turns):
        c, s = np.cos(angle), np.sin(angle)
        R = np.kron(np.eye(4), [[c, -s], [s, c]])
        at = slice(4 * k, 4 * k + 8)
        whole[:, at, at] += [R @ K @ R.T, M]
    kept = [k for k in range(n) if k not in (0, 1, 3)]
    stiffness, mass = (x[np.ix_(kept, kept)] for x in whole)
    return float(np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.min()))


def first_frequency(speed: float) -> float:
    """Return that of an inextensible rotating beam that bends in its plane, by Ritz.

    EI w'''' - (T w')' - rho A speed^2 w = rho A omega^2 w with T = rho A speed^2 (L^2 - x^2)/2.
    """
    points, weights = np.polynomial.legendre.leggauss(40)
    x, dx = (points + 1) / 2 * LENGTH, weights / 2 * LENGTH
    powers = [np.polynomial.Polynomial([0, 1 / LENGTH]) ** k for k in range(2, 11)]
    w, slope, bend = ([p.deriv(k)(x) for p in powers] for k in (0, 1, 2))
    tension = DENSITY * AREA * speed**2 * (LENGTH**2 - x**2) / 2
    mass = DENSITY * AREA * np.einsum("ik,jk,k", w, w, dx)
    stiffness = YOUNG * INERTIA * np.einsum("ik,jk,k", bend, bend, dx)
    stiffness += np.einsum("ik,jk,k", slope, slope, tension * dx) - speed**2 * mass
    return float(np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.min()))
