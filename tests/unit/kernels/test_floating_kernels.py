"""Flexible bodies in floating frames: derivatives, energy, reactions and what acts on nodes."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, general_section, material
from mbdgen.language.markers.marker import Marker
from tests.frames_of_beams import frame_of
from tests.unit.kernels.element import (
    STEP,
    ElementCase,
    check_derivatives,
    check_power,
    check_reactions,
    close,
)

SECTION, STEEL = general_section(1e-2, 2e-5), material(3e3, 70.0, damping=0.1)
HIGHEST = {"space": 3.0, "space central": 11.0, "space stiffened": 3.0}
"""Hz; two modes are below."""
KINDS = ("plane", "plane central", "plane stiffened", "space", "space central", "space beam")


def flexible(model: Model, kind: str, name: str = "flexible") -> tuple[Marker, Marker]:
    """Add a body of four modes at most; return the places at its ends."""
    if kind.startswith("plane"):
        frame, stiffened = "mean" if "central" in kind else "tangent", "stiffened" in kind
        beam = model.floating_beam(
            name, [(0.2, 0.1), (1.1, 0.6)], SECTION, STEEL,
            modes=(2, 1), frame=frame, stiffened=stiffened, damping=0.02,
        )  # fmt: skip
        return beam.start, beam.at(0.7 * beam.length, 0.1)
    if "beam" in kind:
        beam = model.floating_beam(
            name, [(0.2, 0.1, 0.3), (1.1, 0.6, -0.2)], SECTION, STEEL, modes=(1, 1, 1, 1),
            stiffened="stiffened" in kind, damping=0.02,
        )  # fmt: skip
        return beam.start, beam.at(0.7 * beam.length, 0.1, -0.05)
    nodes = np.array([[0, 0, 0], [0.5, 0, 0], [0.5, 0.4, 0], [0.5, 0.4, 0.3]])
    size = {"area": 1e-2, "iz": 2e-5, "iy": 1e-5, "torsion": 3e-5, "young": 3e5, "density": 70.0}
    mass, stiffness = frame_of(nodes, [(0, 1), (1, 2), (2, 3)], **size)
    body = model.flexible_body(
        name, mass=mass, stiffness=stiffness, nodes=nodes, interface=[0, 3], modes=0,
        frame="mean" if "central" in kind else 0, highest=HIGHEST[kind], damping=0.02,
        stiffened=range(4) if "stiffened" in kind else None,
    )  # fmt: skip
    return body.node(0), body.node(3)


def case(kind: str, add: Any = None) -> ElementCase:
    model = Model("one", gravity=(0.3, -9.81, 0.5) if kind.startswith("space") else (0.3, -9.81))
    ends = flexible(model, kind)
    if add is None:
        return ElementCase(model, "flexible")
    add(model, *ends)
    return ElementCase(model, "it")


each = pytest.mark.parametrize(
    "kind",
    [
        *KINDS,
        "space beam stiffened",
        pytest.param("space stiffened", marks=pytest.mark.slow),
    ],
)


@pytest.mark.representatives(id="plane stiffened")
@each
def test_derivatives(kind: str) -> None:
    e = case(kind)
    check_derivatives(e, e.random_state(np.random.default_rng(1)))


@pytest.mark.representatives(
    id=["plane", "plane central", "plane stiffened", "space", "space central"]
)
@each
def test_power_of_inertia_strain_and_damping_is_the_rate_of_the_energy(kind: str) -> None:
    e = case(kind)
    s = e.proper_state(np.random.default_rng(3))
    power = float(e.residual(s).real[e.dynamics, 0] @ e.twist(s))
    kinetic, potential, work = e.energies(s.moved(t=1, q=s.v, v=s.a))[:, 0]
    rate = (kinetic.imag + potential.imag) / STEP
    assert work.real < 0
    close(np.array(power), np.array(rate - work.real), "dE/dt", 1e-12)


@each
def test_mass_is_symmetric_in_virtual_displacements(kind: str) -> None:
    e = case(kind)
    s = e.proper_state(np.random.default_rng(4))
    mass = e.matrix(s, (0, 0, 1))[np.ix_(e.dynamics, range(e.n_q))] @ e.rates_from_twist(s.q)
    close(mass, mass.T, "mass")
    small = e.proper_state(np.random.default_rng(4))
    small.q[: e.kinds[0].deformations] *= 1e-3
    mass = e.matrix(small, (0, 0, 1))[np.ix_(e.dynamics, range(e.n_q))]
    mass = mass @ e.rates_from_twist(small.q)
    assert np.linalg.eigvalsh((mass + mass.T) / 2).min() > 0


@pytest.mark.representatives(id=["revolute-plane", "revolute-plane central"])
@each
@pytest.mark.parametrize("joint", ["revolute", pytest.param("fixed", marks=pytest.mark.slow)])
def test_reactions_do_no_work(kind: str, joint: str) -> None:
    def add(model: Model, a: Marker, b: Marker) -> None:
        other = flexible(model, kind, "other")[0]
        getattr(model, joint)("it", b, other)

    e = case(kind, add)
    s = e.proper_state(np.random.default_rng(5))
    check_derivatives(e, s)
    check_reactions(e, s)
    check_power(e, s)


@pytest.mark.representatives(kind=["plane", "space"])
@each
def test_torques_turn_nodes(kind: str) -> None:
    """The power of a torque is its product with the angular velocity of the node's axes."""

    def add(model: Model, a: Marker, b: Marker) -> None:
        torque = (0, 0, 0.8) if kind.startswith("plane") else (0.3, -0.5, 0.8)
        model.torque("it", b, torque=torque)

    e = case(kind, add)
    s = e.proper_state(np.random.default_rng(6))
    work = -float(e.residual(s).real[e.dynamics, 0] @ e.twist(s))
    close(np.array(work), np.array(e.energies(s)[2, 0].real), "power of a torque")
    axes = outputs(kind)
    moved = axes.values("outputs", axes_state(axes, s).moved(q=s.v))
    now, rate = moved.real.reshape(3, 3), moved.imag.reshape(3, 3) / STEP
    omega = np.cross(now, rate).sum(axis=0) / 2
    torque = np.array([0, 0, 0.8] if kind.startswith("plane") else [0.3, -0.5, 0.8])
    close(np.array(work), np.array(omega @ torque), "turning of the axes", 1e-11)
    close(now @ now.T, np.eye(3), "axes")


def outputs(kind: str) -> ElementCase:
    model = Model("axes")
    _, end = flexible(model, kind)
    model.output("axes", [*end.e1, *end.e2, *end.e3])
    return ElementCase(model, "axes")


def axes_state(e: ElementCase, s: Any) -> Any:
    assert e.n_q == len(s.q)
    return s
