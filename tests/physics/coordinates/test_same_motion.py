"""The same mechanism in planar, natural and quaternion coordinates, and in a mixture, moves alike.

Bodies in space on parallel hinges have redundant constraints, planar ones have none. All are run
with the method of order 4, where the coordinates make a difference of round-off size only; Newmark
discretises the coordinates themselves, so there the difference is its error and falls as one.
"""

import numpy as np
import pytest

from tests.handwritten import double_pendulum, pendulum, slider_crank
from tests.physics.running import columns, run, system, worst

KINDS = ("planar", "natural", "quaternion")
SOON = (*KINDS[:2], pytest.param(KINDS[2], marks=pytest.mark.slow))
MIXED = (
    ("natural", "planar", "quaternion"),
    ("quaternion", "natural", "planar"),
    ("planar", "quaternion", "natural"),
)


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("kind", KINDS)
def test_compound_pendulum(kind: str) -> None:
    t = np.linspace(0.0, 3.0, 31)
    motion = pendulum.solve(pendulum.Pendulum.rod(2.0, 1.3), t, a0=0.4)
    result = run(system("compound_pendulum", kind=kind), t, 1e-3, "rk4")
    assert worst(result["angle"], motion.q[:, 0]) <= 1e-8
    assert result.info.dof == 1


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("kind", KINDS)
def test_double_pendulum(kind: str) -> None:
    t = np.linspace(0.0, 2.0, 21)
    start = {"angle1": 0.4, "angle2": -0.2, "w1": 0.5, "w2": -1.0}
    mechanism = system("double_pendulum", coordinates=kind, **start)
    motion = double_pendulum.solve(double_pendulum.rods(), t, (0.4, -0.2), (0.5, -1.0))
    result = run(mechanism, t, 1e-3, "rk4")
    assert worst(columns(result, ("angle1", "angle2")), motion.q) <= 1e-8
    assert result.info.dof == 2


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("kind", SOON)
def test_slider_crank(kind: str) -> None:
    t = np.linspace(0.0, 1.0, 21)
    mechanism = system("slider_crank", coordinates=kind, angle=1.0, speed=2.0)
    par = slider_crank.SliderCrank(r=0.3, l=0.6, m3=1.0, J1=0.3**2 / 12, J2=0.6**2 / 12, tau=0.2)
    motion = slider_crank.solve(par, t, a0=1.0, w0=2.0)
    result = run(mechanism, t, 1e-3, "rk4")
    assert worst(result["angle"], motion.q[:, 0]) <= 1e-8
    assert worst(result["slider"], slider_crank.slider(par, motion.q, motion.v)[0]) <= 1e-8
    assert result.info.dof == 1


GENERAL = {
    "lengths": (0.8, 2.0, 1.6),
    "masses": (1.5, 3.0, 2.4),
    "base": 2.2,
    "angles": (np.pi / 3, 0.470735398933653, 1.58175280219309),
    "spring": ("BD", 200.0, 1.5, 4.0),
}
SERIES = ("AB", "BC", "DC", "AB_rate", "C", "C_velocity", "energy.total")


@pytest.mark.slow
@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(kinds, marks=[pytest.mark.slow] if "quaternion" in kinds else [])
        for kinds in (*KINDS[1:], *MIXED)
    ],
    ids=str,
)
def test_four_bar_with_spring_and_damper(kinds: str | tuple[str, ...]) -> None:
    t = np.linspace(0.0, 1.0, 21)
    planar, other = system("four_bar", **GENERAL), system("four_bar", **GENERAL, kinds=kinds)
    exact = run(planar, t, 5e-4, "rk4")
    same = run(other, t, 5e-4, "rk4")
    assert worst(columns(same, SERIES), columns(exact, SERIES)) <= 1e-8
    assert same.info.dof == exact.info.dof == 1
    errors = [
        worst(columns(run(other, t, h), SERIES), columns(exact, SERIES)) for h in (2e-3, 1e-3)
    ]
    assert errors[0] <= 0.05 and errors[1] == pytest.approx(errors[0] / 4, rel=0.1), errors


def test_reactions_do_not_depend_on_the_coordinates() -> None:
    t = np.linspace(0.0, 1.0, 11)
    forces = [run(system("compound_pendulum", kind=k), t, 1e-3, "rk4")["force"] for k in KINDS]
    assert np.ptp(forces[0]) > 1.0
    for other in forces[1:]:
        assert worst(other, forces[0]) <= 1e-6
