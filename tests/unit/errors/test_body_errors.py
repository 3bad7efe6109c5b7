"""What is said about models and bodies."""

import logging
from math import inf, nan
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.language.bodies import homogeneous_shapes
from mbdgen.topology.specify import specify
from tests.unit.errors.refused import analysed, refused

NOT_NUMBERS = [nan, inf, -inf, "1", True, 1j, sympy.nan, sympy.oo, sympy.I, 10**400, None, [1], {}]


def body(**description: Any) -> Model:
    model = Model("one")
    model.body("rod", **{"mass": 1.0, "inertia": (1.0, 1.0, 1.0), **description})
    return model


@pytest.mark.parametrize("x", NOT_NUMBERS)
@pytest.mark.parametrize(
    "where", ["mass", "angle", "length", "angular_velocity", "planar inertia", "parameter"]
)
def test_not_a_number(where: str, x: object) -> None:
    if x is None and where in ("angle", "length", "planar inertia"):
        pytest.skip("None means: not given")
    if x == [1] and where == "angular_velocity":
        pytest.skip("a vector")
    with refused("'L'" if where == "parameter" else "'rod'"):
        if where == "parameter":
            Model("one").parameter("L", x)
        elif where == "planar inertia":
            body(inertia=x, coordinates="planar")
        else:
            body(**{where: x})


@pytest.mark.parametrize("x", NOT_NUMBERS)
@pytest.mark.parametrize(
    "where",
    [
        *("position", "velocity", "angular_velocity", "centre_of_mass", "inertia_about"),
        *("inertia", "orientation", "gravity"),
    ],
)
def test_not_a_number_in_a_vector(where: str, x: object) -> None:
    vector = (x, 1.0, 1.0, 1.0) if where == "orientation" else (1.0, x, 1.0)
    with refused("'one'" if where == "gravity" else "'rod'"):
        if where == "gravity":
            Model("one", gravity=vector)
        else:
            body(**{where: vector})


@pytest.mark.parametrize("x", [5, "abc", None, (1,), (1, 2, 3, 4), {1, 2, 3}])
@pytest.mark.parametrize("where", ["position", "velocity", "centre_of_mass"])
def test_wrong_vectors(where: str, x: object) -> None:
    with refused("'rod'", where.replace("_", " ")):
        body(**{where: x})
    with refused("gravity of model 'one'"):
        Model("one", gravity=x)


def test_mass() -> None:
    with refused("mass of body 'rod'", "missing"):
        body(mass=None)
    for mass in (-1, -1e-300, np.float32(-2)):
        with refused("mass of body 'rod'", "-"):
            body(mass=mass)
    model = Model("one")
    m = model.parameter("m", -1.0)
    with refused("mass of body 'rod'", "-1"):
        model.body("rod", m)
    body(mass=0)  # a massless link is legal while joints carry it


def test_inertia() -> None:
    with refused("inertia of body 'rod'", "negative principal moment"):
        body(inertia=(1, 1, -1))
    with refused("inertia of body 'rod'", "negative principal moment", "(-1, 1, 3)"):
        body(inertia=[[1, 0, 0], [0, 1, 2], [0, 2, 1]])  # all diagonal entries are positive
    with refused("inertia of body 'rod'", "negative principal moment"):
        body(inertia=(1, 1, 1), inertia_about=(10, 0, 0))
    with refused("inertia of body 'rod'", "negative"):
        body(inertia=-1.0, coordinates="planar")
    with refused("inertia of body 'rod'", "not symmetric", "row 2, column 3"):
        body(inertia=[[1, 0, 0], [0, 1, 0.5], [0, 0, 1]])
    for shape in (5, (1, 1), "x", ((1, 2), (3, 4)), np.eye(2), sympy.eye(4)):
        with refused("inertia of body 'rod'"):
            body(inertia=shape)


def test_triangle_inequality_and_its_opt_out(caplog: pytest.LogCaptureFixture) -> None:
    with refused("inertia of body 'rod'", "(1, 1, 3)"):
        body(inertia=(1, 1, 3))
    with caplog.at_level(logging.INFO, "mbdgen"):
        body(inertia=(1, 1, 3), allow_unphysical_inertia=True)
    assert "allow_unphysical_inertia" in caplog.text
    with refused("negative"):  # the opt-out is for the triangle inequality only
        body(inertia=(1, 1, -1), allow_unphysical_inertia=True)
    with refused("'rod'", "'yes'"):
        body(allow_unphysical_inertia="yes")


@pytest.mark.parametrize("inertia", [None, (0, 0, 0), (0, 1, 1), (1, 1, 0), np.zeros((3, 3))])
def test_zero_moments_are_legal(inertia: object) -> None:
    specify(body(inertia=inertia))


def test_orientation() -> None:
    with refused("orientation of body 'rod'", "twice"):
        body(orientation=(1, 0, 0, 0), angle=1.0)
    with refused("orientation of body 'rod'", "zero"):
        body(orientation=(0, 0, 0, 0))
    with refused("orientation of body 'rod'", "reflection"):
        body(orientation=np.diag([1, 1, -1]))
    with refused("orientation of body 'rod'", "not orthogonal"):
        body(orientation=((1, 0, 0), (0, 1, 0), (0, 1, 1)))
    for wrong in ("xyz", 5, (1, 0, 0)):
        with refused("orientation of body 'rod'"):
            body(orientation=wrong)


def test_options_of_a_body() -> None:
    with refused("'rod'", "colour"):
        body(colour="red")
    with refused("'rod'", "masses"):
        body(masses=1)
    with refused("'rod'", "'local'"):
        body(angular_velocity_axes="local")
    for wrong in ("polar", 5, ["planar"], dict):
        with refused("'rod'", "coordinates"):
            body(coordinates=wrong)
        with refused("'one'", "coordinates"):
            Model("one", coordinates=wrong)  # type: ignore[arg-type]
    for length in (0, -1.0):
        with refused("length of body 'rod'"):
            body(length=length)
    for fixed in (5, "theta", ("x", 3), [None], 1.5):
        with refused("'rod'"):
            body(fixed=fixed)
    assert body(fixed={"x", "y"}).bodies["rod"].fixed == {"x", "y"}


def test_planar_bodies_stay_in_their_plane(caplog: pytest.LogCaptureFixture) -> None:
    for out in (
        {"position": (0, 0, 1)},
        {"velocity": (0, 0, 1)},
        {"angular_velocity": (1, 0, 0)},
        {"centre_of_mass": (0, 0, 1)},
        {"orientation": (0.5, 0.5, 0.5, 0.5)},
    ):
        with refused("'rod'", "plane"):
            body(coordinates="planar", inertia=1.0, **out)
    model = Model("flat", coordinates="planar")  # gravity along z
    model.body("rod", 1.0, 1.0)
    specify(model)
    assert "gravity" in caplog.text and "'flat'" in caplog.text


def test_point_masses_have_no_orientation() -> None:
    for wrong, word in (
        ({"centre_of_mass": (1, 0, 0)}, "centre of mass"),
        ({"angle": 1.0}, "orientation"),
        ({"angular_velocity": (1, 0, 0)}, "angular velocity"),
    ):
        with refused("'ball'", "point mass", word):
            Model("one").point_mass("ball", 1.0, **wrong)
    with refused("point_mass 'ball' has no option inertia"):
        wrong = {"inertia": (1, 1, 1)}
        Model("one").point_mass("ball", 1.0, **wrong)
    with refused("'ball'", "point mass", "inertia"):
        Model("one").body("ball", 1.0, (1, 1, 1), coordinates="point")


def test_shapes() -> None:
    for size in (0, -1, nan, "x", None, True):
        with refused("length of the rod"):
            homogeneous_shapes.rod(1.0, size)
        with refused("radius of the sphere"):
            homogeneous_shapes.sphere(1.0, size)
        with refused("edge b of the box"):
            homogeneous_shapes.box(1.0, 1.0, size, 1.0)
    with refused("axis of the rod", "zero"):
        homogeneous_shapes.rod(1.0, 1.0, axis=(0, 0, 0))
    with refused("mass of the cylinder"):
        homogeneous_shapes.cylinder(-1.0, 1.0, 1.0)


def test_symbols_in_descriptions() -> None:
    z = sympy.Symbol("z")
    with refused("mass of body 'rod'", "z"):
        body(mass=z)
    with refused("body 'rod'", "z"):
        analysed(body(position=(z, 0, 0)))
    model = Model("one")
    with refused("body 'rod'", "t"):
        model.body("rod", 1.0, (1, 1, 1), velocity=(model.t, 0, 0))
        analysed(model)
    model = Model("one")
    model.body("rod", 1.0, (1, 1, 1))
    model.gravity = (0, model.t, 0)
    with refused("gravity", "'t'"):
        specify(model)


def test_gravity_may_be_a_parameter() -> None:
    model = Model("one")
    g = model.parameter("g", 9.81)
    model.gravity = (0, -g)
    model.body("rod", 1.0, (1, 1, 1))
    assert analysed(model).derived.names == ("g",)


def test_extreme_numbers() -> None:
    model = Model("one")
    rod = model.body("rod", 1e-300, (1e-300, 1e-300, 1e-300), position=(1e150, 0, 0))
    model.revolute("pin", model.ground, rod, at=(0, 0, 0), axis=(1e308, 1e308, 1e308))
    axes = np.array(model.attached["pin"].markers[0].axes, float)
    assert axes @ axes.T == pytest.approx(np.eye(3))


def test_units() -> None:
    with refused("parameter 'L'", "5"):
        Model("one").parameter("L", 1.0, unit=5)  # type: ignore[arg-type]


def test_model_without_bodies() -> None:
    with refused("'empty'", "no bodies"):
        specify(Model("empty"))


def test_model_without_joints_is_fine() -> None:
    assert analysed(body()).sizes["n_lam"] == 0


def test_planar_moment_about_another_point() -> None:
    """0.12 kg m^2 about a point 0.3 m from the centre of 1 kg is 0.03 kg m^2 about the centre."""
    m = Model("plate", coordinates="planar")
    given = {"inertia_about": (0, 0), "centre_of_mass": (0.3, 0)}
    assert m.body("plate", 1.0, 0.12, **given).motion.inertia[2][2] == pytest.approx(0.03)
    with refused("negative principal moment", "bad"):
        m.body("bad", 1.0, 0.08, **given)
