"""The same mechanism in natural coordinates and with quaternions, at the order of the method."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.language.read import read
from tests.quickest import quickest

MIXES = ("natural", "natural-2p2v", "natural-3p1v", "natural-4p")
# Newmark's method is of order 2: its errors at h = 1 ms are h^2 times second rates of the motion.
MODELS = [("pendulum", 1e-5), ("heavy_top", 0.05), ("rssr_four_bar", 1e-4), ("bricard", 1e-5)]


def moved(model: str, coordinates: str, backend: str) -> Any:
    system = load(read(model, coordinates=coordinates), layout="loop", backend=backend)
    return simulate(system, (0, 0.2), method="newmark", h=1e-3, progress=False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tolerance"), MODELS)
@pytest.mark.parametrize("backend", ["c", "numba"])
def test_models_move_alike(name: str, tolerance: float, backend: str) -> None:
    if backend != "numba" and backend != quickest():
        pytest.skip("there is no C compiler")
    one, other = moved(name, "quaternion", backend), moved(name, "natural", backend)
    compared = [c for c in one.names.outputs if c.startswith(("tip", "P", "psi", "top"))]
    for output in compared or one.names.outputs[:3]:
        size = max(1.0, float(np.abs(one[output]).max()))
        np.testing.assert_allclose(
            other[output], one[output], atol=tolerance * size, err_msg=output
        )


def free_body(**more: Any) -> Model:
    m = Model("free", gravity=(0, 0, 0))
    body = m.body(
        "body", 1.3, ((0.5, 0.03, -0.02), (0.03, 0.4, 0.05), (-0.02, 0.05, 0.3)),
        centre_of_mass=(0.2, -0.1, 0.15), velocity=(0.3, 0, 0), angular_velocity=(1, 2, 3), **more,
    )  # fmt: skip
    m.output("end", body.at(1, 1, 1))
    m.output("turning", body.angular_velocity)
    m.output("e1", body.at().e1)
    m.output("e2", body.at().e2)
    m.output("e3", body.at().e3)
    m.output("middle", body.centre_of_mass.velocity)
    return m


def free(model: Model) -> Any:
    system = load(model, layout="loop", backend=quickest())
    return simulate(system, (0, 0.5), method="rk4", h=1e-3, progress=False)


def spin(result: Any) -> Any:
    """Angular momentum about the centre of mass in global axes, from outputs alone."""
    tensor = np.array([[0.5, 0.03, -0.02], [0.03, 0.4, 0.05], [-0.02, 0.05, 0.3]])

    def vector(name: str) -> Any:
        return np.stack([result[f"{name}.{c}"] for c in "xyz"], axis=-1)

    axes = np.stack([vector(f"e{k}") for k in (1, 2, 3)], axis=-1)
    omega = np.einsum("tji,tj->ti", axes, vector("turning"))
    return np.einsum("tij,tj->ti", axes, omega @ tensor), vector("middle")


@pytest.mark.slow
@pytest.mark.parametrize("rigid_by", ["products", "distances"])
def test_a_free_body_keeps_energy_and_momenta(rigid_by: str) -> None:
    """With rk4 at h = 1 ms over half a second errors are some 1e-11 times the motion's rates."""
    model = free_body(coordinates="natural-4p", rigid_by=rigid_by)
    result, reference = free(model), free(free_body())
    momentum, velocity = spin(result)
    np.testing.assert_allclose(momentum, momentum[:1].repeat(len(momentum), 0), atol=1e-9)
    np.testing.assert_allclose(velocity, velocity[:1].repeat(len(velocity), 0), atol=1e-9)
    assert np.ptp(result["energy.kinetic"]) < 1e-9
    for c in "xyz":
        np.testing.assert_allclose(result[f"end.{c}"], reference[f"end.{c}"], atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("mix", MIXES)
def test_all_mixes_move_alike(mix: str) -> None:
    model = free_body(coordinates=mix)
    result, reference = free(model), free(free_body())
    for c in "xyz":
        np.testing.assert_allclose(result[f"end.{c}"], reference[f"end.{c}"], atol=1e-8)
