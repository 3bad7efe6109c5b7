"""Many spheres: the same motion as all pairs by hand, what is conserved, that nothing escapes."""

import threading
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen import Model, Result, load, simulate, simulate_many
from mbdgen.errors import BuildError, ModelError, OptionError
from mbdgen.grouping.group_loading import compile_groups
from mbdgen.language.bodies.homogeneous_shapes import sphere
from mbdgen.language.read import read
from mbdgen.mechanics.statics import statics
from mbdgen.runtime.monitors.neighbour_lists import grow, pairs_near, with_storage
from mbdgen.runtime.system.system import System
from tests.handwritten.spheres import Spheres

FloatArray = NDArray[np.float64]
LAW = {"law": "kelvin-voigt", "stiffness": 2000.0, "restitution": 0.6}
RUBBING = {**LAW, "friction": "coulomb", "coefficient": 0.4, "creep": 0.05}
H = 1e-4


@cache
def box(n: int = 60, turning: bool = True) -> System:
    return load(read("sphere_box", {"n": n, "turning": turning}))


def settled(n: int, t: float, turning: bool = True, **given: Any) -> tuple[Model, Result]:
    model = read("sphere_box", {"n": n, "turning": turning})
    result = simulate(box(n, turning), (0, t), t_eval=np.linspace(0, t, 21), **given)
    assert result.success, result.message
    return model, result


@cache
def meeting(turning: bool) -> System:
    return load(cloud(18, turning))


def cloud(n: int, turning: bool) -> Model:
    """Spheres in free space that fly towards each other."""
    random = np.random.default_rng(5)
    model = Model("cloud", gravity=(0, 0, 0))
    bodies = []
    for k in range(n):
        radius = (0.02, 0.015)[k % 2]
        place = np.array((k % 3, k // 3 % 3, k // 9)) - 1.0
        place = 0.042 * place + random.uniform(-1e-3, 1e-3, 3)
        what = sphere(3000 * radius**3, radius) if turning else 3000 * radius**3
        spin = {"angular_velocity": tuple(random.uniform(-5, 5, 3))} if turning else {}
        bodies.append(
            model.body(
                f"b{k}", what, position=tuple(place), velocity=tuple(-10 * place), radius=radius,
                coordinates="quaternion" if turning else "point", **spin,
            )
        )  # fmt: skip
    skin = model.parameter("skin", 4e-3)
    model.contacts("all", bodies, skin=skin, **(RUBBING if turning else LAW))
    return model


def momenta(model: Model, result: Result) -> tuple[FloatArray, FloatArray]:
    """Linear and angular momentum about the origin at all instants, by hand."""
    n, rows = len(model.bodies), len(result.t)
    q, v = result.q.reshape(rows, n, -1), result.v.reshape(rows, n, -1)
    mass = np.array([b.motion.mass for b in model.bodies.values()])
    linear = np.einsum("i,tic->tc", mass, v[..., :3])
    angular = np.einsum("i,tic->tc", mass, np.cross(q[..., :3], v[..., :3]))
    if q.shape[2] == 7:
        moment = np.array([b.motion.inertia[0][0] for b in model.bodies.values()])
        p, rate = q[..., 3:], v[..., 3:]
        turning = p[..., :1] * rate[..., 1:] - rate[..., :1] * p[..., 1:]
        turning += np.cross(p[..., 1:], rate[..., 1:])
        angular += 2 * np.einsum("i,tic->tc", moment, turning)
    return linear, angular


def simulated(
    system: System, span: tuple[float, float], **given: Any
) -> tuple[Result, dict[str, int]]:
    """Return a run and what `pairs_near` says at its end: the lists belong to the run."""
    near: list[dict[str, int]] = []
    result = simulate(
        system, span, callback=lambda t, q, v: near.append(pairs_near(system)), **given
    )
    return result, near[-1]


@pytest.mark.slow
def test_spheres_move_as_all_pairs_computed_by_hand() -> None:
    model = read("sphere_box", {"n": 60, "turning": False})
    bodies = list(model.bodies.values())
    (walls,) = [c for c in model.crowds.values() if c.tables[0].plane is not None]
    law = walls.tables[0].laws[0][1].element
    by_hand = Spheres(
        mass=np.array([b.motion.mass for b in bodies]),
        radius=np.array([b.surface.radius for b in bodies]),
        planes=[
            (np.array(t.plane.global_point), np.array(t.plane.global_axes[2]))
            for t in walls.tables
            if t.plane is not None
        ],
        stiffness=float(law.stiffness),
        restitution=float(law.restitution),
        gravity=np.array([0.0, 0.0, -9.81]),
    )
    h, steps = 1e-3, 120
    result, near = simulated(box(60, False), (0, steps * h), method="heun", h=h)
    r = np.array([b.motion.position for b in bodies], float)
    v = np.array([b.motion.velocity for b in bodies], float)
    expected = by_hand.heun(r, v, h, steps)
    assert near["renewals"] > 4
    moved = np.abs(expected - r).max()
    assert moved > 0.02
    # impacts make round-off a thousand times larger
    assert np.abs(result.q[-1].reshape(-1, 3) - expected).max() < 1e-11 * moved


@pytest.mark.slow
@pytest.mark.parametrize("method", ["heun", "central-difference"])
def test_spheres_settle_and_none_goes_through_a_wall(method: str) -> None:
    given: dict[str, Any] = {"method": method, "h": H}
    if method == "central-difference":
        given |= {"formulation": "blocks", "max_iterations": 1}
    model, result = settled(60, 0.6, **given)
    place = result.q.reshape(len(result.t), 60, 7)[..., :3]
    radius = np.array([b.surface.radius for b in model.bodies.values()], float)
    width = max(t.plane.global_point[0] for t in model.crowds["walls"].tables)
    reach = np.concatenate(
        [(place - radius[:, None])[..., :3], width - radius[:, None] - place[..., :2]], axis=2
    )
    assert reach.min() > -0.1 * radius.min()  # they are pressed into walls a little
    kinetic = result["energy.kinetic"]
    assert kinetic[-1] < 1e-3 * kinetic.max()
    assert (np.diff(result["energy.total"]) < 1e-6 * result["energy.total"][0]).all()
    # as many as lie on the ground are pressed against it by all their weight
    assert place[-1, :, 2].max() < 0.7 * place[0, :, 2].max()


@pytest.mark.slow
@pytest.mark.parametrize("turning", [False, True])
def test_collisions_conserve_momentum_and_spin(turning: bool) -> None:
    system = meeting(turning)
    result = simulate(system, (0, 0.15), method="rk4", h=H, t_eval=np.linspace(0, 0.15, 11))
    kinetic = result["energy.kinetic"]
    assert kinetic[-1] < 0.9 * kinetic[0]  # they have met, and lost
    model = cloud(18, turning)
    linear, angular = momenta(model, result)
    mass = sum(float(b.motion.mass) for b in model.bodies.values())
    speed = np.sqrt(2 * kinetic[0] / mass)
    # sums of forces vanish, so any method keeps the one; the other with the order of the method
    assert np.abs(linear - linear[0]).max() < 1e-13 * mass * speed
    assert np.abs(angular - angular[0]).max() < 1e-6 * mass * speed * 0.1


@pytest.mark.representatives(id="False")
@pytest.mark.parametrize("turning", [False, True])
def test_the_skin_changes_no_result(turning: bool) -> None:
    given: dict[str, Any] = {"method": "heun", "h": H}
    thin, thick = meeting(turning).copy(), meeting(turning).copy()
    thin.set(skin=1e-3)
    thick.set(skin=2e-2)
    (a, of_thin), (b, of_thick) = (simulated(x, (0, 0.05), **given) for x in (thin, thick))
    assert of_thin["renewals"] > 5 * of_thick["renewals"]
    assert of_thin["pairs"] < of_thick["pairs"]
    assert (a.q == b.q).all()


def test_a_run_makes_room_for_more_pairs() -> None:
    system, small = meeting(False).copy(), meeting(False).copy()
    crowds = small.data.crowds
    small.work = small.work._replace(
        m=with_storage(small.data.tables.m, crowds, np.ones(len(crowds), np.int64))
    )
    assert not grow(small)
    given: dict[str, Any] = {"method": "heun", "h": H}
    few, enough = simulate(small, (0, 0.05), **given), simulate(system, (0, 0.05), **given)
    assert few.success and (few.q == enough.q).all()
    assert 1 < pairs_near(small)["capacity"] < pairs_near(system)["capacity"]


def test_threads_share_a_system_and_each_has_its_pairs() -> None:
    """Two runs of different lengths, step by step in turn; the room that one has made is kept."""
    system = meeting(False).copy()
    crowds = system.data.crowds
    little = with_storage(system.data.tables.m, crowds, np.ones(len(crowds), np.int64))
    given: dict[str, Any] = {"method": "heun", "h": H}
    alone = {t: simulate(meeting(False).copy(), (0, t), **given) for t in (0.03, 0.05)}
    system.work = system.work._replace(m=little)
    turn, found, rooms = threading.Barrier(2), {}, set()

    def run(end: float) -> None:
        def wait(t: float, q: FloatArray, v: FloatArray) -> None:
            rooms.add(id(system.work.m))
            if t < 0.029:
                turn.wait(20)

        found[end] = simulate(system, (0, end), callback=wait, **given)

    threads = [threading.Thread(target=run, args=(end,)) for end in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(alone) and len(rooms) > 1
    for end, result in found.items():
        assert result.success and np.array_equal(result.q, alone[end].q)
    assert len(system.work.m) > len(little) and pairs_near(system)["capacity"] > len(crowds)
    again = simulate(system, (0, 0.05), **given)
    assert np.array_equal(again.q, alone[0.05].q)


@pytest.mark.slow
def test_a_run_goes_on_where_another_has_stopped() -> None:
    given: dict[str, Any] = {"method": "heun", "h": H}
    system = box()
    whole = simulate(system, (0, 0.1), **given)
    first = simulate(system, (0, 0.05), **given)
    second = simulate(system.copy(), (0.05, 0.1), start=first.checkpoint(), **given)
    assert (second.q[-1] == whole.q[-1]).all()


def test_members_of_an_ensemble_are_single_runs() -> None:
    system = meeting(False)
    given: dict[str, Any] = {"method": "heun", "h": H, "t_eval": [0, 0.02]}
    skins = {"skin": [2e-3, 4e-3, 8e-3]}
    found = simulate_many(system, (0, 0.02), skins, series="b3.x", workers=2, **given)
    alone = simulate(system, (0, 0.02), **given)
    assert found.success
    assert (found["b3.x"][:, -1] == alone["b3.x"][-1]).all()


def test_a_law_follows_its_parameters() -> None:
    def pair(stiffness: Any) -> Model:
        model = Model("pair", gravity=(0, 0, 0))
        k = model.parameter("k", 1e3) if stiffness is None else stiffness
        bodies = [
            model.point_mass(f"p{i}", 1.0, position=(0.15 * i, 0, 0), radius=0.1) for i in range(2)
        ]
        model.contacts("touching", bodies, law="hertz", stiffness=k, exponent=1)
        return model

    system = load(pair(None))
    state = [system.q0, system.v0, np.zeros(6), np.zeros(0)]
    assert system.residual(0.0, *state)[[0, 3]] == pytest.approx([50, -50])
    system.set(k=4e3)
    assert system.residual(0.0, *state)[[0, 3]] == pytest.approx([200, -200])
    fixed = load(pair(4e3))
    assert system.energies(0.0, *state) == pytest.approx(fixed.energies(0.0, *state))
    assert system.energies(0.0, *state)[1] == pytest.approx(4e3 * 0.05**2 / 2)


@pytest.mark.slow
def test_what_needs_all_pairs_beforehand_is_refused() -> None:
    system = box()
    for given in ({"method": "newmark"}, {"method": "radau"}, {"method": "hht"}):
        with pytest.raises(OptionError, match="find their pairs while they run"):
            simulate(system, (0, 0.01), **given)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no matrix of the whole mechanism"):
        simulate(system, (0, 0.01), method="rk4", formulation="blocks", projection="mass")
    with pytest.raises(OptionError, match="there is no tangent"):
        statics(system)
    with pytest.raises(OptionError, match="structural groups do not know"):
        compile_groups(read("sphere_box", {"n": 60}), system)
    with pytest.raises(OptionError, match="find their pairs while they run"):
        simulate_many(system, (0, 0.01), {"q0": []}, method="newmark")
    model = cloud(4, True)
    for options in (
        {"layout": "flat"},
        {"second": True},
        {"sensitivities": True},
        {"eliminate": True},
    ):
        with pytest.raises(BuildError, match="find their pairs while they run"):
            load(model, **options)  # type: ignore[arg-type]
    with pytest.raises(BuildError, match="'c' cannot find the pairs"):
        load(model, backend="c")


@pytest.mark.slow
def test_coordinates_of_spheres_may_be_others() -> None:
    given: dict[str, Any] = {"method": "rk4", "h": H, "t_eval": [0, 0.02]}
    usual = simulate(load(cloud(6, True)), (0, 0.02), **given)
    other = simulate(load(cloud(6, True), coordinates="rotation-vector"), (0, 0.02), **given)
    for k in range(6):
        for c in "xyz":
            assert other[f"b{k}.{c}"][-1] == pytest.approx(usual[f"b{k}.{c}"][-1], abs=1e-9)


def ball(model: Model, name: str, **given: Any) -> Any:
    given = {"position": (0, 0, 1), "radius": 0.1, **given}
    return model.body(name, sphere(1.0, 0.1), **given)


@pytest.mark.parametrize(
    ("says", "make"),
    [
        ("Give a list of bodies", lambda m, a, b: m.contacts("c", "balls")),
        ("no moving body", lambda m, a, b: m.contacts("c", [a, m.ground])),
        ("'one' twice", lambda m, a, b: m.contacts("c", [a, a])),
        ("Give two or more", lambda m, a, b: m.contacts("c", [a])),
        ("radius of body 'n' ", lambda m, a, b: m.contacts("c", [a, ball(m, "n", radius=None)])),
        ("skin of contacts 'c' is", lambda m, a, b: m.contacts("c", [a, b], skin=0.0)),
        ("has the plane", lambda m, a, b: m.contacts("c", [a, b], planes=[a.at(0, 0, 0)])),
        (
            "'one' above the plane of sphere_plane 'c' is -0.5",
            lambda m, a, b: m.contacts(
                "c", [a, b], planes=m.ground.at(0, 0, 1.5, axis=(0, 0, 1)), **LAW
            ),
        ),
        (
            "away from its centre",
            lambda m, a, b: m.contacts(
                "c", [a, ball(m, "off", position=(5, 0, 0), centre_of_mass=(0.01, 0, 0))], **LAW
            ),
        ),
        (
            "'lugre', whose states belong to single pairs",
            lambda m, a, b: m.contacts("c", [a, b], friction="lugre", coefficient=0.3, **LAW),
        ),
        ("has no option radius_a", lambda m, a, b: m.contacts("c", [a, b], radius_a=0.3, **LAW)),
        ("has no option stifness", lambda m, a, b: m.contacts("c", [a, b], stifness=1.0)),
        ("Neither a stiffness nor Young", lambda m, a, b: m.contacts("c", [a, b])),
        (
            "kinds of members",
            lambda m, a, b: m.contacts(
                "c", [ball(m, f"x{k}", position=(k, 0, 0), radius=0.1 + k / 1e3) for k in range(33)]
            ),
        ),
    ],
)  # fmt: skip
def test_mistakes_are_explained(says: str, make: Any) -> None:
    model = Model("wrong")
    a, b = ball(model, "one"), ball(model, "two", position=(1, 0, 1))
    with pytest.raises(ModelError, match=says):
        make(model, a, b)


def test_members_have_the_same_coordinates() -> None:
    model = Model("mixed")
    a = ball(model, "one")
    b = model.point_mass("two", 1.0, position=(1, 0, 1), radius=0.1)
    c = model.point_mass("three", 1.0, position=(2, 0, 1), radius=0.1)
    model.contacts("all", [a, b, c], **LAW)
    with pytest.raises(ModelError, match="different coordinates"):
        load(model)


@pytest.mark.slow
def test_a_thousand_spheres_settle() -> None:
    model, result = settled(1000, 0.6, method="heun", h=5e-5)
    place = result.q.reshape(len(result.t), 1000, 7)[..., :3]
    radius = min(b.surface.radius for b in model.bodies.values())  # type: ignore[type-var]
    width = max(t.plane.global_point[0] for t in model.crowds["walls"].tables)  # type: ignore[union-attr]
    assert place.min() > 0.7 * radius and place[..., :2].max() < width - 0.7 * radius
    kinetic = result["energy.kinetic"]
    assert kinetic[-1] < 1e-3 * kinetic.max()
