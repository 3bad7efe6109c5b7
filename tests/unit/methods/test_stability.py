"""Spectral radii from compiled steps: against printed matrices, and limits found by bisection."""

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app
from mbdgen.runtime.methods.scheme import Scheme, choose
from mbdgen.stability.amplification import amplification, radius
from mbdgen.stability.stability_limits import stability

STEPS = (0.1, 1.2)


def polynomial(matrix: np.ndarray, degree: int) -> np.ndarray:
    """Return the leading coefficients of the characteristic polynomial; the others must vanish."""
    whole = np.poly(matrix)
    whole = np.append(whole, np.zeros(max(0, degree + 1 - len(whole))))
    assert np.abs(whole[degree + 1 :]).max(initial=0.0) < 1e-12
    return whole[: degree + 1]


def newmark(h: float, xi: float, gamma: float, beta: float) -> np.ndarray:
    """Return the printed matrix for ``(h^2 a, h v, x)``, two entries corrected (B21 and B33)."""
    k, c = h * h, xi * h
    return np.array(
        [
            [4 * (gamma - 1) * c + (2 * beta - 1) * k, -2 * k - 4 * c, -2 * k],
            [2 * (1 - gamma) + (2 * beta - gamma) * k, 2 * (beta - gamma) * k + 2, -2 * gamma * k],
            [
                (1 - 2 * beta) + (gamma - 2 * beta) * 2 * c,
                2 + (gamma - beta) * 4 * c,
                2 + 4 * gamma * c,
            ],
        ]
    ) / (2 + 4 * gamma * c + 2 * beta * k)


def with_accelerations(h: float, alpha: float, beta: float) -> np.ndarray:
    """Return the printed matrix (9.116) for ``(x+, v, a)``, frequency 1."""
    half = (alpha + 2 * beta) / 2
    return np.array(
        [
            [1 - half * h**2, h, (3 / 2 - half) * h**2],
            [-beta * h, 1, (1 - beta) * h],
            [-1, 0, 0],
        ]
    )


def with_jerk(h: float, alpha: float, beta: float, gamma: float) -> np.ndarray:
    """Return the printed matrix (9.156) for ``(x+, v, a, j)``, frequency 1."""
    s, g = (alpha + 3 * beta) / (6 * gamma), 1 / gamma
    return np.array(
        [
            [1 - (s + 1 / 2) * h**2, h, (1 - s) * h**2, (2 / 3 - s) * h**3],
            [-beta * g / 2 * h, 1, (1 - beta * g / 2) * h, (1 / 2 - beta * g / 2) * h**2],
            [-1, 0, 0, 0],
            [-g / h, 0, -g / h, 1 - g],
        ]
    )


def with_snap(
    h: float, alpha: float, beta: float, gamma: float, zeta: float, corner: float = 3 / 8
) -> np.ndarray:
    """Return the matrix (9.163) for ``(x+, v, a, j, s)``; it is printed with the corner 3/4."""
    s, b, g = (alpha + 4 * beta + 4 * zeta) / (12 * gamma), beta / (3 * gamma), 1 / gamma
    return np.array(
        [
            [
                1 - (s + 1 / 2) * h**2,
                h,
                (1 - s) * h**2,
                (2 / 3 - s) * h**3,
                (corner - s / 2) * h**4,
            ],
            [-b * h, 1, (1 - b) * h, (1 / 2 - b) * h**2, (1 / 6 - b / 2) * h**3],
            [-1, 0, 0, 0, 0],
            [-2 * zeta * g / h, 0, -2 * zeta * g / h, 1 - 2 * zeta * g, (1 - zeta * g) * h],
            [-2 * g / h**2, 0, -2 * g / h**2, -2 * g / h, 1 - g],
        ]
    )


@pytest.mark.parametrize("xi", [0.0, 0.2])
@pytest.mark.parametrize("preset", ["trapezoidal", "fox-goodwin", "damped"])
def test_newmark_is_the_printed_matrix(preset: str, xi: float) -> None:
    """Entry by entry: state and printed vector are the same up to powers of the step."""
    scheme = choose("newmark", given={"preset": preset})
    beta, gamma = scheme.values[:2]
    for h in STEPS:
        scale = np.array([h * h, h, 1.0])
        ours = amplification(scheme, h, xi)[::-1, ::-1] * scale[:, None] / scale
        np.testing.assert_allclose(ours, newmark(h, xi, gamma, beta), rtol=0, atol=1e-12)


@pytest.mark.parametrize("alpha, beta", [(1, 1 / 2), (4 / 3, 1 / 2), (2, 1 / 2), (1.2, 0.6)])
@pytest.mark.parametrize("formulation", ["index1", None])
def test_central_differences(alpha: float, beta: float, formulation: str | None) -> None:
    """Eigenvalues: the printed vector has the next position, the state that of its instant."""
    scheme = choose("central-difference", formulation, given={"alpha": alpha, "beta": beta})
    for h in STEPS:
        printed = np.poly(with_accelerations(h, alpha, beta))
        np.testing.assert_allclose(
            polynomial(amplification(scheme, h), 3), printed, rtol=0, atol=1e-11
        )
        terms = (alpha + 2 * beta) / 2 * h**2 - 2, (3 / 2 - alpha - beta) * h**2 + 1
        np.testing.assert_allclose(printed[1:], [*terms, (alpha - 1) / 2 * h**2], atol=1e-12)


def test_classical_form_has_the_same_eigenvalues() -> None:
    scheme = choose("central-difference", "index1", given={"preset": "classical"})
    for h in STEPS:
        printed = np.poly(with_accelerations(h, 1.0, 0.5))
        np.testing.assert_allclose(polynomial(amplification(scheme, h), 3), printed, atol=1e-11)


@pytest.mark.parametrize("values", [(5 / 4, 1 / 3, 1 / 2), (3 / 4, 1 / 3, 1 / 2), (1, 0.4, 0.6)])
def test_jerk(values: tuple[float, ...]) -> None:
    scheme = choose("cd-jerk", given=dict(zip(("alpha", "beta", "gamma"), values, strict=True)))
    for h in STEPS:
        printed = np.poly(with_jerk(h, *values))
        np.testing.assert_allclose(
            polynomial(amplification(scheme, h), 4), printed, rtol=0, atol=1e-11
        )


@pytest.mark.parametrize("values", [(4 / 5, 1, 1, 1), (0, 1, 1, 1), (6 / 5, 1 / 4, 1 / 3, 1 / 2)])
def test_snap_with_a_corrected_corner(values: tuple[float, ...]) -> None:
    """The entry (1, 5) must be 3/8; with the printed 3/4 it is another method."""
    names = ("alpha", "beta", "gamma", "zeta")
    scheme = choose("cd-snap", given=dict(zip(names, values, strict=True)))
    for h in STEPS:
        ours, scale = polynomial(amplification(scheme, h), 5), 30.0
        corrected, as_printed = (
            np.poly(with_snap(h, *values, corner)) for corner in (3 / 8, 3 / 4)
        )
        np.testing.assert_allclose(ours, corrected, rtol=0, atol=1e-11 * scale)
        assert np.abs(ours - as_printed).max() > 1e-3 * h * h


def scheme_of(method: str, given: dict[str, object]) -> Scheme:
    return choose(method, "index1" if method == "central-difference" else None, given=given)


LIMITS = [
    ("central-difference", {}, 2.0),
    ("central-difference", {"alpha": 4 / 3}, sqrt(12 / 5)),
    ("cd-jerk", {"preset": "neutral"}, sqrt(3)),  # the source has 1.7310
    ("cd-snap", {}, sqrt(2)),
    ("newmark", {"preset": "fox-goodwin"}, sqrt(6)),
    *(
        pytest.param(*case, marks=pytest.mark.slow)
        for case in (
            ("central-difference", {"alpha": 2}, sqrt(4 / 3)),
            ("cd-jerk", {"preset": "damped"}, sqrt(8 / 5)),
            ("newmark", {"preset": "linear-acceleration"}, sqrt(12)),
            ("newmark", {"preset": "trapezoidal"}, np.inf),
            ("rk4", {}, sqrt(8)),
        )
    ),
]


@pytest.mark.parametrize("method, given, limit", LIMITS)
def test_limits(method: str, given: dict[str, object], limit: float) -> None:
    assert stability(scheme_of(method, given), "").limit == pytest.approx(limit, rel=1e-6)


@pytest.mark.parametrize(
    "method, given, excess",
    [
        ("cd-jerk", {"preset": "optimal"}, 1 / 3),
        ("cd-snap", {"preset": "published"}, 4 / 15),  # was said to be stable up to 1
    ],
)
def test_unstable_at_every_step(method: str, given: dict[str, object], excess: float) -> None:
    """The radius is ``1 + excess h^2``: alpha / 3 for the family with snap."""
    scheme = scheme_of(method, given)
    found = stability(scheme, method)
    assert found.limit == 0.0 and "unstable at every step" in found.text
    for h in (0.1, 0.01):
        assert radius(amplification(scheme, h)) - 1 == pytest.approx(excess * h * h, rel=0.01)


def test_printed_radii_of_the_unstable_optimum() -> None:
    """Table 9.9, at 0.1, 0.01 and 0.001."""
    scheme = scheme_of("cd-jerk", {"preset": "optimal"})
    printed = {0.1: 1.0033389, 0.01: 1.00003333389, 0.001: 1.000000333333389}
    for h, value in printed.items():
        assert radius(amplification(scheme, h)) == pytest.approx(value, abs=1e-7 * h * 2)


def test_every_positive_alpha_of_snap_grows() -> None:
    for alpha in (0.02, 0.2, 0.5):
        found = radius(amplification(choose("cd-snap", given={"alpha": alpha}), 0.5))
        assert found > 1 + 1e-4
    for alpha in (0.0, -1.0):
        assert radius(amplification(choose("cd-snap", given={"alpha": alpha}), 0.5)) < 1 + 1e-12


def test_perturbed_optimum() -> None:
    """With beta and gamma changed a little it is stable at 0.07, but not at 0.08."""
    scheme = choose("cd-jerk", given={"preset": "optimal-beta-gamma"})
    assert radius(amplification(scheme, 0.07)) < 1 + 1e-11
    assert radius(amplification(scheme, 0.08)) > 1 + 1e-9


@pytest.mark.slow
def test_damping_does_not_reduce_the_limit_of_central_differences() -> None:
    """Velocities of the instant itself: the inner iteration makes the damper implicit."""
    scheme = choose("central-difference", "index1")
    undamped = stability(scheme, "")
    damped = stability(scheme, "", damping=0.1)
    assert damped.radii[0] < 1.0 < undamped.radii[0] + 1e-9
    assert damped.limit == pytest.approx(2.0, rel=1e-4)


def test_command(tmp_path: Path) -> None:
    out, picture = tmp_path / "s.json", tmp_path / "s.png"
    arguments = "stability central-difference --formulation index1 --set alpha=2"
    done = CliRunner().invoke(app, [*arguments.split(), "--json", str(out), "--png", str(picture)])
    assert done.exit_code == 0, done.output
    named = "central-difference + index1, alpha = 2.0: stable up to omega h = 1.154701"
    assert named in done.output
    (found,) = json.loads(out.read_text())
    assert found["limit"] == pytest.approx(sqrt(4 / 3), rel=1e-6)
    assert len(found["steps"]) == len(found["radii"]) and picture.stat().st_size > 10_000


def test_command_refuses_unknown_options() -> None:
    done = CliRunner().invoke(app, ["stability", "newmark", "--set", "delta=1"])
    assert done.exit_code == 2
