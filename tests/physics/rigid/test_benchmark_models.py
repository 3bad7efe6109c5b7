"""Models made for benchmarks against hand-written solvers in independent coordinates."""

import numpy as np
import pytest

from mbdgen import load
from mbdgen.errors import ModelError
from mbdgen.language.read import read
from mbdgen.topology.specify import specify
from tests.handwritten import crank_dyads, double_pendulum, heavy_top
from tests.physics.running import run, system, worst


@pytest.mark.slow
def test_fast_top_spins_like_the_one_in_euler_angles() -> None:
    """150 rad/s about its own axis, which starts horizontal along +y: precession angle pi."""
    t = np.linspace(0.0, 1.0, 21)
    par = heavy_top.HeavyTop(m=15.0, l=1.0, A=0.234375 + 15.0, C=0.46875)
    start, rates = (np.pi, np.pi / 2, 0.0), (-4.61538, 0.0, 150.0)
    expected = heavy_top.centre(par, heavy_top.solve(par, t, start, rates).q)
    errors = [
        worst(run(system("heavy_top"), t, h, "rk4")["centre"], expected) for h in (2e-3, 1e-3)
    ]
    assert errors[1] <= 1e-5 and errors[1] <= errors[0] / 12, errors


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 9])
def test_crank_with_sliders_all_around(k: int) -> None:
    """Universal joints hold the rods; their spin counts because of the large third moment."""
    t = np.linspace(0.0, 1.0, 21)
    par = crank_dyads.CrankDyads(k)
    expected = crank_dyads.observed(par, crank_dyads.solve(par, t))
    errors = []
    for method, h in (("newmark", 2e-3), ("newmark", 1e-3), ("rk4", 2e-3)):
        result = run(system("crank_dyads", k=k), t, h, method)
        place = result["slider"] @ par.directions[0]
        errors.append(worst(np.column_stack([result["pin"][:, 1:], place]), expected))
        assert (result.info.dof, result.info.redundant) == (1, 0)
    assert errors[1] <= 2e-4 and errors[1] <= errors[0] / 3.5, errors
    assert errors[2] <= 1e-6, errors


def test_start_of_the_crank_is_consistent() -> None:
    """The model states velocities of all bodies: assembly has nothing to correct."""
    mechanism = system("crank_dyads", k=9)
    q, v, rest = mechanism.q0, mechanism.v0, np.zeros(mechanism.n_q)
    assert np.abs(mechanism.rates(0.0, q, v, rest)[0]).max() <= 1e-12
    residual = mechanism.residual(0.0, q, v, rest, np.zeros(mechanism.n_lam))
    assert np.abs(residual[mechanism.n_q :]).max() <= 1e-14


def test_crank_of_any_size_has_the_same_types() -> None:
    keys = [{s.key for s in specify(read("crank_dyads", {"k": k}))} for k in (2, 30)]
    assert keys[0] == keys[1]


def test_chain_of_two_hinged_links_is_a_double_pendulum() -> None:
    t = np.linspace(0.0, 2.0, 21)
    mechanism = load("chain", n=2, width=1e-3)
    motion = double_pendulum.solve(double_pendulum.rods(), t, (0.0, 0.0))
    # There gravity points along -y and angles count towards +y; here along -z.
    elbow = np.stack([np.cos(motion.q), np.sin(motion.q)], axis=-1).sum(axis=1)
    result = run(mechanism, t, 1e-3, "rk4")
    assert worst(result["tip"][:, ::2], elbow) <= 1e-5


def test_chain_of_balls_keeps_energy_and_vertical_momentum() -> None:
    result = run(load("chain", n=3, kind="spherical"), np.linspace(0.0, 1.0, 11), 1e-3, "rk4")
    assert result.info.dof == 9
    assert result.counters.energy_drift <= 1e-6
    assert np.ptp(result["tip.y"]) > 0.3, "it turns"


@pytest.mark.parametrize(
    ("name", "wrong"), [("chain", {"kind": "rope"}), ("crank_dyads", {"geometry": "flat"})]
)
def test_unknown_variants_are_refused(name: str, wrong: dict[str, str]) -> None:
    with pytest.raises(ModelError, match="choose"):
        load(name, **wrong)
