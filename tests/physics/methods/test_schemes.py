"""Every formulation and every integrator on every problem: one suite, nothing named by hand.

Formulations run with ``rk4`` and ``newmark``, whichever they fit; integrators run by themselves and
with ``index1`` or ``index3``. The full matrix of all pairs is in the slow tests.
"""

from dataclasses import replace

import pytest

from mbdgen.runtime import formulations, integrators, projections
from mbdgen.runtime.methods.scheme import choose
from tests.schemes import (
    PROBLEMS,
    all_pairs,
    complaints,
    examined,
    halved,
    may_break,
    named,
    reason_against,
)

NEIGHBOURS = {"slope": "rk4", "solve": "newmark"}
"""Methods that a formulation is tested with."""
FITTING = "A02"
"""A problem that no scheme refuses: the default run puts all of them through it."""


def pairs() -> list[str]:
    """Every formulation with a method, every method with a formulation, every projector."""
    found = []
    for name in formulations.known():
        formulation = formulations.formulation(name)
        found += [
            f"{method} + {name}"
            for part, method in NEIGHBOURS.items()
            if getattr(formulation, part) is not None
        ]
    for name in integrators.known():
        method = integrators.method(name)
        if method.library:
            continue  # its steps are its own: tests/unit/methods/test_external_integrators.py
        found.append(name)
        if method.general and method.needs != "nothing":
            found.append(f"{name} + {'index1' if method.needs in ('slope', 'jerk') else 'index3'}")
    found += [f"rk4 + index1 + {name}" for name in projections.known()]
    return list(dict.fromkeys(found))


def check(name: str, text: str) -> None:
    """Order, constraints of the levels that are promised, the solution itself, and restarts."""
    if reason := reason_against(name, named(text)):
        pytest.skip(reason)
    _, wrong = examined(name, text)
    assert not wrong, "\n".join(wrong)


@pytest.mark.representatives
@pytest.mark.parametrize("text", pairs())
@pytest.mark.parametrize("name", sorted(PROBLEMS, key=lambda name: name != FITTING))
def test_scheme(name: str, text: str) -> None:
    check(name, text)


@pytest.mark.parametrize(
    "text", ["cd-jerk + maggi", "cd-jerk + matrix-r", "cd-jerk + maggi-frozen"]
)
@pytest.mark.parametrize("name", ["pendulum", "top"])
def test_choices_are_renewed_by_steps_that_end_at_a_known_slope(name: str, text: str) -> None:
    """They were not, and the runs came to positions that the first choice does not suit.

    The frozen basis was, but too late for a top that makes half a turn within ten steps.
    """
    check(name, text)


def test_a_broken_run_is_no_solution() -> None:
    """Nobody looked whether the run with the shortest steps is a success."""
    found = halved("pendulum", "rk4")
    assert not complaints("pendulum", "rk4", found)
    last = replace(found.last, success=False, message="Broken.")
    wrong = complaints("pendulum", "rk4", replace(found, last=last))
    assert wrong == ["the run with the shortest steps is broken: Broken."]
    assert may_break(named("rk4 + staggered")) and not may_break(named("rk4 + index1"))


@pytest.mark.slow
@pytest.mark.parametrize("text", all_pairs())
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_pair(name: str, text: str) -> None:
    check(name, text)


def test_names_of_options_are_distinct() -> None:
    """Users write options of methods and of formulations alike."""
    known = [formulations.formulation(name) for name in formulations.known()]
    of_formulations = {option.name for f in known for option in f.options}
    for name in integrators.known():
        assert not of_formulations & {option.name for option in integrators.method(name).options}


def test_every_one_says_what_it_is() -> None:
    for folder, get in (
        (integrators, integrators.method),
        (formulations, formulations.formulation),
        (projections, projections.projector),
    ):
        for name in folder.known():
            found = get(name)
            assert found.text
            assert found.citation() or name == "none"


def test_impossible_pairs_name_possible_ones() -> None:
    with pytest.raises(Exception, match="no explicit ones") as caught:
        choose("rk4", "index3")
    assert "index1" in str(caught.value) and "baumgarte" in str(caught.value)
