"""The distance of a point from a moving line, against NumPy."""

import numpy as np

from mbdgen import Model, load, simulate
from mbdgen.language.bodies.orientation import axis_angle


def test_distance_from_a_turning_line() -> None:
    m = Model("line")
    turned = axis_angle((1, 2, -1), 0.7)
    plate = m.body(
        "plate",
        mass=1,
        inertia=(0.1, 0.12, 0.2),
        position=(0.3, 0, 0.1),
        orientation=turned,
        angular_velocity=(3, -2, 1),
        velocity=(0, 1, 0),
    )
    ball = m.point_mass("ball", mass=1, position=(1, 0.5, -0.2), velocity=(0, 0, 4))
    start = plate.at(0.2, 0, 0.1, axis=turned.apply((0.6, 0, 0.8)))
    m.point_to_line("distance", start, ball.at())
    for name, marker in (("start", start), ("ball_at", ball.at())):
        m.output(name, marker)
    m.output("direction", start.e3)
    result = simulate(load(m), (0, 0.5), method="rk4", h=1e-3)
    line, direction = result["ball_at"] - result["start"], result["direction"]
    along = np.sum(line * direction, axis=1)
    expected = np.linalg.norm(line - along[:, None] * direction, axis=1)
    np.testing.assert_allclose(result["distance"], expected, rtol=1e-12)
    assert np.ptp(expected) > 0.1 and result.unit("distance") == "m"


def test_zero_on_the_line_and_use_in_a_force() -> None:
    """Axis in global axes; the placeholder is the elongation of a spring towards the line."""
    m = Model("guided", gravity=(0, 0, 0))
    ball = m.point_mass("ball", mass=1, position=(0.5, 0, 0), velocity=(0, 0, 1))
    away = m.point_to_line("away", m.ground, ball, axis=(0, 0, 1))
    m.point_to_line("none", m.ground.at(0.5, 0, -1), ball.at(), axis=(0, 0, 1))
    m.force("pull", ball.at(), force=(-4 * away.value, 0, 0))
    result = simulate(load(m), (0, 0.7), method="rk4", h=1e-3)
    np.testing.assert_allclose(result["away"], 0.5 * np.cos(2 * result.t), atol=1e-11)
    assert result["none"][0] == 0
    np.testing.assert_allclose(result["none"], np.abs(result["ball.x"] - 0.5), atol=1e-14)
