"""`Motion` in JavaScript: parameters that change between steps, steps that fail, and work."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, build
from tests.backends.node import NODE, evaluate

pytestmark = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
H = 0.1


def cart() -> Model:
    m = Model("js_motion_cart", gravity=(0, 0, 0))
    u = m.parameter("u", 0.0, unit="N")
    c = m.body("cart", 1.0, (0.1, 0.1, 0.1))
    m.prismatic("rail", m.ground, c, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("push", c.at(), force=(u, 0, 0))
    return m


def pushed() -> Model:
    m = Model("js_motion_pushed", gravity=(0, 0, 0))
    b = m.point_mass("b", 1.0)
    m.force("push", b.at(), force=(10 * sympy.sin(m.t), 0, 0))
    return m


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(build(cart(), tmp_path_factory.mktemp("js"), backend="js"))


@pytest.mark.representatives(id=["newmark-False", "rk4-True", "rk4-False"])
@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_parameters_act_at_once(module: str, method: str, fused: bool) -> None:
    changes = [{"u": 1.0 if k % 2 == 0 else -1.0} for k in range(6)]
    options = {"method": method, "fused": fused}
    task = {"task": "sampled", "module": module, "h": H, "changes": changes, "options": options}
    (found,) = evaluate([task])
    np.testing.assert_allclose(np.array(found)[:, 0], [0.1, 0.0] * 3, atol=1e-9)


@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_a_step_that_fails_leaves_the_motion_where_it_was(module: str, method: str) -> None:
    options = {"method": method, "fused": False}
    (found,) = evaluate([{"task": "unmade", "module": module, "h": H, "options": options}])
    assert found["message"] == "Nothing there." and found["after"] == found["before"]
    assert found["next"] == found["expected"]


def test_work_has_the_order_of_the_method(tmp_path: Path) -> None:
    path = str(build(pushed(), tmp_path, backend="js"))

    def drift(h: float) -> float:
        task: dict[str, Any] = {"task": "simulate", "module": path, "span": [0, 2]}
        (found,) = evaluate([{**task, "options": {"method": "rk4", "h": h}}])
        assert "counters" in found, found
        counters = found["counters"]
        assert counters["energyScale"] > 90.0
        return float(counters["energyDrift"])

    drifts = [drift(0.1), drift(0.05), drift(0.025)]
    assert drifts[0] / drifts[1] > 14.0 and drifts[1] / drifts[2] > 14.0
    assert drifts[2] < 1e-6
