"""Consistent initial values, counts, dependent constraints and what cannot be assembled."""

import numpy as np
import pytest

from mbdgen.errors import AssemblyError, OptionError, SingularSystemError
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import check_motion, diagnose
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system import System
from tests.handwritten.kernels_pendulum import pendulum
from tests.handwritten.kernels_planar import chain, four_bars, planar

BAR = {"masses": [1.0], "inertias": [1.0 / 12.0]}
PIN = (-1, 0, (0.0, 0.0), (-0.5, 0.0))


def violations(system: System) -> tuple[float, float, float, float]:
    state = assemble(system)
    t, q, v, a, lam = 0.0, *state[1:]
    rows = system.work.rows
    residual = system.residual(t, q, v, a, lam)
    phi_dot, phi_ddot = system.rates(t, q, v, a)
    sizes = (residual[rows], phi_dot[rows], phi_ddot[rows], np.delete(residual, rows))
    return tuple(float(np.abs(x).max()) for x in sizes)


@pytest.mark.parametrize("guess", [(-1.0, 0.0), (-0.9, 0.2), (-3.0, 1.0), (1e-3, 1e-3)])
def test_pendulum_is_assembled(guess: tuple[float, float]) -> None:
    assert max(violations(pendulum(*guess, vx=0.3, vy=1.0))) < 1e-10


def test_smallest_change_of_position_and_velocity() -> None:
    state = assemble(pendulum(-0.6, -1.2, vx=2.0, vy=0.0))
    normal = np.array([-0.6, -1.2]) / np.hypot(0.6, 1.2)
    assert state.q == pytest.approx(normal, abs=1e-12)
    assert state.v == pytest.approx(np.array([2.0, 0.0]) - normal * (normal[0] * 2.0))


def test_fixed_coordinate_and_velocity_stay() -> None:
    state = assemble(pendulum(-0.6, -0.1, 0.0, 0.5, fixed=(True, False)))
    assert state.q == pytest.approx([-0.6, -0.8])
    state = assemble(pendulum(-0.6, -0.8, 1.0, 0.5, fixed_velocity=(True, False)))
    assert state.v == pytest.approx([1.0, -0.75])


def test_velocities_that_cannot_be_held() -> None:
    with pytest.raises(AssemblyError, match=r"held of 'ball' contradict.*'rod' is violated by 1"):
        assemble(pendulum(-1.0, 0.0, 1.0, 1.0, fixed_velocity=(True, True)))


def test_four_bars_from_a_bad_guess() -> None:
    system = four_bars(redundant=True)
    system.q0 += np.random.default_rng(1).uniform(-0.2, 0.2, system.n_q)
    assert max(violations(system)) < 1e-9


def test_impossible_assembly_names_the_joint() -> None:
    with pytest.raises(AssemblyError, match=r"'rod'.*\. Correct"):
        assemble(pendulum(-2.0, 0.0, fixed=(True, True)))
    far = (-1, 0, (3.0, 0.0), (0.5, 0.0))
    system = planar([0.5, 0.0, 0.0], np.zeros(3), joints=[PIN, far], **BAR)
    with pytest.raises(AssemblyError, match=r"'j[01]' is violated by 1"):
        assemble(system)


def test_over_constrained() -> None:
    fixed = [PIN, (-1, 0, (1.0, 0.0), (0.5, 0.0))]
    system = planar([0.5, 0.0, 0.0], np.zeros(3), joints=fixed, **BAR)
    state = assemble(system)
    diagnosis = diagnose(system, 0.0, state.q)
    assert (diagnosis.dof, diagnosis.count, diagnosis.redundant) == (0, -1, 1)
    with pytest.raises(AssemblyError, match="over-constrained: 0 DOF"):
        check_motion(system, diagnosis)
    with pytest.raises(AssemblyError, match="over-constrained"):
        simulate(system, (0.0, 1.0))


def test_singular_mass_matrix_names_the_coordinate() -> None:
    system = planar([0.5, 0.0, 0.0], np.zeros(3), [1.0], [0.0], [(-1, 0, (0.5, 0.0), (0.0, 0.0))])
    with pytest.raises(SingularSystemError, match=r"b0\.theta"):
        assemble(system)
    with pytest.raises(SingularSystemError, match=r"b0\.theta"):
        simulate(system, (0.0, 1.0))
    # A point mass on a rod has no inertia of its own, but the rod gives it some.
    held = planar([0.5, 0.0, 0.0], np.zeros(3), [1.0], [0.0], [PIN])
    assert simulate(held, (0.0, 1.0), h=1e-2).success


def test_dependent_joint_is_named() -> None:
    system = four_bars(redundant=True)
    diagnosis = diagnose(system, 0.0, assemble(system).q)
    assert (diagnosis.n_q, diagnosis.n_phi, diagnosis.rank) == (15, 16, 14)
    assert [item.owner for item in diagnosis.dependencies] == ["j7", "j7"]
    assert {item.partners for item in diagnosis.dependencies} == {("j6",)}
    assert diagnosis.messages() == [
        "2 equations of 'j7' follow from those of 'j6' (rank 14 of 16 at t=0)"
    ]


def test_units_do_not_change_the_rank() -> None:
    for scale in (1e-4, 1.0, 1e4):
        joints = [
            (-1, 0, (0.0, 0.0), (-0.5 * scale, 0.0)),
            (0, 1, (0.5 * scale, 0.0), (-0.5 * scale, 0.0)),
        ]
        q0 = np.array([0.5 * scale, 0, 0, 1.5 * scale, 0, 0])
        system = planar(q0, np.zeros(6), [1.0] * 2, [scale**2] * 2, joints)
        assert diagnose(system, 0.0, q0).dof == 2


def test_large_systems_use_the_sparse_way() -> None:
    system = chain(600)
    doubled = planar(
        system.q0,
        system.v0,
        [1.0] * 600,
        [1.0 / 12.0] * 600,
        [
            *((i - 1, i, (0.5 if i else 0.0, 0.0), (-0.5, 0.0)) for i in range(600)),
            (-1, 0, (0.0, 0.0), (-0.5, 0.0)),
        ],
    )
    assert diagnose(system, 0.0, system.q0).dof == 600
    diagnosis = diagnose(doubled, 0.0, doubled.q0)
    assert diagnosis.dof == 600 and diagnosis.redundant == 2
    assert {item.owner for item in diagnosis.dependencies} <= {"j0", "j600"}
    assert max(violations(doubled)) < 1e-9


def test_not_a_number_at_the_start() -> None:
    with pytest.raises(AssemblyError, match="not finite"):
        assemble(pendulum(float("nan"), 0.0))


def test_parameters() -> None:
    system = pendulum()
    assert system.parameters == {"L": 1.0, "m": 1.0}
    system.set(L=2.0)
    assert system.parameters["L"] == 2.0
    assert assemble(system).q == pytest.approx([-2.0, 0.0])
    with pytest.raises(OptionError, match=r"no parameter 'l'.*Did you mean 'L'"):
        system.set(l=1.0)
    for bad in (float("nan"), float("inf"), "x", None):
        with pytest.raises(OptionError, match="'L'"):
            system.set(m=3.0, L=bad)
    assert system.parameters == {"L": 2.0, "m": 1.0}


def test_kernels_from_python() -> None:
    system = pendulum(-0.6, -0.8)
    q, v, a, lam = system.q0, np.array([0.8, -0.6]), np.array([1.0, 2.0]), np.array([3.0])
    assert system.residual(0.0, q, v, a, lam) == pytest.approx([2.8, 2.0 + 9.81 + 2.4, 0.0])
    matrix = system.matrix(0.0, q, v, a, lam, (0.0, 0.0, 1.0)).toarray()
    assert matrix == pytest.approx(np.array([[1, 0, 0.6], [0, 1, 0.8], [-0.6, -0.8, 0]]))
    step = 1e-30
    weights = system.matrix(0.0, q, v, a, lam, (0.5, 0.0, 0.0)).toarray()
    assert weights[0, 0] == pytest.approx(-0.5 * 3.0) and step > 0.0
    assert system.energies(0.0, q, v, a, lam) == pytest.approx([0.5, -0.8 * 9.81, 0.0])
    assert system.outputs(0.0, q, v, a, lam)[1] == -3.0
    with pytest.raises(OptionError, match="lengths"):
        system.residual(0.0, q, v, a, np.zeros(2))
