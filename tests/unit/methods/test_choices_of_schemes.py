"""What options change: the order; what they are for: one treatment of the constraints or any."""

import re

import numpy as np
import pytest

from mbdgen import load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime import formulations, integrators, projections
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods import method_summary
from mbdgen.runtime.methods.scheme import choose
from tests.convergence import study


@pytest.mark.parametrize(
    ("method", "formulation", "options", "order"),
    [
        ("newmark", None, {"preset": "damped"}, 1),
        ("newmark", "index3", {"preset": "damped"}, 1),
        ("newmark", None, {"preset": "fox-goodwin"}, 2),
        ("collocation", None, {"gamma": 0.6}, 1),
        ("central-difference", "index1", {"beta": 0.6}, 1),
        ("central-difference", "index1", {"preset": "third-degree"}, 2),
        ("cd-jerk", None, {"gamma": 0.6}, 2),
        ("cd-jerk", None, {"gamma": 0.6, "beta": 0.6 - 1 / 6}, 3),
        ("cd-snap", None, {"beta": 0.9}, 3),
        ("adams", None, {"order": 4}, 4),
    ],
)
def test_orders_that_options_change(
    method: str, formulation: str | None, options: dict[str, float | str], order: int
) -> None:
    system = load("pendulum")
    scheme = choose(method, formulation, "mass" if formulation else None, options)
    assert scheme.order == order

    def end_of(h: float) -> np.ndarray:
        result = simulate(system, (0, 0.6), h=h, progress=False, **scheme.arguments)
        assert result.success, result.message
        return np.concatenate([result.q[-1], result.v[-1]])

    found = study(end_of, 0.6 / 100, levels=4)
    assert abs(found.orders[-1] - order) < 0.15, found.table


def test_the_order_of_the_null_space_method_depends_on_gamma() -> None:
    orders = [
        choose("nullspace-newmark", given={"preset": p}).order for p in ("damped", "trapezoidal")
    ]
    assert orders == [1, 2]


def test_shared_reactions_are_those_of_the_own_treatment() -> None:
    assert choose("newmark", given={"shared": 0.0}).arguments["shared"] == 0.0
    with pytest.raises(
        OptionError, match="'newmark' with formulation 'index3' has no option 'shared'"
    ):
        choose("newmark", "index3", given={"shared": 0.0})
    with pytest.raises(OptionError, match="no option 'shared'"):
        choose("newmark", projection="mass", given={"shared": 1.0})
    with_it = choose("newmark", "index3")
    assert "shared" not in with_it.arguments
    assert with_it.values == choose("newmark").values


_AUTHOR = re.compile(r"^[A-Z]\.[^:]*: ")
_YEAR = re.compile(r"\b(1[5-9]|20)\d\d\b")


def test_every_citation_has_authors_a_title_and_a_year() -> None:
    found = {
        **{name: integrators.method(name).citation() for name in integrators.known()},
        **{name: formulations.formulation(name).citation() for name in formulations.known()},
        **{name: projections.projector(name).citation() for name in projections.known()},
    }
    del found["none"]
    for name, citation in found.items():
        author = _AUTHOR.match(citation)
        assert author, (name, citation)
        title = citation[author.end() :].partition(",")[0]
        assert len(title) > 10 and _YEAR.search(citation), (name, citation)


def test_traits() -> None:
    def of(name: str) -> tuple[str, str, str]:
        method = integrators.method(name)
        return (
            method_summary.kind(method),
            method_summary.equations(method),
            method_summary.adaptive(method),
        )

    assert of("rk4") == ("explicit", "ODE", "doubling")
    assert of("dopri5") == ("explicit", "ODE", "embedded")
    assert of("newmark") == ("implicit", "index 1 to 3", "embedded")
    assert of("dimcd")[:2] == ("explicit", "constraints of its own")
    assert of("nullspace-newmark")[0] == "implicit"
    assert of("cvode") == ("implicit", "ODE", "library")
    assert of("ida") == ("implicit", "index 1 to 3", "library")
    assert of("solve-ivp")[0] == "explicit or implicit"
    fixed = Method("fixed", "index1", 1, general="nowhere", varies=False)
    assert method_summary.adaptive(fixed) == "no"
