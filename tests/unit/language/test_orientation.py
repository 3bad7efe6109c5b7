"""Orientations against SciPy's, with numbers and with parameters."""

import logging

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

from mbdgen.errors import ModelError
from mbdgen.language.bodies.orientation import (
    EULER_SEQUENCES,
    IDENTITY,
    Orientation,
    as_orientation,
    axis_angle,
    euler,
    quaternion,
    rotation_matrix,
)
from mbdgen.language.markers.triad import direction, triad

rng = np.random.default_rng(2)
A, B, C = sympy.symbols("a b c", real=True)
DEFAULTS = {A: 0.3, B: -1.1, C: 2.5}
ANGLES = tuple(DEFAULTS.values())


def random_orientations(n):
    return [quaternion(*q) for q in Rotation.random(n, rng=rng).as_quat(scalar_first=True)]


def numeric(orientation, values=None):
    q = orientation.values(DEFAULTS if values is None else values)
    assert np.linalg.norm(q) == pytest.approx(1, abs=1e-15)
    return Rotation.from_quat(q, scalar_first=True).as_matrix()


def test_matrix_and_apply():
    for o in random_orientations(20):
        expected = numeric(o)
        v = rng.standard_normal(3)
        np.testing.assert_allclose(o.matrix(), expected, atol=1e-15)
        np.testing.assert_allclose(o.apply(v), expected @ v, atol=1e-14)
        np.testing.assert_allclose(o.inverse_apply(v), expected.T @ v, atol=1e-14)
        np.testing.assert_allclose(o.inverse().matrix(), expected.T, atol=1e-15)


def test_composition():
    a, b = random_orientations(2)
    np.testing.assert_allclose((a @ b).matrix(), np.array(a.matrix()) @ b.matrix(), atol=1e-14)
    assert a @ IDENTITY == a
    with pytest.raises(TypeError):
        a @ 3


def test_identity_is_exact():
    assert IDENTITY.matrix() == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def test_axis_angle():
    for axis in rng.standard_normal((10, 3)):
        angle = rng.uniform(-7, 7)
        expected = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()
        np.testing.assert_allclose(axis_angle(axis, angle).matrix(), expected, atol=1e-14)
        np.testing.assert_allclose(numeric(axis_angle(axis, A), {A: angle}), expected, atol=1e-14)


@pytest.mark.parametrize("sequence", EULER_SEQUENCES)
def test_euler_sequence(sequence):
    # SciPy writes intrinsic sequences in upper case, we in lower case.
    intrinsic = Rotation.from_euler(sequence.upper(), ANGLES).as_matrix()
    extrinsic = Rotation.from_euler(sequence, ANGLES).as_matrix()
    np.testing.assert_allclose(euler(sequence, *ANGLES).matrix(), intrinsic, atol=1e-14)
    np.testing.assert_allclose(euler(sequence.upper(), *ANGLES).matrix(), extrinsic, atol=1e-14)
    np.testing.assert_allclose(numeric(euler(sequence, A, B, C)), intrinsic, atol=1e-14)


def test_there_are_twelve_sequences():
    assert len(EULER_SEQUENCES) == 12
    assert {"zxz", "xyz", "zyx"} <= set(EULER_SEQUENCES)


@pytest.mark.parametrize("sequence", ["xxz", "zxx", "zXz", "zx", "zxzx", "abc", "", None, 3, ["z"]])
def test_unknown_euler_sequence(sequence):
    with pytest.raises(ModelError, match=r"Euler sequence .* does not exist"):
        euler(sequence, 0, 0, 0)


def test_euler_names_the_wrong_angle():
    with pytest.raises(ModelError, match="angle about the x axis of 'zxz' is nan"):
        euler("zxz", 0, float("nan"), 0)


HALF_TURNS = [Rotation.from_rotvec(np.pi * np.array(u)).as_matrix() for u in np.eye(3)]


@pytest.mark.parametrize(
    "matrix",
    [*Rotation.random(30, rng=rng).as_matrix(), *HALF_TURNS, np.eye(3)],
)
def test_rotation_matrix_there_and_back(matrix):
    o = rotation_matrix(matrix)
    np.testing.assert_allclose(o.matrix(), matrix, atol=1e-15)
    assert o.values(None)[0] >= -1e-15


@pytest.mark.parametrize("k", range(4))
def test_rotation_matrix_close_to_a_half_turn(k):
    q = np.full(4, 1e-9)
    q[k] = 1
    matrix = Rotation.from_quat(q, scalar_first=True).as_matrix()
    np.testing.assert_allclose(np.abs(rotation_matrix(matrix).q), q, rtol=1e-9)


@pytest.mark.parametrize("angle", [0.1, 2.0, 3.1, np.pi, -3.1])
def test_rotation_matrix_of_parameters_takes_the_branch_of_the_defaults(angle):
    c, s = sympy.cos(A), sympy.sin(A)
    o = rotation_matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]], defaults={A: angle})
    for a in (angle, angle + 0.5, angle - 0.5):
        expected = Rotation.from_euler("z", a).as_matrix()
        np.testing.assert_allclose(numeric(o, {A: a}), expected, atol=1e-14)


def test_rotation_matrix_of_parameters_needs_defaults():
    with pytest.raises(ModelError, match="rotation matrix contains a"):
        rotation_matrix([[sympy.cos(A), 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (np.diag([1, 1, -1]), "reflection"),
        (np.diag([1, 1, 2]), "not orthogonal"),
        (np.zeros((3, 3)), "not orthogonal"),
        (np.full((3, 3), np.nan), "is nan"),
        (np.eye(2), "3 rows"),
    ],
)
def test_wrong_rotation_matrix(rows, complaint):
    with pytest.raises(ModelError, match=complaint):
        rotation_matrix(rows)


def test_rounded_rotation_matrix_becomes_exactly_orthogonal():
    s = 0.7071
    r = np.array(rotation_matrix([[s, -s, 0], [s, s, 0], [0, 0, 1]]).matrix())
    np.testing.assert_allclose(r.T @ r, np.eye(3), atol=1e-15)


def test_quaternion_is_normalised(caplog):
    with caplog.at_level(logging.WARNING):
        assert quaternion(1, 0, 0, 0).q == (1.0, 0.0, 0.0, 0.0)
        quaternion(0.707, 0.707, 0, 0)
        assert not caplog.records
        np.testing.assert_allclose(quaternion(1, 1, 0, 0).q, np.sqrt([0.5, 0.5, 0, 0]), rtol=1e-15)
    assert "norm 1.41421; it is normalised" in caplog.text
    numeric(quaternion(A, B, C, 1))


def test_wrong_quaternion():
    with pytest.raises(ModelError, match=r"quaternion is zero. Give \(1, 0, 0, 0\)"):
        quaternion(0, 0, 0, 0)
    with pytest.raises(ModelError, match="component 4 of quaternion is nan"):
        quaternion(1, 0, 0, float("nan"))
    with pytest.raises(ModelError, match="orientation of body 'b'"):
        quaternion(A, 0, 0, 0).values({A: 0.0}, "orientation of body 'b'")


def test_zero_axis():
    with pytest.raises(ModelError, match="rotation axis is the zero vector"):
        axis_angle((0, 0, 0), 1.0)
    with pytest.raises(ModelError, match="axis of 'pin' is the zero vector"):
        triad((0, 0, 0), what="axis of 'pin'")
    with pytest.raises(ModelError, match="axis of 'pin' is the zero vector"):
        direction((A, 0, 0), "axis of 'pin'", {A: 0.0})
    with pytest.raises(ModelError, match="component 1 of axis of 'pin' is nan"):
        triad((float("nan"), 0, 1), what="axis of 'pin'")


def test_as_orientation():
    o = axis_angle((1, 2, 3), 0.4)
    assert as_orientation(None) is IDENTITY
    assert as_orientation(o) is o
    np.testing.assert_allclose(as_orientation(o.q).q, o.q, atol=1e-15)
    for matrix in (np.array(o.matrix()), o.matrix(), sympy.Matrix(o.matrix())):
        np.testing.assert_allclose(as_orientation(matrix).q, o.q, atol=1e-15)
    for wrong in ("zxz", 1.0, [1, 2], (0, 0, 1), {1, 2, 3, 4}):
        with pytest.raises(ModelError, match=r"orientation is .*neither a quaternion nor"):
            as_orientation(wrong)


@pytest.mark.parametrize(
    ("axis", "e1", "e2"),
    [
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((0, 0, -2), (1, 0, 0), (0, -1, 0)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((0, 3, 0), (1, 0, 0), (0, 0, -1)),
    ],
)
def test_triad_of_a_coordinate_axis_is_exact(axis, e1, e2):
    assert triad(axis) == (e1, e2, tuple(x / max(abs(y) for y in axis) for x in axis))


def test_triad_is_right_handed():
    for axis in [*rng.standard_normal((20, 3)), (1, 1, 1), (1e-200, 0, 1e-200), (1e200, 1, 1)]:
        t = np.array(triad(axis))
        np.testing.assert_allclose(t @ t.T, np.eye(3), atol=1e-15)
        assert np.linalg.det(t) == pytest.approx(1)
        np.testing.assert_allclose(np.cross(t[2], axis / np.max(np.abs(axis))), 0, atol=1e-15)


def test_triad_with_reference():
    e1, e2, e3 = triad((0, 0, 2), (1, 1, 5))
    np.testing.assert_allclose(e1, np.sqrt([0.5, 0.5, 0]), atol=1e-15)
    np.testing.assert_allclose(np.cross(e1, e2), e3, atol=1e-15)
    for parallel in ((0, 0, -1), (1e-8, 0, 1)):
        with pytest.raises(ModelError, match="reference direction of the axis is parallel"):
            triad((0, 0, 2), parallel)
    with pytest.raises(ModelError, match="reference direction of the axis is the zero vector"):
        triad((0, 0, 2), (0, 0, 0))


def test_triad_of_parameters():
    t = triad((A, B, C), defaults=DEFAULTS)
    values = np.array([[float(sympy.sympify(x).subs(DEFAULTS)) for x in row] for row in t])
    np.testing.assert_allclose(values, triad(ANGLES), atol=1e-15)
    with pytest.raises(ModelError, match="contains a, b, c"):
        triad((A, B, C))


def test_expressions_stay_short():
    rotation = axis_angle((0, 0, 1), A)
    assert rotation.q == (sympy.cos(A / 2), 0.0, 0.0, sympy.sin(A / 2))
    assert rotation.matrix()[2] == (0.0, 0.0, rotation.matrix()[2][2])
    assert isinstance(rotation, Orientation)
