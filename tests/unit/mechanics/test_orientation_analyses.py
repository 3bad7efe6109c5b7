"""Equilibria, modes, mobility and driven motions do not depend on the numbers of orientations."""

from functools import cache

import numpy as np
import pytest

from mbdgen import Model, kinematics, load, mobility, modes, statics
from mbdgen.errors import OptionError
from mbdgen.grouping.group_loading import groups_pay
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.limits import require
from mbdgen.runtime.methods.run_limits import GROUPS, RUN_LIMITS
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_features import features_of
from tests.physics.running import SOONEST

G = 9.81


@cache
def hanging(kind: str) -> System:
    """A heavy body on a ball joint, pulled aside by a damped spring."""
    m = Model("hanging", gravity=(0, 0, -G), coordinates=kind)
    turn = axis_angle((1, 2, 0.5), 0.4)
    body = m.body("body", 2, (0.2, 0.25, 0.05), centre_of_mass=(0.05, 0, -0.5), orientation=turn)
    m.spherical("pin", m.ground.at(), body.at())
    ends = m.ground.at(1, 0.5, -0.5), body.at(0.4, 0.1, -0.8)
    m.spring("spring", *ends, stiffness=40, length=0.3, damping=0.5)
    m.output("tip", body.at(0, 0, -1))
    m.output("side", body.at(1, 0, 0))
    return load(m, backend=SOONEST, layout="loop", second=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["euler-xyz", "direction-cosines", "gibbs", "rotation-vector", "euler-zxz"]
)
def test_equilibrium_and_modes(kind: str) -> None:
    """Newton's method ends at the last digits; eigenvalues of a regular problem lose few."""
    known, found = (statics(hanging(k)) for k in ("quaternion", kind))
    assert found.stability == known.stability == "stable"
    assert found.outputs == pytest.approx(known.outputs, abs=1e-10)
    np.testing.assert_allclose(found.stiffness, known.stiffness, rtol=1e-9)
    ours, theirs = (
        modes(hanging(kind), at=found.state),
        modes(hanging("quaternion"), at=known.state),
    )
    np.testing.assert_allclose(ours.eigenvalues, theirs.eigenvalues, rtol=1e-7, atol=1e-9)
    assert len(ours.eigenvalues) == 3
    np.testing.assert_allclose(
        np.abs(ours.eigenvalues) ** 2, known.stiffness, rtol=1e-2
    )  # weakly damped: the squares of the frequencies
    counted = mobility(hanging(kind))
    assert (counted.finite, counted.here.redundant) == (3, 0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gibbs", "direction-cosines"])
def test_structural_groups_do_not_move_them(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matrix R knows the displacements of unit vectors only: anything else would move wrongly."""
    with pytest.raises(OptionError, match=f"cannot move body 'body' with coordinates '{kind}'"):
        require(RUN_LIMITS, features_of(hanging(kind)), run=GROUPS)
    require(RUN_LIMITS, features_of(hanging("quaternion")), run=GROUPS)
    monkeypatch.setattr("mbdgen.grouping.group_loading.WORTHWHILE", 0)
    assert not groups_pay(hanging(kind))  # `auto` does not come to ask for a decomposition


@cache
def rod(kind: str, driven: bool = False) -> System:
    """A rod on a hinge along y, which begins 0.4 rad beside the vertical."""
    m = Model("rod", gravity=(0, 0, -G), coordinates=kind)
    turn = axis_angle((0, 1, 0), 0.4)
    body = m.body("rod", 1, (0.1, 0.1, 0.02), centre_of_mass=(0, 0, -0.5), orientation=turn)
    hinge = m.revolute("hinge", m.ground, body, at=(0, 0, 0), axis=(0, 1, 0))
    if driven:
        m.rotation_driver("motor", m.ground, body, axis=(0, 1, 0), angle=m.t)
    m.output("end", body.at(0, 0, -1))
    m.output("angle", hinge.angle)
    return load(m, backend=SOONEST, layout="loop", second=True)


@pytest.mark.slow
def test_an_equilibrium_where_numbers_fail_is_refused() -> None:
    """Zyz angles have no nutation there; stiffness and modes would be arbitrary numbers."""
    found = statics(rod("euler-xyz"))
    assert found.stiffness == pytest.approx([0.5 * G / 0.35], rel=1e-9)
    with pytest.raises(OptionError, match=r"'rod'.*'euler-zyz' fail.*'quaternion' never"):
        statics(rod("euler-zyz"))


@pytest.mark.slow
def test_driven_through_the_place_where_numbers_fail() -> None:
    """Positions are right on both sides; the place between is no bifurcation of the mechanism.

    Gibbs's vector has no other side: the motion ends there and the message says why.
    """
    t = np.linspace(0, 2.5, 51)
    plain, found = (kinematics(rod(kind, driven=True), t) for kind in ("quaternion", "euler-xyz"))
    np.testing.assert_allclose(plain.motion["end.x"], -np.sin(0.4 + t), atol=1e-9)
    assert plain.singular == ()
    reached = found.motion.t
    np.testing.assert_allclose(found.motion["end.x"], -np.sin(0.4 + reached), atol=1e-9)
    assert [one.kind for one in found.singular] == [
        "place where coordinates 'euler-xyz' of body 'rod' fail"
    ]
    assert found.singular[0].t == pytest.approx(np.pi / 2 - 0.4, abs=1e-6)
    ended = kinematics(rod("gibbs", driven=True), np.linspace(0, 3, 51)).motion
    assert not ended.success
    assert "place where coordinates 'gibbs' of body 'rod' fail" in ended.message
    np.testing.assert_allclose(ended["end.x"], -np.sin(0.4 + ended.t), atol=1e-9)
