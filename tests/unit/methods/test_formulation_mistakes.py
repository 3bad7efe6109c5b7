"""Mistakes of those who write formulations, projectors, general steps: what is wrong, and where."""

from dataclasses import replace
from typing import Any

import pytest

from mbdgen import load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.formulations.base import Formulation, by_lu, nothing_depends
from mbdgen.runtime.formulations.baumgarte import FORMULATION
from mbdgen.runtime.integrators.newmark import METHOD
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.scheme import choose
from mbdgen.runtime.projections.base import leave
from mbdgen.runtime.projections.mass import PROJECTOR
from mbdgen.runtime.solvers.scheme_functions import completes, eliminates, general_step, slopes


def option(name: str, default: float = 0.5) -> Option:
    return Option(name, default, 0.0, 1.0, "a number")


def undecorated(work: Any, dense: Any) -> int:
    return 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": (option("method"),)}, "option 'method', which users cannot give"),
        ({"options": (option("preset"),)}, "option 'preset', which users cannot give"),
        ({"options": (option("mu"), option("mu"))}, "2 options 'mu'"),
        ({"options": (option("mu", 2.0),)}, "default 2 of option 'mu' .* 0 to 1"),
        ({"weights": lambda values: (0.0, 0.0, 1.0)}, "returns .*Return four numbers"),
        ({"weights": lambda values: (0.0, 0.0, 1.0, "0")}, "returns .*Return four numbers"),
        ({"weights": lambda values: None}, "fails: .*Return four numbers"),
        ({"weights": lambda values: (values[9], 0.0, 1.0, 0.0)}, "fails: .*Return four numbers"),
        ({"weights": lambda: (0.0, 0.0, 1.0, 0.0)}, "fails: .*Return four numbers"),
        ({"weights": lambda values: (0.0, -1.0, 1.0, 0.0)}, "none below zero"),
        ({"weights": lambda values: (0.0, 0.0, 1.0, -1e-6)}, "none below zero"),
        ({"weights": lambda values: (0.0, 0.0, 0.0, 1e-6)}, "one of the first three above it"),
        ({"weights": lambda values: (0.0, 1.0, 0.0, 0.0)}, "w_2 = 0.*slope=None"),
        ({"levels": ("positions",)}, "level 'positions'.*position, velocity, acceleration"),
        ({"eliminate": None}, r"no eliminate .*eliminate\(work, dense\) with @eliminates"),
        ({"eliminate": undecorated}, "with @eliminates"),
        ({"eliminate": nothing_depends}, "with @eliminates"),
        ({"complete": by_lu}, "with @completes"),
        ({"slope": by_lu}, "with @slopes"),
        ({"solve": by_lu}, "with @solves"),
    ],
)
def test_wrong_formulation(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        replace(FORMULATION, **changes)
    assert "ormulation 'baumgarte'" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"change": undecorated}, "with @eliminates"), ({"project": leave}, "with @projects")],
)
def test_wrong_projector(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        replace(PROJECTOR, **changes)
    assert "Projector 'mass'" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"needs": "slopes"}, "Say one of: slope, jerk"), ({"rows": -1}, "has -1 rows")],
)
def test_wrong_general_method(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        replace(METHOD, **changes)


def test_options_of_a_formulation_differ_from_those_of_the_method() -> None:
    twice = replace(FORMULATION, options=(option("beta"),), weights=lambda values: (1, 1, 1, 0))
    assert choose("rk4", twice).formulation is twice
    with pytest.raises(OptionError, match=r"'newmark'.*'baumgarte'.*both .*'beta'.*Rename"):
        choose("newmark", twice)


def test_weights_are_checked_for_the_values_of_a_run() -> None:
    soft = replace(FORMULATION, options=(option("mu"),), weights=lambda v: (1.0, 1.0, v[0], 0.0))
    with pytest.raises(OptionError, match="w_2 = 0"):
        simulate(load("pendulum"), (0, 0.1), "rk4", 0.01, formulation=soft, mu=0.0)


@eliminates
def unknown_field(work: Any, dense: Any) -> int:
    return int(dense.tableau[0])


@completes
def too_few(kernels: Any, work: Any) -> int:
    return 0


@slopes
def nothing_returned(
    eliminate: Any,
    complete: Any,
    kernels: Any,
    work: Any,
    state: Any,
    dense: Any,
    t: Any,
    y: Any,
    y_dot: Any,
) -> None:
    y_dot[0] = 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"eliminate": unknown_field},
            r"'unknown_field' in .* eliminate .* eliminate\(work, d",
        ),
        (
            {"complete": too_few},
            r"'too_few' in .* complete .* complete\(kernels, work, st",
        ),
        ({"slope": nothing_returned}, r"'nothing_returned' in .* slope .* slope\(eliminate, compl"),
    ],
)
def test_parts_that_cannot_be_compiled(changes: dict[str, Any], message: str) -> None:
    broken: Formulation = replace(FORMULATION, **changes)
    with pytest.raises(OptionError, match=f"(?s){message}") as caught:
        simulate(load("pendulum"), (0, 0.1), "rk4", 0.01, formulation=broken)
    assert __file__ in str(caught.value)


@general_step
def step(kernels: Any, work: Any, state: Any, h: Any, options: Any, parts: Any, dense: Any) -> int:
    return int(work.remembered[0])


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (__name__, r"'step' in .*step of a scheme.*remembered.*step\(kernels, work"),
        (
            "mbdgen.runtime.steps.butcher_tableau",
            "'mbdgen.runtime.steps.butcher_tableau' has no step .*@general_step",
        ),
        ("mbdgen.runtime.missing", "No module named 'mbdgen.runtime.missing'.*@general_step"),
    ],
)
def test_general_step_that_cannot_be_compiled(module: str, message: str) -> None:
    method = replace(METHOD, name="mine", step=None, fused_step="", general=module)
    with pytest.raises(OptionError, match=f"(?s){message}"):
        simulate(load("pendulum"), (0, 0.1), method, 0.01, formulation="index1")
