"""What assembly changes by more than a few per cent of what was stated is told."""

import warnings

import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import AssemblyError, AssemblyWarning
from mbdgen.runtime.initialisation.assembly import assemble


def pendulum(off: float = 0.0, coordinates: str = "planar", **body: object) -> Model:
    m = Model("pendulum", gravity=(0, -9.81, 0), coordinates=coordinates)
    rod = m.body("rod", 1.0, (0.001, 1 / 12, 1 / 12), position=(0.5 + off, 0, 0), **body)
    m.revolute("pin", m.ground.at(), rod.at(-0.5, 0, 0))
    return m


@pytest.mark.representatives(id=["planar", "relative"])
@pytest.mark.parametrize("coordinates", ["planar", "quaternion", "relative"])
def test_positions_and_velocities_that_do_not_fit(coordinates: str) -> None:
    given = {"coordinates": "relative", "layout": "flat"} if coordinates == "relative" else {}
    kind = "planar" if given else coordinates
    system = load(pendulum(0.5, kind), **given)
    with pytest.warns(AssemblyWarning, match=r"moved the body 'rod' by 0\.5 m"):
        result = simulate(system, (0, 0.01), h=1e-3)
    assert "did not fit its joints" in result.warnings[0]
    system = load(pendulum(0.0, kind, angular_velocity=(0, 0, 2.0)), **given)
    with pytest.warns(AssemblyWarning, match=r"angular velocity of 'rod' by 1\.5 rad/s, 75%"):
        simulate(system, (0, 0.01), h=1e-3)


def test_what_fits_is_not_talked_about() -> None:
    fits = {"angular_velocity": (0, 0, 2.0), "velocity": (0, 1.0, 0)}
    with warnings.catch_warnings():
        warnings.simplefilter("error", AssemblyWarning)
        result = simulate(load(pendulum(0.01, **fits)), (0, 0.01), h=1e-3)
    assert result.warnings == ()


@pytest.mark.representatives(id="1000000.0")
@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e6])
def test_contradictions_are_refused_at_every_scale(size: float) -> None:
    """A bar that is a tenth too long for the distance of its pins, and one that fits."""
    for length, fine in ((1.1, False), (1.0 + 1e-13, True)):
        m = Model("bar", gravity=(0, -9.81, 0), coordinates="planar")
        inertia = size**2 / 12
        bar = m.body("bar", 1.0, (inertia, inertia, inertia), position=(size / 2, 0, 0))
        m.revolute("left", m.ground.at(), bar.at(-size / 2, 0, 0))
        m.point_in_plane(
            "right", m.ground.at(size, 0, 0, axis=(1, 0, 0)), bar.at((length - 0.5) * size, 0, 0)
        )
        system = load(m, layout="loop")
        if fine:
            assemble(system)
            continue
        system.q0[2] = 0.0
        m.fixed("weld", m.ground.at(), bar.at(-size / 2, 0, 0))
        with pytest.raises(AssemblyError, match="'right'"):
            assemble(load(m, layout="loop"))
