"""A beam that is spun up: against a geometrically exact one, and the eigenvalues of its element.

The references EL4 are series of Legendre polynomials, accurate to 1e-7 m. Published: the
frequencies of one element in units of EI/(m L^3) and EA/(m L), and the critical speed of linear
elasticity.
"""

import numpy as np
import pytest

from mbdgen import Result, modes, statics
from mbdgen.runtime.system import System
from tests.physics.running import run, system, worst
from tests.reference import load as reference

LENGTH, AREA, INERTIA, YOUNG, DENSITY = 8.0, 7.299e-5, 8.215e-9, 6.895e10, 2766.67
MASS = DENSITY * AREA * LENGTH


def rotating(speed: float = 4.0, **more: object) -> System:
    found = system("rotating_beam", layout="loop", backend="numba", second=True, **more)
    found.set(speed=speed)
    return found


def spun(elements: int, speed: float, **more: object) -> Result:
    t = reference(f"EL4_beam_spin_up_{speed:g}").t
    return run(rotating(speed, elements=elements, **more), t, 0.01, "generalized-alpha")


@pytest.mark.parametrize(("speed", "bound"), [(2.0, 3e-5), (4.0, 2e-4)])
def test_lag_and_stretch(speed: float, bound: float) -> None:
    """Eight elements: 1 % of the lag is asked for; the error of the mesh is a part of 2000."""
    expected = reference(f"EL4_beam_spin_up_{speed:g}")
    result = spun(8, speed)
    assert worst(result["tip.y"], expected["v_tip_rotating"]) < bound
    assert worst(result["tip.x"], expected["u_tip_rotating"]) < bound
    lag = expected["v_tip_rotating"].min()
    assert result["tip.y"].min() == pytest.approx(lag, rel=1e-3)


def test_the_rotating_frame_sees_the_same_motion() -> None:
    """Coriolis, Euler and centrifugal forces, against a root that is turned."""
    still, turned = spun(4, 4.0), spun(4, 4.0, frame="inertial")
    # Both are solved to 0.01 s, in coordinates that turn by up to 0.04 rad in a step.
    assert worst(still["tip"], turned["tip"]) < 1e-3
    assert np.abs(turned["tip.y"]).max() > 0.4


def test_meshes_converge() -> None:
    """Cubic elements: an error of the fourth order in their length, until steps matter."""
    expected = reference("EL4_beam_spin_up_2")["v_tip_rotating"]
    coarse, fine = (worst(spun(n, 2.0)["tip.y"], expected) for n in (2, 4))
    assert coarse > 8 * fine


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
