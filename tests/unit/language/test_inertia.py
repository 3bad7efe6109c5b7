"""Inertia: every way to state it, the parallel-axis theorem, shapes, and every refusal."""

import numpy as np
import pytest
import sympy

from mbdgen.errors import ModelError
from mbdgen.language.bodies import homogeneous_shapes
from mbdgen.language.bodies.mass_properties import Inertia, as_inertia, as_mass

rng = np.random.default_rng(3)
M, L = sympy.symbols("m L", real=True)
DEFAULTS = {M: 2.0, L: 0.7}


def of_points(masses, points, about):
    d = points - about
    return sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, d, strict=True))


def test_parallel_axis_against_point_masses():
    masses, points = rng.uniform(0.1, 2, 7), rng.standard_normal((7, 3))
    centre = masses @ points / masses.sum()
    p = np.array([0.3, -2.0, 1.1])
    found = as_inertia(of_points(masses, points, p), mass=masses.sum(), about=p, centre=centre)
    np.testing.assert_allclose(found.tensor, of_points(masses, points, centre), rtol=1e-12)
    assert not found.principal


def test_parallel_axis_with_parameters():
    found = as_inertia(
        (0, M * L**2 / 3, M * L**2 / 3), mass=M, about=(-L / 2, 0, 0), defaults=DEFAULTS
    )
    np.testing.assert_allclose(found.values(DEFAULTS), np.diag([0, 1, 1]) * 2 * 0.7**2 / 12)
    assert found.principal


def test_rounding_of_the_parallel_axis_leaves_no_tiny_entries():
    p, m = np.array([0.1, 0.7, -0.3]), 1.3
    found = as_inertia(of_points([m], np.zeros((1, 3)), p), mass=m, about=p)
    assert found == homogeneous_shapes.point(m).inertia
    assert found.principal


def test_principal_and_full_agree():
    a = as_inertia((1, 2, 2.5))
    assert (
        a == as_inertia(np.diag([1, 2, 2.5])) == as_inertia(sympy.diag(1, 2, 2.5)) == as_inertia(a)
    )
    assert a.principal
    assert a.diagonal == (1.0, 2.0, 2.5)
    assert not as_inertia([[1, 0, 0.1], [0, 2, 0], [0.1, 0, 2]]).principal


def test_result_is_symmetric_to_the_last_bit():
    t = np.array([[1.0, 0.1, 0.2], [0.1, 1.2, 0.3], [0.2, 0.3, 1.4]])
    t[1, 0] += 1e-12
    found = np.array(as_inertia(t).tensor)
    np.testing.assert_array_equal(found, found.T)


@pytest.mark.parametrize("moments", [(0, 0, 0), (0, 1, 1), (1, 1, 2), (1e-9, 1e-9, 1e-9)])
def test_limits_of_the_physical_are_legal(moments):
    assert as_inertia(moments).diagonal == moments


@pytest.mark.parametrize(
    ("x", "complaint"),
    [
        (None, "is missing"),
        (1.0, "Give 3 principal moments or a 3 x 3 tensor"),
        ((1, 1, 1, 0, 0, 0), "Give 3 principal moments"),
        ((1, 1), "Give 3 principal moments"),
        ("abc", "inertia of 'b'"),
        ({1, 2, 3}, "inertia of 'b'"),
        (M, "inertia of 'b'"),
        ((1, float("nan"), 1), "component 2 of inertia of 'b' is nan"),
        ([[1, 0, 0], [0, 1], [0, 0, 1]], "row 2 of inertia of 'b' needs 3 numbers"),
        ([[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]], "not symmetric: row 1, column 2 is 0.1"),
        ((1, -1, 1), "negative principal moment"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 3]], "negative principal moment"),
        ((1, 1, 3), "above the sum of the others"),
        ((M, M, 3 * M), "above the sum of the others"),
        ((sympy.Symbol("k"), 1, 1), "contains k"),
    ],
)
def test_wrong_inertia(x, complaint):
    with pytest.raises(ModelError) as caught:
        as_inertia(x, defaults=DEFAULTS, what="inertia of 'b'")
    assert "inertia of 'b'" in str(caught.value)
    assert complaint in str(caught.value)


def test_wrong_reference_point():
    with pytest.raises(ModelError, match="negative principal moment"):
        as_inertia((0, 1, 1), mass=1, about=(2, 0, 0))
    with pytest.raises(ModelError, match="mass for the inertia is missing"):
        as_inertia((0, 1, 1), about=(1, 0, 0))
    with pytest.raises(ModelError, match="point of the inertia needs 3 numbers"):
        as_inertia((0, 1, 1), mass=1, about=1)
    with pytest.raises(ModelError, match="already about the centre of mass"):
        as_inertia(Inertia(((1, 0, 0), (0, 1, 0), (0, 0, 1))), mass=1, about=(1, 0, 0))


def test_unphysical_inertia_needs_the_opt_out_and_negative_never_passes():
    assert as_inertia((1, 1, 3), allow_unphysical=True).diagonal == (1.0, 1.0, 3.0)
    with pytest.raises(ModelError, match="allow_unphysical_inertia=True"):
        as_inertia((1, 1, 2 + 1e-6))
    with pytest.raises(ModelError, match="negative"):
        as_inertia((1, 1, -1), allow_unphysical=True)


@pytest.mark.parametrize(
    ("mass", "complaint"),
    [
        (None, "is missing"),
        (0, "is 0.0"),
        (-1.5, "is -1.5"),
        (float("nan"), "is nan"),
        ("1", "not a number"),
        (-M, "is -2.0"),
    ],
)
def test_wrong_mass(mass, complaint):
    with pytest.raises(ModelError) as caught:
        as_mass(mass, defaults=DEFAULTS, what="mass of body 'rod'")
    assert str(caught.value).startswith("mass of body 'rod' ")
    assert complaint in str(caught.value)


def points_of_box(a, b, c, n=30):
    grid = [(np.arange(n) + 0.5) / n * e - e / 2 for e in (a, b, c)]
    return np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 3)


def within(radius, points, directions):
    """Points whose first numbers are nearer to zero than the radius."""
    return points[np.linalg.norm(points[:, :directions], axis=1) < radius]


@pytest.mark.representatives(id=["box", "rod"])
@pytest.mark.parametrize(
    ("shape", "points"),
    [
        (homogeneous_shapes.box(2, 0.3, 0.5, 0.9), points_of_box(0.3, 0.5, 0.9)),
        (homogeneous_shapes.rod(2, 0.9), points_of_box(0.9, 0, 0)),
        (
            homogeneous_shapes.cylinder(2, 0.4, 0.9, (0, 0, 3)),
            within(0.4, points_of_box(0.8, 0.8, 0.9, 60), 2),
        ),
        (
            homogeneous_shapes.sphere(2, 0.4),
            within(0.4, points_of_box(0.8, 0.8, 0.8, 60), 3),
        ),
    ],
    ids=["box", "rod", "cylinder", "sphere"],
)
def test_shape_against_a_cloud_of_points(shape, points):
    masses = np.full(len(points), shape.mass / len(points))
    expected = of_points(masses, points, np.zeros(3))
    np.testing.assert_allclose(shape.inertia.tensor, expected, rtol=5e-3, atol=1e-12)
    assert shape.inertia.principal
    assert as_inertia(shape.inertia) is not None


def test_axis_turns_the_tensor():
    u = np.array([1.0, 2.0, 3.0])
    n = u / np.linalg.norm(u)
    np.testing.assert_allclose(
        homogeneous_shapes.rod(3, 2, u).inertia.tensor, np.eye(3) - np.outer(n, n), atol=1e-15
    )
    along, across = homogeneous_shapes.cylinder(3, 0.2, 2).inertia.diagonal[:2]
    np.testing.assert_allclose(
        homogeneous_shapes.cylinder(3, 0.2, 2, u).inertia.tensor,
        across * np.eye(3) + (along - across) * np.outer(n, n),
        atol=1e-15,
    )
    assert (
        as_inertia(homogeneous_shapes.rod(3, 2, u).inertia)
        == homogeneous_shapes.rod(3, 2, u).inertia
    )


def test_shapes_of_parameters():
    rod = homogeneous_shapes.rod(M, L)
    assert rod.mass == M
    assert rod.inertia.diagonal == (0.0, M * L**2 / 12, M * L**2 / 12)
    assert as_inertia(rod.inertia, defaults=DEFAULTS) == rod.inertia


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: homogeneous_shapes.rod(-1, 1), "mass of the rod is -1.0"),
        (lambda: homogeneous_shapes.rod(1, 0), "length of the rod is 0.0"),
        (lambda: homogeneous_shapes.rod(1, 1, (0, 0, 0)), "axis of the rod is the zero vector"),
        (lambda: homogeneous_shapes.box(1, 1, -1, 1), "edge b of the box is -1.0"),
        (lambda: homogeneous_shapes.sphere(1, float("inf")), "radius of the sphere is inf"),
        (lambda: homogeneous_shapes.cylinder(1, None, 1), "radius of the cylinder is None"),
        (lambda: homogeneous_shapes.point(0), "mass of the point is 0.0"),
        (lambda: as_inertia(homogeneous_shapes.sphere(1, 1e200).inertia), "inertia is inf"),
    ],
)
def test_wrong_shape(make, complaint):
    with pytest.raises(ModelError, match=complaint):
        make()
