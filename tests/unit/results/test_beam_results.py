"""What is known along beams: strains of an arc, forces of a stretched beam, names, files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from mbdgen import Model, Result, load, load_result, material, rectangle, simulate
from mbdgen.errors import ModelError, OptionError
from mbdgen.forces.base import Force
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.registry import beam_kinds
from mbdgen.runtime.results.beam_results import LineMotion, lines_of
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST

LENGTH, RADIUS, STRETCH = 1.0, 20.0, 1e-3
YOUNG, HEIGHT, WIDTH = 2e9, 0.02, 0.03


def one(kind: str, width: float = WIDTH) -> Model:
    m = Model("one", gravity=(0, 0, 0))
    m.beam(
        "beam",
        points=[(0, 0, 0), (LENGTH, 0, 0)],
        section=rectangle(HEIGHT, width),
        material=material(YOUNG, 1500),
        elements=1,
        kind=kind,
    )
    return m


def arc(system: System) -> LineMotion:
    """An element on a circle to the left, stretched, its sections normal to it."""
    q = np.zeros((1, system.n_q))
    for k, name in enumerate(system.names.coordinates):
        block, _, axis = name.partition(".")[2].rpartition("_")
        angle = (block[-1] == "2") * LENGTH / RADIUS
        t, n = np.array([np.cos(angle), np.sin(angle), 0]), [-np.sin(angle), np.cos(angle), 0]
        r = RADIUS * np.array([np.sin(angle), 1 - np.cos(angle), 0])
        known = {"r": r * (1 + STRETCH), "rx": t * (1 + STRETCH), "ry": n, "rz": [0, 0, 1]}
        q[0, k] = known[block[:-1]]["xyz".index(axis)]
    lines = lines_of(system)
    assert lines is not None
    zero = np.zeros_like(q)
    return lines.motion("beam", np.zeros(1), (q, zero, zero))


@pytest.mark.representatives(kind="euler-nonlinear")
@pytest.mark.parametrize(
    "kind",
    [
        "euler-nonlinear",
        "dufva",
        "dufva-3d",
        *(
            pytest.param(kind, marks=pytest.mark.slow)
            for kind in "euler-chord euler-tangent omar belt yakoub exact exact-3d".split()
        ),
    ],
)
def test_an_arc(kind: str) -> None:
    """To the first order in the stretch, and the second in the angle of an element, 0.05 rad."""
    line = arc(load(one(kind), layout="loop", backend=SOONEST))
    flat = "curvature" in line.names
    bent, moment = ("curvature", "moment") if flat else ("curvature_z", "moment_z")
    values = {name: line.profile(name, "beam").values[0, 1] for name in line.names}
    slack = (LENGTH / RADIUS) ** 2
    assert values["stretch"] == pytest.approx(STRETCH, abs=slack / 4)
    assert values[bent] == pytest.approx(1 / RADIUS, rel=3 * STRETCH + slack)
    area, inertia = HEIGHT * WIDTH, WIDTH * HEIGHT**3 / 12
    assert values[moment] == pytest.approx(YOUNG * inertia * values[bent], rel=1e-2)
    assert values["axial_force"] == pytest.approx(YOUNG * area * values["stretch"], rel=2e-2)
    others = {"shear", "shear_y", "shear_z", "twist", "curvature_y"} & set(values)
    assert all(abs(values[name]) < slack for name in others)


@pytest.fixture(scope="module")
def result() -> Result:
    """A beam that is pulled and hangs aside."""
    m = one("euler-nonlinear")
    beam = m.beams["beam"]
    m.fixed("wall", m.ground.at(), beam.start)
    m.force("pull", beam.end, force=(300, 5, 0))
    m.output("moment", beam.measure("moment", 0.5))
    m.output("fibre", beam.measure("strain", 0.5, y=HEIGHT / 2))
    m.output("stress", beam.measure("stress", 0.5, y=HEIGHT / 2), unit="Pa")
    m.displacement("sag", beam.start, beam.end)
    return simulate(load(m, layout="loop", backend=SOONEST), (0, 0.02), h=1e-4)


@pytest.mark.slow
def test_outputs_are_what_is_known_there(result: Result) -> None:
    profiles = {name: result.along("beam", name).values[:, 1] for name in ("moment", "stretch")}
    assert np.abs(result["moment"]).max() > 0.01
    np.testing.assert_allclose(result["moment"], profiles["moment"], rtol=1e-12, atol=1e-12)
    curvature = result.along("beam", "curvature").values[:, 1]
    fibre = profiles["stretch"] - curvature * HEIGHT / 2
    np.testing.assert_allclose(result["fibre"], fibre, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(result["stress"], YOUNG * fibre, rtol=1e-12, atol=1e-3)
    assert (result.unit("moment"), result.unit("sag")) == ("N m", "m")


def test_a_profile_at_an_instant(result: Result) -> None:
    found = result.along("beam", "r", t=0.01)
    assert found.s.tolist() == [0.0, 0.5, 1.0] and found.unit == "m"
    assert found.values.shape == (3, 3)
    np.testing.assert_allclose(found.values[-1] - [LENGTH, 0, 0], result["sag"][100], atol=1e-12)


def test_energies(result: Result) -> None:
    """Without gravity all that is potential is strain; forces do the rest."""
    np.testing.assert_allclose(result["energy.strain"], result["energy.potential"], atol=1e-12)
    drift = result["energy.kinetic"] + result["energy.strain"] - result["energy.work"]
    np.testing.assert_allclose(result["energy.balance"], drift - drift[0], atol=1e-12)
    # The work is integrated over 35 steps of a period of the stretch.
    assert np.abs(result["energy.balance"]).max() < 0.02 * result["energy.strain"].max() > 1e-3


def test_plots(result: Result) -> None:
    pytest.importorskip("matplotlib")
    ax = result.plot_along("beam", ["moment", "axial_force"], t=[0.01, 0.02])
    assert len(ax.lines) == 4 and ax.get_xlabel() == "distance along beam [m]"
    np.testing.assert_array_equal(
        ax.lines[1].get_ydata(), result.along("beam", "moment", 0.02).values
    )
    assert result.plot_along("beam", "r").get_ylabel() == "r [m]"


def test_what_is_stated_per_length_is_told_with_its_measures() -> None:
    """A foundation of springs, a law of a user's own, beside the strains."""
    m = one("euler-nonlinear")
    element = m.beams["beam"].elements[0]
    m.add("bed", Foundation, element.at(), stiffness=1e4)
    system = load(m, layout="loop", backend=SOONEST)
    lines = lines_of(system)
    assert lines is not None
    q, zero = np.array([system.q0]), np.zeros((1, system.n_q))
    for k, name in enumerate(system.names.coordinates):
        q[0, k] += 0.01 * name.endswith(("r1_y", "r2_y"))
    line = lines.motion("beam", np.zeros(1), (q, zero, zero))
    found = line.profile("pressure", "beam")
    assert found.unit == "N/m" and found.values[0] == pytest.approx([100.0] * 3)
    assert system.energies(0.0, q[0], zero[0], zero[0], np.zeros(0))[1] == pytest.approx(0.5)


@dataclass(frozen=True)
class Foundation(Force):
    """Springs along a beam."""

    name = "foundation"
    ends = ("a",)
    distributed = True
    measures: ClassVar = {"pressure": 1}
    units: ClassVar = {"pressure": "N/m"}

    stiffness: Any = 1.0

    def potential(self, *frames: Frame) -> Expr:
        """Per length."""
        return self.stiffness * frames[0].r[1] ** 2 / 2

    def measure(self, name: str, *frames: Any) -> Expr:
        """Per length."""
        return self.stiffness * frames[0].r[1]


def test_files_know_it(result: Result, tmp_path: Path) -> None:
    result.save(tmp_path / "r.npz")
    found = load_result(tmp_path / "r.npz")
    for what in ("r", "moment", "axial_force"):  # numbers of 32 bits
        ours, theirs = (x.along("beam", what).values for x in (result, found))
        np.testing.assert_allclose(theirs, ours, rtol=1e-6, atol=1e-6 * np.abs(ours).max())
    assert (found["energy.strain"] == result["energy.strain"]).all()
    with pytest.raises(OptionError, match="at the ends and in the middles"):
        found.line("beam", places=(0.3,))


def test_mistakes(result: Result) -> None:
    with pytest.raises(OptionError, match="no beam 'rope'"):
        result.along("rope", "moment")
    with pytest.raises(OptionError, match="'torque' is known along beam 'beam'"):
        result.along("beam", "torque")
    m = one("euler-nonlinear")
    block = m.planar_body("block", mass=1, inertia=1)
    with pytest.raises(ModelError, match="along a beam, but 'block' is rigid"):
        m.rotating_frame("turning", block.at(), angle=m.t)
    with pytest.raises(ModelError, match=r"about= of .* is the zero vector"):
        m.rotating_frame("turning", m.beams["beam"], angle=m.t, about=(0, 0, 0))
    with pytest.raises(ModelError, match="'torque' is known of beam 'beam'"):
        m.beams["beam"].measure("torque", 0.5)
    with pytest.raises(ModelError, match="is not on beam"):
        m.beams["beam"].measure("moment", 2.0)


@pytest.mark.parametrize("law", ["line_load", "moving_load", "rotating_frame", "beam_disc"])
def test_floating_bodies_have_no_sections(law: str) -> None:
    m = Model("floating")
    arm = m.floating_beam(
        "arm", [(0, 0), (1, 0)], rectangle(0.01, 0.02), material(2e11, 7850), modes=(1, 0)
    )
    disc = m.planar_body("disc", mass=1, inertia=1, radius=0.1)
    ends = (arm.start, disc) if law == "beam_disc" else (arm.start,)
    with pytest.raises(ModelError, match="'arm' is described by a floating frame"):
        getattr(m, law)("load", *ends)


@pytest.mark.parametrize(
    "kind",
    [k if k == "exact" else pytest.param(k, marks=pytest.mark.slow) for k in beam_kinds()],
)
def test_strain_energy_is_that_of_the_kernel(kind: str) -> None:
    """By the rule of the kind, so that both are the same sum: equal to round-off."""
    m = one(kind, HEIGHT)  # a square, which cables need
    beam = m.beams["beam"]
    m.fixed("clamp", m.ground.at(0, 0, 0), beam.start)
    m.force("push", beam.end, force=(0, -40.0, 0))
    result = simulate(load(m, layout="loop", backend=SOONEST), (0, 5e-3), h=1e-3)
    assert result.energies[-1, 1] > 1e-6
    np.testing.assert_allclose(result.strain_energy, result.energies[:, 1], rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_a_load_at_the_very_end_is_on_the_beam() -> None:
    m = one("euler-nonlinear")
    parts = m.beams["beam"].moving_load("train", place=LENGTH, force=(0, -1.0, 0))
    assert [x.element.end > LENGTH for x in parts] == [True]
    system = load(m, layout="loop", backend=SOONEST)
    assert simulate(system, (0, 1e-3), h=1e-3).v[-1].min() < 0
