"""Natural coordinates: the mass matrix, rigidity, mixes by name and by what is given, mistakes."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model
from mbdgen.errors import ModelError, OptionError
from mbdgen.language.read import read
from mbdgen.language.recoordinate import recoordinated
from tests.unit.kernels.element import Array, ElementCase, close

A, B, C, D = (0.1, -0.2, 0.3), (1.1, 0.1, 0.2), (0.3, 0.8, 0.1), (0.2, 0.1, 1.2)
U, V, W = (0.0, 0.6, 0.8), (0.8, 0.0, -0.6), (0.6, 0.8, 0.0)
SPACE = {
    "natural-1p3v": ((A,), (U, V, W)),
    "natural-2p2v": ((A, B), (U, V)),
    "natural-3p1v": ((A, B, C), (U,)),
    "natural-4p": ((A, B, C, D), ()),
    "natural-3p2v": ((A, B, C), (U, V)),
    "natural-5p": ((A, B, C, D, U), ()),
}
PLANE = {
    "natural": (((0.1, -0.2), (1.1, 0.3)), ()),
    "natural-planar-1p1v": (((0.1, -0.2),), ((0.6, -0.8),)),
    "natural-planar-3p": (((0.1, -0.2), (1.1, 0.3), (0.2, 0.7)), ()),
    "natural-planar-2p1v": (((0.1, -0.2), (1.1, 0.3)), ((0.6, 0.8),)),
}
MIXES = SPACE | PLANE


def cloud(planar: bool) -> tuple[Array, Array]:
    """Point masses and their local places."""
    rng = np.random.default_rng(11)
    places = rng.uniform(-1, 1, (7, 3))
    if planar:
        places[:, 2] = 0
    return rng.uniform(0.1, 1, 7), places


def of_cloud(name: str, **more: Any) -> tuple[Model, Array, Array]:
    """A model with a body that has the inertia of the point masses."""
    planar = name in PLANE
    masses, places = cloud(planar)
    com = masses @ places / masses.sum()
    arms = places - com
    tensor = sum(
        m * (s @ s * np.eye(3) - np.outer(s, s)) for m, s in zip(masses, arms, strict=True)
    )
    points, vectors = MIXES[name]
    inertia: Any = tensor[2, 2] if planar else tensor.tolist()
    m = Model("cloud", gravity=(0.3, -9.81, 0 if planar else 0.5))
    place = {} if planar else {"orientation": (0.5, 0.5, -0.5, 0.5), "position": (1, 2, 3)}
    given = {"points": points, "vectors": vectors, "centre_of_mass": com, **place, **more}
    m.body("rod", masses.sum(), inertia, coordinates=name, **given)
    return m, masses, places


def weights(name: str, local: Array) -> Array:
    """The numbers c with s = sum c_j d_j and 1 = sum of those of points, of the independent ones.

    Complex in the plane, where the body is a line of complex numbers.
    """
    points, vectors = MIXES[name]
    basic = [(1, *s) for s in points] + [(0, *s) for s in vectors]
    if name in PLANE:
        columns = np.array([(one, x + 1j * y) for one, x, y in basic[:2]]).T
        return np.linalg.solve(columns, [1, local[0] + 1j * local[1]])
    return np.linalg.solve(np.array(basic[:4], float).T, [1, *local])


@pytest.mark.representatives(
    id=["natural-5p", "natural", "natural-planar-1p1v", "natural-planar-3p", "natural-planar-2p1v"]
)
@pytest.mark.parametrize("name", MIXES)
def test_mass_matrix_is_the_sum_over_point_masses(name: str) -> None:
    model, masses, places = of_cloud(name)
    e = ElementCase(model, "rod")
    size = 2 if name in PLANE else 3
    expected = np.zeros((e.n_q, e.n_q))
    for m, s in zip(masses, places, strict=True):
        parts = [
            c.real * np.eye(size) + (c.imag * np.array([[0, -1], [1, 0]]) if name in PLANE else 0)
            for c in weights(name, s)
        ]
        whole = np.hstack(parts)
        expected[: whole.shape[1], : whole.shape[1]] += m * whole.T @ whole
    s = e.random_state(np.random.default_rng(0))
    mass = e.matrix(s, (0, 0, 1))[np.ix_(e.dynamics, range(e.n_q))]
    close(mass, expected, "mass matrix", 1e-12)


@pytest.mark.representatives
@pytest.mark.parametrize("rigid_by", ["products", "distances"])
@pytest.mark.parametrize("name", MIXES)
def test_conditions_hold_at_the_start_and_leave_a_rigid_body(name: str, rigid_by: str) -> None:
    model, _, _ = of_cloud(name, rigid_by=rigid_by)
    e = ElementCase(model, "rod")
    s = e.initial_state(np.random.default_rng(1))
    close(e.residual(s).real[e.phi, 0], np.zeros(len(e.phi)), "conditions", 1e-13)
    jacobian = e.matrix(s, (0, 0, 0))[np.ix_(e.phi, range(e.n_q))]
    freedoms = 3 if name in PLANE else 6
    assert len(e.phi) == e.n_q - freedoms
    assert np.linalg.matrix_rank(jacobian) == len(e.phi)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "natural-1p3v"),
        ({"points": (A, B)}, "natural-2p2v"),
        ({"points": (A, B, C)}, "natural-3p1v"),
        ({"points": (A,), "vectors": (U,)}, "natural-1p3v"),
        ({"points": (A, B, C), "vectors": (U, V)}, "natural-3p2v"),
        ({"position": (0, 0)}, "natural"),
        ({"length": 2.0}, "natural"),
        ({"points": ((0, 0), (1, 0), (0, 1))}, "natural-planar-3p"),
        ({"points": ((0, 0),)}, "natural-planar-1p1v"),
    ],
)
def test_the_mix_follows_from_what_is_given(given: dict[str, Any], name: str) -> None:
    body = Model("one").body("rod", 1, (1, 1, 1), coordinates="natural", **given)
    assert body.kind is not None and body.kind.name == name
    assert len(body.motion.points) == body.kind.points
    assert len(body.motion.vectors) == body.kind.vectors


def test_vectors_are_added_across_what_is_there() -> None:
    body = Model("one").body(
        "rod", 1, (1, 1, 1), coordinates="natural", points=((0, 0, 0), (0, 0.7, 0))
    )
    assert body.motion.vectors == ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def test_a_single_moment_says_that_a_body_is_in_the_plane() -> None:
    plate = Model("one").body("plate", 1, 0.3, coordinates="natural")
    assert plate.kind is not None and plate.kind.coordinates == ("xA", "yA", "xB", "yB")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coordinates": "natural-2p1v"}, "needs 4 points and vectors"),
        ({"coordinates": "natural-planar-1p"}, "needs 2 points and vectors"),
        ({"coordinates": "natural-0p4v"}, "the first of them a point"),
        ({"coordinates": "natural-4p", "points": (A, B)}, "with 4 points, but 2 are given"),
        ({"coordinates": "natural-2p2v", "vectors": (U, V, W)}, "with 2 vectors, but 3 are given"),
        (
            {"points": ((0, 0, 0), (1, 0, 0), (2, 0, 0))},
            "point A, point B, point C, vector u of body 'rod' do not say where it is",
        ),
        ({"points": (A, A)}, "point A, point B, vector u, vector v of body 'rod' do not"),
        ({"vectors": (U, (0, 0, 0))}, "do not say where it is"),
        ({"coordinates": "quaternion", "points": (A,)}, "quaternion coordinates, but points"),
        ({"points": 3}, "points of body 'rod' are 3"),
        ({"rigid_by": "glue"}, "rigid_by of body 'rod' is 'glue'"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Model("one").body("rod", 1, (1, 1, 1), **{"coordinates": "natural", **options})


def test_recoordinated_bodies_in_space_and_in_the_plane() -> None:
    m = Model("both")
    m.body("rod", 1, (1, 1, 1))
    m.planar_body("plate", 1, 1)
    m.point_mass("point", 1)
    kinds = {b.name: b.kind.name for b in recoordinated(m, "natural").bodies.values() if b.kind}
    assert kinds == {"rod": "natural-1p3v", "plate": "natural", "point": "point"}
    kinds = {b.name: b.kind.name for b in recoordinated(m, "natural-4p").bodies.values() if b.kind}
    assert kinds == {"rod": "natural-4p", "plate": "planar", "point": "point"}


def test_a_name_of_no_kind_is_refused_for_a_model() -> None:
    with pytest.raises((ModelError, OptionError), match="natural-1p1v"):
        read("bricard", coordinates="natural-1p1v")
