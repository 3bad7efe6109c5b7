"""A pinned beam that a moment spins up: it bends, rings down and turns like a rigid one."""

from functools import cache

import numpy as np
import pytest
import sympy

from mbdgen import (
    Model,
    Result,
    bending_frequency,
    damping_factor,
    load,
    material,
    rectangle,
    simulate,
    torsion_frequency,
)

LENGTH, DENSITY = 8.0, 7860.0
SQUARE = rectangle(0.17521, 0.17521)
STEEL = material(2.1e9, DENSITY)
MOMENT, PULSE, STEP = 5000.0, 2.0, 2e-3
INERTIA = DENSITY * SQUARE.area * LENGTH**3 / 3  # of the rigid beam about the pin


def factors(ratio: float) -> dict[str, float]:
    """Return the factors of the viscous law, by the first bending of the pinned beam."""
    bending = bending_frequency(SQUARE, STEEL, LENGTH, "pinned-free")
    torsion = torsion_frequency(SQUARE, STEEL, LENGTH)
    return {
        "damping": damping_factor(ratio, bending),
        "shear_damping": damping_factor(ratio, torsion),
    }


@cache
def spun(kind: str, ratio: float, end: float) -> Result:
    m = Model("spun", gravity=(0, 0, 0))
    law = material(2.1e9, DENSITY, **factors(ratio)) if ratio else STEEL
    beam = m.beam("beam", [(0, 0, 0), (LENGTH, 0, 0)], SQUARE, law, elements=8, kind=kind)
    m.revolute("pin", m.ground.at(axis=(0, 0, 1)), beam.start)
    # Half of it at the instant at which it ends, so that steps see the whole impulse.
    moment = MOMENT * sympy.Max(0, sympy.Min(1, (PULSE + STEP / 2 - m.t) / STEP))
    m.torque("motor", beam.start, torque=(0, 0, moment))
    m.displacement("delta", beam.start, beam.end)
    m.output("tip", beam.end)
    return simulate(load(m), (0, end), method="generalized-alpha", rho_inf=0.95, h=STEP)


def test_rigid_numbers_of_the_digest() -> None:
    assert pytest.approx(4.1182e4, rel=1e-4) == INERTIA
    assert bending_frequency(SQUARE, STEEL, LENGTH, "pinned-free") == pytest.approx(6.298, rel=1e-3)


KINDS = ("omar", pytest.param("exact", marks=pytest.mark.slow))


@pytest.mark.parametrize("kind", KINDS)
def test_it_turns_as_a_rigid_one_in_the_end(kind: str) -> None:
    """Moment of momentum is the impulse; what the strains had is gone after ten periods."""
    result = spun(kind, 0.05, 20.0)
    assert result["energy.kinetic"][-1] == pytest.approx(
        (MOMENT * PULSE) ** 2 / (2 * INERTIA), rel=3e-4
    )
    assert result["energy.strain"][-1] < 1e-4 * result["energy.strain"].max()
    turn = np.unwrap(np.arctan2(result["tip.y"], result["tip.x"]))
    rate = (turn[-1] - turn[-501]) / (result.t[-1] - result.t[-501])
    assert rate == pytest.approx(MOMENT * PULSE / INERTIA, rel=3e-4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ratio", "deflection"), [(0.05, -0.834), (0.0, -0.986)])
def test_largest_deflection(kind: str, ratio: float, deflection: float) -> None:
    """Numbers computed independently; the moment turns the slope r_x and not the section."""
    found = spun(kind, ratio, 20.0 if ratio else 2.0)["delta.y"].min()
    assert found == pytest.approx(deflection, rel=0.02)
