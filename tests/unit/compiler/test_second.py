"""Second derivatives that modules have when asked: slopes of the constraints, and jerks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, build, load, simulate
from mbdgen.errors import OptionError
from mbdgen.interface import SECOND_KERNELS
from mbdgen.language.read import read
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.system.second_derivatives import jerks, slopes
from tests.backends.node import evaluate, needs_node
from tests.complex_step import assert_derivative, central_jacobian, directional, jacobian
from tests.unit.compiler.printed import Array, call, plain_module, random_arguments, text_of


def spatial() -> Model:
    """Two bodies with quaternions: an axis that turns with time, a universal joint, a damper."""
    m = Model("spatial", gravity=(0.3, -9.81, 0.2))
    tensor = ((0.4, 0.02, 0.01), (0.02, 0.5, 0.03), (0.01, 0.03, 0.3))
    one = m.body("one", 1.3, tensor, position=(0.5, 0.1, 0.2))
    two = m.body("two", 0.7, (0.1, 0.2, 0.3), position=(1.5, 0.3, 0))
    hinge = m.revolute("hinge", m.ground.at(0, 0.1, 0), one.at(-0.5, 0, 0.1))
    m.rotation_driver("drive", m.ground.at(), one.at(), angle=0.2 * m.t**3)
    m.universal("cross", one.at(0.4), two.at(-0.6, 0, 0))
    m.force("drag", two.at(0.2), force=(m.t**2, -0.3 * hinge.rate**2, 1.0))
    return m


def polynomial() -> Model:
    """The same without angles and roots, which complex numbers can be put into."""
    m = Model("polynomial", gravity=(0.3, -9.81, 0.2))
    tensor = ((0.4, 0.02, 0.01), (0.02, 0.5, 0.03), (0.01, 0.03, 0.3))
    one = m.body("one", 1.3, tensor, position=(0.5, 0.1, 0.2))
    two = m.body("two", 0.7, (0.1, 0.2, 0.3), position=(1.5, 0.3, 0))
    m.cylindrical("sleeve", m.ground.at(0, 0.1, 0), one.at(-0.5, 0, 0.1))
    m.translation_driver("drive", m.ground.at(), one.at(), distance=0.2 * m.t**3)
    m.universal("cross", one.at(0.4), two.at(-0.6, 0, 0))
    m.torque("turn", two.at(), torque=(m.t**2, 0.3, 1.0))
    return m


MODELS: dict[str, Callable[[], Model]] = {
    "polynomial": polynomial,
    "bricard": lambda: read("bricard"),
    "spinning_top": lambda: read("spinning_top"),
}
ANY: dict[str, Callable[[], Model]] = {
    "spatial": spatial,
    "slider_crank": lambda: read("slider_crank"),
    "governor": lambda: read("governor"),
}


class Printed:
    """A printed module that Python runs, real and complex numbers alike."""

    def __init__(self, model: Model, layout: str) -> None:
        self.module = plain_module(text_of(model, layout=layout, second=True))
        self.system = self.module.system
        self.t, self.q, self.v, self.a, self.lam, _ = random_arguments(self.system)
        self.rows = self.system.data.constraint_rows

    def value(self, kernel: str, **changed: Any) -> Array:
        """A kernel at the state, some arguments of which are replaced."""
        state = [changed.get(x, getattr(self, x)) for x in ("t", "q", "v", "a", "lam")]
        size = {"rates": 2 * self.system.n}.get(kernel, self.system.n)
        kind = complex if any(np.iscomplexobj(x) for x in state) else float
        out = np.zeros(size, kind)
        work = self.system.work
        assert getattr(self.module, kernel)(*state, np.zeros(3), work.p, work.m, out) == 0
        return out

    def dense(self) -> tuple[Array, Array]:
        """What the kernel `slopes` writes, as two matrices."""
        s, work = self.system, self.system.work
        arguments = [self.t, self.q, self.v, self.a, self.lam, np.zeros(3)]
        values = call(self.module, "slopes", arguments).reshape(2, -1)
        out = np.zeros((2, s.n, s.n))
        for column in range(s.n):
            for k in range(work.indptr[column], work.indptr[column + 1]):
                out[:, work.indices[k], column] = values[:, k]
        others = np.setdiff1d(np.arange(s.n), self.rows)
        assert not out[:, others].any() and not out[:, :, s.n_q :].any()
        return out[0, self.rows, : s.n_q], out[1, self.rows, : s.n_q]

    def level(self, k: int, **changed: Any) -> Array:
        """Rates of the constraint rows: 0 of the first order, 1 of the second."""
        return self.value("rates", **changed)[k * self.system.n + self.rows]

    def along(self, tau: Array) -> Array:
        """Residual, and phi_ddot in constraint rows, a moment later with the same a and lam."""
        (s,) = tau
        q = self.q + s * self.v + s**2 / 2 * self.a
        moved = {"t": self.t + s, "q": q, "v": self.v + s * self.a}
        out = self.value("residual", **moved)
        out[self.rows] = self.level(1, **moved)
        return out


@pytest.mark.representatives(id=["polynomial-flat", "spinning_top-loop"])
@pytest.mark.parametrize("layout", ["loop", "flat"])
@pytest.mark.parametrize("name", MODELS)
def test_against_complex_steps(name: str, layout: str) -> None:
    """Every entry to the last digits, at states off the constraints."""
    p = Printed(MODELS[name](), layout)
    first, second = p.dense()
    assert_derivative(first, jacobian(lambda q: p.level(0, q=q), p.q), "H_dot")
    assert_derivative(second, jacobian(lambda q: p.level(1, q=q), p.q), "H_ddot")
    assert_derivative(2 * first, jacobian(lambda v: p.level(1, v=v), p.v), "phi_ddot by v")
    found = p.value("jerks")
    assert_derivative(found, directional(p.along, np.zeros(1), np.ones(1)), "jerks")


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["loop", "flat"])
@pytest.mark.parametrize("name", ANY)
def test_against_differences(name: str, layout: str) -> None:
    """Models with sines and roots, to ten digits."""
    p = Printed(ANY[name](), layout)
    first, second = p.dense()
    assert_derivative(first, central_jacobian(lambda q: p.level(0, q=q), p.q), "H_dot", 1e-9)
    assert_derivative(second, central_jacobian(lambda q: p.level(1, q=q), p.q), "H_ddot", 1e-9)
    expected = central_jacobian(p.along, np.zeros(1))[:, 0]
    assert_derivative(p.value("jerks"), expected, "jerks", 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slider_crank", "bricard"])
def test_other_kernels_are_those_of_a_module_without(name: str) -> None:
    """Bit for bit: what is not asked for changes nothing."""
    with_, without = (
        plain_module(text_of(read(name), layout="loop", second=s)) for s in (True, False)
    )
    arguments = random_arguments(without.system)
    assert not any(hasattr(without, kernel) for kernel in SECOND_KERNELS)
    for kernel in ("residual", "matrix", "mass", "rates", "energies", "outputs"):
        assert (call(with_, kernel, arguments) == call(without, kernel, arguments)).all()


def test_the_header_says_so() -> None:
    model = read("pendulum")
    assert "second yes" in text_of(model, second=True)
    assert "second" not in text_of(model).partition("Digest")[0]


@pytest.mark.representatives(id="numba")
@pytest.mark.parametrize("backend", ["numba", "c"])
def test_compiled(backend: str) -> None:
    """Numbers of compiled modules are those of Python."""
    system, p = load("pendulum", backend=backend, second=True), Printed(read("pendulum"), "flat")
    first, second = slopes(system, p.t, p.q, p.v, p.a)
    wanted = p.dense()
    assert_derivative(first.toarray(), wanted[0], "H_dot")
    assert_derivative(second.toarray(), wanted[1], "H_ddot")
    found = jerks(system, p.t, p.q, p.v, p.a, p.lam)
    assert_derivative(found, p.value("jerks"), "jerks")
    assert system.offers >= set(SECOND_KERNELS) and system.copy().offers == system.offers


@needs_node
@pytest.mark.parametrize("layout", ["loop", "flat"])
def test_in_javascript(layout: str, tmp_path: Path) -> None:
    p = Printed(read("slider_crank"), layout)
    path = build("slider_crank", tmp_path, backend="js", layout=layout, second=True)
    state = {x: getattr(p, x).tolist() for x in ("q", "v", "a", "lam")}
    arguments = [p.t, p.q, p.v, p.a, p.lam, np.zeros(3)]
    expected = [call(p.module, kernel, arguments) for kernel in SECOND_KERNELS]
    calls = [
        {"kernel": kernel, "size": len(wanted), "t": p.t, "w": [0, 0, 0], **state}
        for kernel, wanted in zip(SECOND_KERNELS, expected, strict=True)
    ]
    (results,) = evaluate([{"task": "kernels", "module": str(path), "calls": calls}])
    for result, wanted in zip(results, expected, strict=True):
        assert_derivative(result["out"], wanted, "JavaScript")


def test_a_system_without_them_is_refused() -> None:
    system = load("pendulum")
    assert not system.offers & set(SECOND_KERNELS)
    zero = np.zeros(system.n_q)
    with pytest.raises(OptionError, match=r"second derivatives \(slopes\).*second=True"):
        slopes(system, 0.0, zero, zero, zero)
    general = "mbdgen.runtime.steps.dense_newmark_step"
    needy = Method("needy", "index3", 1, general=general, needs="solve", kernels=("jerks",))
    with pytest.raises(OptionError, match=r"Method 'needy' needs second derivatives \(jerks\)"):
        simulate(system, (0, 1), method=needy)


def test_a_module_without_them_cannot_be_loaded_with_them(tmp_path: Path) -> None:
    path = build("pendulum", tmp_path)
    with pytest.raises(OptionError, match="its second was chosen when it was built"):
        load(path, second=True)
    with pytest.raises(OptionError, match="second='x' is not a truth value"):
        load("pendulum", second="x")  # type: ignore[arg-type]
