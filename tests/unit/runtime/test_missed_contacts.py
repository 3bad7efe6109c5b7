"""Contacts that are stepped over, or over within two steps, are told, and what step would do."""

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate, simulate_many
from mbdgen.errors import AccuracyWarning
from mbdgen.runtime.monitors.contact_events import Contacts
from mbdgen.runtime.monitors.contact_gaps import Columns, stretches
from mbdgen.runtime.monitors.missed_contacts import MANY, Findings, Missed
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System

pytestmark = pytest.mark.filterwarnings("ignore::mbdgen.errors.AccuracyWarning")
SPEED, STIFFNESS, RADIUS = 10.0, 1e6, 0.05
LASTS = np.pi * np.sqrt(0.5 / STIFFNESS)
"""Two unit masses between which there is a linear spring."""


@cache
def two_spheres() -> System:
    """Two spheres that cross each other's way, and a third one that flies beside them."""
    model = Model("two_spheres", gravity=(0, 0, 0))
    given: dict[str, Any] = {"radius": RADIUS}
    one = model.point_mass("one", 1.0, position=(-0.5, 0, 0), velocity=(SPEED, 0, 0), **given)
    other = model.point_mass("other", 1.0, position=(0.5, 0, 0), velocity=(-SPEED, 0, 0), **given)
    third = model.point_mass("third", 1.0, position=(-0.5, 1, 0), velocity=(SPEED, 0, 0), **given)
    law = {"law": "hertz", "stiffness": STIFFNESS, "exponent": 1}
    model.contacts("all", [one, other, third], **law)
    return load(model)


@cache
def ball_on_plane() -> System:
    model = Model("ball_on_plane", gravity=(0, 0, -9.81))
    balls = [
        model.point_mass(f"ball{k}", 1.0, position=(k, 0, 1.0), velocity=(0, 0, v), radius=RADIUS)
        for k, v in enumerate((-50.0, 0.0))
    ]
    floor = model.ground.at(0, 0, 0, axis=(0, 0, 1))
    law = {"law": "hertz", "stiffness": 1e5, "exponent": 1}
    model.contacts("floor", balls, planes=[floor], **law)
    return load(model)


def run(h: float, method: str = "rk4", t: float = 0.1, **given: Any) -> Result:
    return simulate(two_spheres(), (0, t), method, h=h, **given)


def told(result: Result) -> str:
    found = [text for text in result.warnings if text.startswith("The contact of")]
    assert len(found) == (result.accuracy.missed_contacts > 0)
    return found[0] if found else ""


def test_two_spheres_that_fly_through_each_other() -> None:
    # A step leads from 0.06 m to -0.06 m: no evaluation of rk4 finds them in contact.
    system = two_spheres()
    place = system.q0.copy()
    try:
        system.q0[0], system.q0[3] = -0.72, 0.72
        result = simulate(system, (0, 0.15), "heun", h=0.03)
    finally:
        system.q0[:] = place
    assert result.v[-1, 0] == SPEED  # as if there had been nothing
    assert result.success
    text = told(result)
    assert "The contact of 'one' and 'other' was stepped over near t = 0.06 s" in text
    assert f"it lasts about {LASTS * 3 / np.pi:.2g} s, a step 0.03 s. Steps of 0.0001 s" in text
    assert result.accuracy.missed_contacts == 1
    assert result.accuracy.advice == "Steps of 0.0001 s would do."


@pytest.mark.parametrize(("h", "steps"), [(1e-2, "1 step"), (2e-3, "1 step")])
def test_a_contact_of_one_step(h: float, steps: str) -> None:
    result = run(h)
    assert f"was seen by {steps} only near t = 0.04" in told(result)
    assert not result.success  # its energy


@pytest.mark.parametrize("method", ["rk4", "heun"])
def test_fine_steps_are_silent(method: str) -> None:
    result = run(1e-4, method)
    assert result.success
    assert not result.warnings
    assert result.v[-1, 0] == pytest.approx(-SPEED, rel=4e-3)


def test_the_step_that_is_recommended_does() -> None:
    text = told(run(1e-2))
    step = float(text.rpartition("Steps of ")[2].split()[0])
    result = run(step)
    assert not result.warnings
    assert result.v[-1, 0] == pytest.approx(-SPEED, rel=4e-3)


def test_instants_that_are_recorded_change_nothing() -> None:
    coarse = run(2e-3, t_eval=[0.0, 0.1])
    assert told(coarse) == told(run(2e-3))
    assert coarse.q.shape[0] == 2
    seen: list[float] = []
    called = run(2e-3, t_eval=[0.0, 0.05, 0.1], callback=lambda t, q, v: seen.append(t))
    assert told(called) == told(coarse)
    assert seen == [0.0, 0.05, 0.1]
    assert called.q[-1] == pytest.approx(coarse.q[-1], abs=1e-9)
    watched = run(2e-3, events=lambda t, q, v: q[0] - 5.0)
    assert told(watched) == told(coarse)


@pytest.mark.parametrize("method", ["solve-ivp", "cvode"])
def test_steps_of_a_library(method: str) -> None:
    result = run(1e-3, method)
    assert result.v[-1, 0] == pytest.approx(SPEED)
    assert "was stepped over" in told(result)


def test_steps_by_their_error() -> None:
    fine = run(1e-3, "dopri5", rtol=1e-8, atol=1e-8)
    assert not fine.warnings
    assert fine.v[-1, 0] == pytest.approx(-SPEED, rel=1e-5)
    coarse = run(1e-3, "dopri5", rtol=1e-2, atol=1e-3)
    assert "was seen by 2 steps only" in told(coarse)


def test_a_plane() -> None:
    system = ball_on_plane()
    coarse = simulate(system, (0, 0.1), "heun", h=1e-2)
    assert "'ball0' and the plane with the normal (0, 0, 1) was" in told(coarse)
    fine = simulate(system, (0, 0.1), "heun", h=1e-4)
    assert not fine.warnings
    assert fine.v[-1, 2] > 45.0


def test_members_of_ensembles_warn() -> None:
    system = two_spheres()
    given: dict[str, Any] = {"q0": system.q0[None], "method": "rk4"}
    with pytest.warns(AccuracyWarning, match="The contact of 'one' and 'other'"):
        simulate_many(system, (0, 0.1), h=2e-3, **given)
    with warnings.catch_warnings():
        warnings.simplefilter("error", AccuracyWarning)
        simulate_many(system, (0, 0.05), h=1e-4, **given)


def test_spheres_that_graze_each_other_do_not_matter() -> None:
    system = two_spheres()
    place = system.q0.copy()
    try:
        system.q0[4] = 2 * RADIUS * (1.0 - 1e-5)  # the chord is shorter than a step
        result = run(1e-4)
    finally:
        system.q0[:] = place
    assert result.accuracy.missed_contacts == 0
    assert abs(result.v[-1, 1]) < 0.1


def test_an_impact_of_few_divisions() -> None:
    def fallen(divisions: float) -> Result:
        model = Model("fallen", gravity=(0, 0, -9.81))
        ball = model.point_mass("ball", 1.0, position=(0, 0, 1.0))
        how = {"stiffness": 1e7, "divisions": divisions}
        model.point_plane("floor", ball, model.ground, normal=(0, 0, 1), **how)
        return simulate(load(model), (0, 0.7), "rk4", h=1e-2)

    assert fallen(60).accuracy.missed_contacts == 0
    coarse = fallen(1.5)
    assert coarse.accuracy.missed_contacts == 1
    assert "The contact 'floor' was seen by" in coarse.warnings[0]


def test_an_open_contact_that_closes_and_opens_within_a_step() -> None:
    class Looked(Contacts):
        def __init__(self, before: list[float], after: list[float]) -> None:
            self.names, self.missed = ["rim"], Findings()
            self._looked = np.array([[*before, 1.0]]), np.array([[*after, 1.0]])

        def is_closed(self, k: int) -> bool:
            return False

    # Rates of a depth that rises by 9, falls and rises again, through -1 at both ends.
    through = Looked([-1.0, 30.0], [-1.0, 30.0])
    through.pass_over(0.0, 1.0, 1)
    assert through.missed.count == 1
    assert through.missed.found[0].lasts < 0.5
    for before, after in (([-1.0, 1.0], [-0.5, 0.5]), ([-5.0, 30.0], [-5.0, 30.0])):
        smooth = Looked(before, after)
        smooth.pass_over(0.0, 1.0, 1)
        assert smooth.missed.count == 0


def test_counts_and_words() -> None:
    findings = Findings()
    assert findings.text == ""
    for k in range(MANY):
        findings.add(Missed("The contact of 'a' and 'b'", 0.1 * k, 2 - (k > 3), 2e-3, 1e-3))
    assert len(findings.found) == 2
    assert "was seen by 1 step only near t = 0.4 s" in findings.text
    assert f"at least {MANY} contacts of fewer than 3 steps" in findings.text


def test_columns_and_stretches() -> None:
    table = np.arange(40.0).reshape(2, 20)
    for places in ([0, 7, 14], [3], [0, 4, 17]):
        found = Columns(np.array(places)).of(table)
        assert np.array_equal(found, table[:, np.array(places)[:, None] + np.arange(3)])
    assert stretches(np.array([True, False, True, True])) == [(0, 1), (2, 4)]
