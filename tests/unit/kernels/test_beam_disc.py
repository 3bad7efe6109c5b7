"""Contact of beams with pulleys: derivatives, power, and forces against integrals by hand."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from mbdgen import Model, circle, load, material
from tests.physics.running import SOONEST
from tests.unit.kernels.element import STEP, Array, ElementCase, State, check_derivatives, close

RADIUS, LENGTH, AT = 0.3, 0.4, np.array([0.05, 0.02])
STIFFNESS, DAMPING, MU, SLOPE = 700.0, 9.0, 0.4, 60.0
LAW = {"stiffness": STIFFNESS, "damping": DAMPING, "coefficient": MU, "slope": SLOPE}
ENDS = [(-0.2, 0.32), (0.2, 0.32)]
"""A beam above the disc that touches nothing."""


def case(on: str = "planar", kind: str = "euler-nonlinear", **law: Any) -> ElementCase:
    m = Model("one")
    made = material(1e3, 1e3)
    beam = m.beam("beam", ENDS, circle(0.01), made, elements=1, kind=kind)
    wheel = m.ground.at(*AT)
    if on == "planar":
        wheel = m.planar_body("wheel", 2.0, 0.3, position=AT, angle=0.7).at()
    m.beam_disc("on", beam, wheel, radius=RADIUS, **{**LAW, "points": 7, **law})
    return ElementCase(m, "on_1")


def lowered(e: ElementCase, depth: float, seed: int = 3, speed: float = 1.0) -> State:
    """Return a state in which the beam is pressed into the disc, and everything moves."""
    rng = np.random.default_rng(seed)
    s = e.initial_state(rng)
    for k in (1, 5):  # y of both nodes
        s.q[k] -= depth
    s.q[:] += 0.01 * rng.uniform(-1, 1, s.q.shape)
    s.v[:] *= speed
    return s


def hermite(x: float) -> Array:
    return np.array([
        1 - 3 * x**2 + 2 * x**3, LENGTH * (x - 2 * x**2 + x**3),
        3 * x**2 - 2 * x**3, LENGTH * (x**3 - x**2),
    ])  # fmt: skip


class Felt(NamedTuple):
    """What the law gives at a place."""

    depth: float
    normal: float
    friction: float
    slip: float
    force: Array
    distance: float


def felt(q: Array, v: Array, place: float, on: str = "planar", clip: bool = True) -> Felt:
    """Return the forces per length, written down from the law; nothing where it does not touch."""
    centre, moving, omega = (q[8:10], v[8:10], v[10]) if on == "planar" else (AT, np.zeros(2), 0.0)
    share = hermite(place)
    r, u = share @ q[:8].reshape(4, 2), share @ v[:8].reshape(4, 2) - moving
    distance = np.linalg.norm(r - centre)
    depth = RADIUS - distance
    if depth <= 0:
        return Felt(depth, 0.0, 0.0, 0.0, np.zeros(2), distance)
    n = (r - centre) / distance
    t = np.array([-n[1], n[0]])
    more = -DAMPING * n @ u
    more = np.clip(more, -STIFFNESS * depth, STIFFNESS * depth) if clip else more
    normal = STIFFNESS * depth + more
    slip = t @ u - omega * RADIUS
    friction = -np.sign(slip) * min(SLOPE * abs(slip), MU * abs(normal))
    return Felt(depth, normal, friction, slip, normal * n + friction * t, distance)


def by_hand(s: State, points: int, on: str = "planar", clip: bool = True) -> Array:
    """Return the generalised forces, point by point."""
    q, v = s.q.real[:, 0], s.v.real[:, 0]
    places, weights = np.polynomial.legendre.leggauss(points)
    total = np.zeros(len(q))
    for place, weight in zip((1 + places) / 2, weights / 2 * LENGTH, strict=True):
        at = felt(q, v, place, on, clip)
        total[:8] += weight * np.outer(hermite(place), at.force).ravel()
        if on == "planar":
            total[8:10] -= weight * at.force
            total[10] -= weight * at.friction * at.distance
    return total


@pytest.mark.representatives(
    id=[
        "True-0.06-0.05-planar",
        "True-0.06-0.05-ground",
        "True-0.2-0.3-planar",
        "True-0.2-0.3-ground",
        "False-0.06-0.05-planar",
        "False-0.06-0.05-ground",
        "False-0.2-0.3-planar",
        "False-0.2-0.3-ground",
    ]
)
@pytest.mark.parametrize("on", ["planar", "ground"])
@pytest.mark.parametrize(("depth", "speed"), [(0.03, 1.0), (0.06, 0.05), (0.2, 0.3)])
@pytest.mark.parametrize("clip", [True, False])
def test_forces_and_their_derivatives(on: str, depth: float, speed: float, clip: bool) -> None:
    e = case(on, clip=clip)
    s = lowered(e, depth, speed=speed)
    wanted = by_hand(s, 7, on, clip)
    assert np.abs(wanted).max() > 0.1
    close(-e.residual(s).real[:, 0], wanted, "force")
    check_derivatives(e, s)


def test_cases_differ() -> None:
    """Some points stick, some slide, some do not touch: the test above sees all branches."""
    e = case()
    s = lowered(e, 0.03, speed=0.05)
    depths = [float(x.real) for x in _each(e, s)]
    assert min(depths) < 0 < max(depths)


def _each(e: ElementCase, s: State) -> list[Any]:
    q = s.q[:, 0]
    places, _ = np.polynomial.legendre.leggauss(7)
    found = []
    for place in (1 + places) / 2:
        arm = hermite(place) @ q[:8].reshape(4, 2) - q[8:10]
        found.append(RADIUS - np.sqrt(arm @ arm))
    return found


def test_apart_there_is_nothing() -> None:
    e = case()
    s = e.initial_state(np.random.default_rng(1))
    assert not e.residual(s).any() and not e.energies(s).any()
    assert not e.matrix(s, (1.0, 1.0, 1.0)).any()


def test_action_is_reaction_and_power_is_that_of_the_energies() -> None:
    e = case()
    s = lowered(e, 0.05)
    force = -e.residual(s).real[:, 0]
    # The sum of shape functions is 1: a push on both ends moves the whole beam.
    on_beam = force[0:2] + force[4:6]
    np.testing.assert_allclose(on_beam, -force[8:10], rtol=1e-12)
    rate = e.energies(s.moved(q=s.v)).imag[1, 0] / STEP
    power = e.energies(s).real[2, 0] - rate
    close(np.array(force @ s.v.real[:, 0]), np.array(power), "power", 1e-11)
    assert e.energies(s).real[2, 0] < 0  # friction and damping take


@pytest.mark.representatives(id="belt")
@pytest.mark.parametrize("kind", ["belt", "omar", "euler-chord"])
def test_any_element_of_the_plane(kind: str) -> None:
    e = case(kind=kind)
    s = e.initial_state(np.random.default_rng(2))
    half = (e.n_q - 3) // 2
    for k in (1, half + 1):
        s.q[k] -= 0.05
    force = -e.residual(s).real[:, 0]
    assert force[1] + force[half + 1] > 1.0
    check_derivatives(e, s)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_measures_are_those_at_their_place(layout: str) -> None:
    """And what they add up to, with the shares of Gauss, is the force on the disc."""
    m = Model("one", gravity=(0, 0, 0))
    made = material(1e3, 1e3)
    beam = m.beam("beam", ENDS, circle(0.01), made, elements=1, kind="euler-nonlinear")
    wheel = m.planar_body("wheel", 2.0, 0.3, position=AT)
    on = m.beam_disc("on", beam, wheel, radius=RADIUS, points=5, **LAW)
    places, weights = np.polynomial.legendre.leggauss(5)
    for k, place in enumerate((1 + places) / 2):
        m.report(f"at_{k}", on.at(place * LENGTH), ("depth", "normal", "friction", "slip"))
    system = load(m, layout=layout, backend=SOONEST)
    q, v = system.q0.copy(), np.random.default_rng(5).uniform(-1, 1, system.n_q)
    q[[1, 5]] -= 0.06
    zero = np.zeros(system.n_q)
    found = system.outputs(0.0, q, v, zero, np.zeros(0)).reshape(5, 4)
    wanted = [felt(q, v, place) for place in (1 + places) / 2]
    assert 0 < sum(at.depth > 0 for at in wanted) < 5
    np.testing.assert_allclose(found, [at[:4] for at in wanted], rtol=1e-11)
    push = sum(w / 2 * LENGTH * at.force for w, at in zip(weights, wanted, strict=True))
    force = -system.residual(0.0, q, v, zero, np.zeros(0))
    np.testing.assert_allclose(force[8:10], -push, rtol=1e-11)
