"""Natural frequencies along a motion, whatever method it is from."""

import numpy as np
import pytest

from mbdgen import Model, load, measures, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System


@pytest.fixture(scope="module")
def pendulum() -> System:
    """A point mass of 1 kg on a rod of 1 m, which begins at 60 degrees, at rest."""
    m = Model("swing", gravity=(0, -9.81, 0), coordinates="planar")
    rod = m.body("rod", mass=1, inertia=0.2, centre_of_mass=(1, 0), angle=-np.pi / 6)
    pin = m.revolute("pin", m.ground.at(), rod.at())
    m.output("angle", pin.angle)
    return load(m, second=True)


@pytest.mark.slow
def test_the_frequency_of_a_pendulum_follows_its_angle(pendulum: System) -> None:
    """``omega^2 = g cos(angle) / 1.2 m + angle_dot^2 / 2``.

    The last part belongs to the chart, ``s = (sin d + d) / sqrt(2)`` for a rod turned by ``d``:
    ``d_ddot`` contains ``s s_dot^2 / 4 sqrt(2)`` besides ``s_ddot / sqrt(2)``.
    """
    for method in ("rk4", "nullspace-newmark"):
        result = simulate(pendulum, (0, 0.5), method, 5e-3)
        found = measures.frequencies(pendulum, result)
        angle = result.q[:, 2] + np.pi / 2
        expected = np.sqrt(9.81 * np.cos(angle) / 1.2 + result.v[:, 2] ** 2 / 2)
        assert found.shape == result.t.shape
        assert np.allclose(found, expected, rtol=1e-6), method
    # The monitor of the method itself looks at iterates before the end of each step.
    assert result.measures["max_frequency"] == pytest.approx(found[1:].max(), rel=1e-3)


def test_step_limits() -> None:
    limits = measures.step_limits([2.0, 0.0], 1 / 12, 0.5)
    assert limits[0] == pytest.approx(np.sqrt(6) / 2) and np.isinf(limits[1])
    assert np.isinf(measures.step_limits([2.0], 0.25, 0.5)).all()


def test_systems_without_second_derivatives_are_refused() -> None:
    system = load("pendulum")
    with pytest.raises(OptionError, match="second=True"):
        measures.frequencies(system, simulate(system, (0, 0.01)))


def test_motions_of_other_mechanisms_are_refused(pendulum: System) -> None:
    other = load("pendulum")
    with pytest.raises(OptionError, match="not one of 'swing'"):
        measures.frequencies(pendulum, simulate(other, (0, 0.01)))
