"""Joints between beams and rigid bodies: their forms agree, stiff beams are rigid, statics."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, Result, load, material, rectangle, simulate, statics
from mbdgen.runtime.system.system import System
from tests import reference
from tests.quickest import quickest


@cache
def chain(form: str, eliminate: bool = False) -> System:
    arguments = {"n": 2, "elements": 2, "form": form}
    layout = "flat" if eliminate else "loop"
    return load(
        "chain_to_beam", **arguments, layout=layout, backend=quickest(), eliminate=eliminate
    )


def moved(system: System, t: float, h: float = 1e-3, method: str = "newmark") -> Result:
    result = simulate(system, (0, t), method=method, h=h, progress=False)
    assert result.success, result.message
    return result


@pytest.mark.slow
def test_forms_of_pins_agree() -> None:
    """The same motion: what is left is round-off, and what Newton's iterations leave (1e-9)."""
    expected = moved(chain("general"), 0.3)
    counts = []
    for form, eliminate in (("linear", False), ("shared", False), ("linear", True)):
        found = moved(chain(form, eliminate), 0.3)
        counts.append((found.q.shape[1], found.lam.shape[1]))
        for name in ("tip.x", "tip.y", "end.y"):
            np.testing.assert_allclose(found[name], expected[name], atol=1e-9, err_msg=form)
    # 12 of the beam, 4 of a link; 4 of the clamp, 2 of a pin, a length of a link.
    assert counts == [(20, 10), (16, 6), (12, 2)]


def hanging_from_the_ground() -> Model:
    """The chain of the model from a point that rests."""
    m = Model("rigid", gravity=(0, -9.81, 0), coordinates="natural")
    turn, length, mass = np.radians(50.0), 0.2, 0.05
    step, before, at = length * np.array([np.sin(turn), -np.cos(turn)]), None, np.array([1.0, 0.0])
    for k in (1, 2):
        link = m.body(
            f"link{k}", mass, mass * length**2 / 12, position=at, angle=turn - np.pi / 2,
            centre_of_mass=(length / 2, 0), length=length,
        )  # fmt: skip
        m.revolute(f"pin{k}", before or m.ground.at(1, 0), link.at())
        before, at = link.at(length), at + step
    m.output("tip", before)
    return m


@pytest.mark.slow
def test_a_stiff_beam_gives_the_motion_of_a_rigid_mechanism() -> None:
    """What differs is the deflection, which is ten times smaller for ten times the stiffness."""
    rigid = moved(load(hanging_from_the_ground(), layout="loop", backend=quickest()), 0.5)
    system, gaps = chain("shared").copy(), []
    for young in (1e12, 1e13):
        system.set(young=young)
        found = moved(system, 0.5)
        gaps.append(max(np.abs(found[c] - rigid[c]).max() for c in ("tip.x", "tip.y")))
    # F L^3/(3 E I) for F = 8 N (0.3 of the beam's weight and the chain) is 6e-5 m at 1e12 Pa.
    assert gaps[0] < 2e-4
    assert 5 < gaps[0] / gaps[1] < 20


KINDS = [
    pytest.param(kind, marks=[] if kind in ("quaternion", "natural") else [pytest.mark.slow])
    for kind in ("quaternion", "natural", "planar", "gibbs", "euler-zxz", "natural-1p3v")
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_reactions_of_welds_are_those_of_statics(kind: str) -> None:
    """A beam between the ground and a body: what is behind a joint is what it carries."""
    g, mass, arm, length = 9.81, 2.0, 0.1, 1.0
    m = Model("carried", gravity=(0, -g, 0))
    section, stiff = rectangle(0.03, 0.02), material(young=1e13, density=1000.0)
    beam = m.beam("beam", [(0, 0), (length, 0)], section, stiff, elements=2, kind="euler-nonlinear")
    moments: Any = 0.1 if kind in ("natural", "planar") else (0.1, 0.1, 0.1)
    place = (length + arm, 0) if kind in ("natural", "planar") else (length + arm, 0, 0)
    body = m.body("block", mass, moments, coordinates=kind, position=place)
    clamp = m.fixed("clamp", m.ground.at(), beam.start)
    weld = m.fixed("weld", beam.end, body.at(-arm, 0, 0))
    for name, joint in (("clamp", clamp), ("weld", weld)):
        m.output(f"{name}_force", joint.force)
        m.output(f"{name}_torque", joint.torque)
    found = statics(load(m, layout="loop", backend=quickest()))
    own = stiff.density * section.area * length * g
    wanted = {
        "weld_force.y": mass * g,
        "weld_torque.z": mass * g * arm,
        "clamp_force.y": mass * g + own,
        "clamp_torque.z": mass * g * (length + arm) + own * length / 2,
    }
    for name, value in wanted.items():  # arms shorten by the square of a slope of 1e-4
        assert found.outputs[name] == pytest.approx(value, rel=1e-6), name


BLADE = {"along": "x_tip", "lead": "y_tip", "flap": "z_tip"}


def blade_errors(found: Result, h: float) -> dict[str, float]:
    """Largest differences of a blade from the reference of a rigid one."""
    exact = reference.load("BLADE").until(found.t[-1])
    places = np.round(exact.t / h).astype(int)
    return {name: np.abs(found[name][places] - exact[x]).max() for name, x in BLADE.items()}


@pytest.mark.slow
def test_rigid_blade_on_a_universal_joint() -> None:
    """Newmark's error falls with h^2 towards the reference (1e-13)."""
    system = load("helicopter_blade", blade="rigid", layout="loop", backend=quickest())
    coarse, fine = (blade_errors(moved(system, 6.0, h), h) for h in (4e-3, 2e-3))
    for name in BLADE:
        assert fine[name] < 8e-4, name
        assert 3.5 < coarse[name] / fine[name] < 4.5, name


@pytest.mark.slow
def test_flexible_blade_moves_as_the_rigid_one() -> None:
    """Published: about 1 m along the blade; it bends by orders of magnitude less than it swings."""
    system = load("helicopter_blade", elements=2, layout="loop", backend=quickest())
    h = 2e-3
    found = moved(system, 8.0, h, method="generalized-alpha")  # damps modes of the sections
    # The tip sags by 4 mm at the first stop, where the rod is straight.
    assert max(blade_errors(found, h).values()) < 5e-3
    for name, lowest, at in (
        ("along", -1.020, 6.32),
        ("lead", -3.854, 6.21),
        ("flap", -1.125, 1.83),
    ):
        k = found[name].argmin()
        assert found[name][k] == pytest.approx(lowest, abs=2e-3)
        assert found.t[k] == pytest.approx(at, abs=0.01)
    assert found["lead"].max() == pytest.approx(0.318, abs=2e-3)


@pytest.mark.slow
def test_flexible_coupler() -> None:
    """It slides as the rigid twin does; damping changes little of that, as published."""
    rigid = moved(load("rscr_flexible", coupler="rigid", layout="loop", backend=quickest()), 3.0)
    arguments = {"elements": 2, "layout": "loop", "backend": quickest()}
    damped = load("rscr_flexible", ratio=0.05, **arguments)
    undamped = load("rscr_flexible", **arguments)
    one, other = (moved(x, 3.0, method="generalized-alpha") for x in (damped, undamped))
    assert np.abs(one["slide"] - rigid["slide"]).max() < 4e-3
    assert np.abs(one["slide"] - other["slide"]).max() < 1e-3
    stiff = load("rscr_flexible", ratio=0.05, young=1e11, **arguments)
    near = moved(stiff, 3.0, h=2.5e-4, method="generalized-alpha")
    gap = np.abs(near["slide"][::4] - rigid["slide"]).max()
    assert gap < 0.2 * np.abs(one["slide"] - rigid["slide"]).max()  # a tenth: the strains
