"""The table of what works with what: what it allows runs and is right, what it refuses it says."""

import json
import warnings
from collections.abc import Callable, Iterable

import pytest
from typer.testing import CliRunner

from mbdgen.capabilities.axes import SHEETS, axis_values
from mbdgen.capabilities.capability_table import VERDICTS, Cell, cells, counts
from mbdgen.capabilities.feature_support import feature_named
from mbdgen.cli.app import app
from mbdgen.errors import AccuracyWarning, MbdgenError
from mbdgen.limits import FEATURES
from tests.backends.node import needs_node
from tests.capability_runs import built, do, sentence

TABLE = cells()
ALLOWED = [cell for cell in TABLE if cell.verdict == "works"]
REFUSED = [cell for cell in TABLE if cell.verdict != "works"]
SCHEMES = ("scheme", "method", "formulation")


def told(cell: Cell) -> str:
    return " x ".join(cell.values)


def wrong(some: Iterable[Cell], do: Callable[[Cell], None] = do) -> dict[tuple[str, str], str]:
    """Return which allowed cells do not run, or not rightly."""
    found = {}
    for cell in some:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AccuracyWarning)  # steps are long for some methods
            try:
                do(cell)
            except (MbdgenError, AssertionError) as error:
                found[cell.values] = f"{type(error).__name__}: {error}"
    return found


def unsaid(some: Iterable[Cell]) -> dict[tuple[str, str], str]:
    """Return which refused cells are done, or refused by another sentence."""
    found = {}
    for cell in some:
        try:
            with pytest.raises(MbdgenError, match=sentence(cell)):
                do(cell)
        except (pytest.fail.Exception, AssertionError) as error:
            found[cell.values] = str(error)
    return found


ONE_OF_EACH_LIMIT = {id(cell.limit): cell for cell in reversed(REFUSED)}.values()


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(c, marks=needs_node if "js" in c.values else (), id=told(c))
        for c in ONE_OF_EACH_LIMIT
    ],
)
def test_refused_by_the_table(cell: Cell) -> None:
    with pytest.raises(MbdgenError, match=sentence(cell)):
        do(cell)


OTHERS = [sheet.axes for sheet in SHEETS if sheet.axes[0] not in SCHEMES]


@pytest.mark.parametrize("axes", [axes for axes in OTHERS if "backend" not in axes], ids=" x ".join)
def test_runs_and_builds(axes: tuple[str, str]) -> None:
    """Runs are made, options of builds only built."""
    some = [cell for cell in ALLOWED if cell.axes == axes]
    assert some and not wrong(some, do if "run" in axes else built)


@needs_node
@pytest.mark.parametrize("axes", [axes for axes in OTHERS if "backend" in axes], ids=" x ".join)
def test_backends(axes: tuple[str, str]) -> None:
    """One run of C and one of JavaScript."""
    some = [cell for cell in ALLOWED if cell.axes == axes]
    named = {x: cell for cell in reversed(some) for x in cell.values if x in ("c", "js")}
    assert named and not wrong(named.values())


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("axes", OTHERS, ids=" x ".join)
def test_every_build(axes: tuple[str, str]) -> None:
    """Every combination without a method is built with C, or what can, and simulated."""
    assert not wrong(cell for cell in ALLOWED if cell.axes == axes)


OWN = [name for name, method in axis_values("method").items() if method.step is not None]
"""Methods with a step of their own, which many tests compile."""


@pytest.mark.parametrize("second", ["feature", "run", "control"])
def test_methods_by_themselves(second: str) -> None:
    """Every such method with every other feature, kind of run and demand on a run."""
    some = [c for c in ALLOWED if c.axes == ("scheme", second) and c.values[0] in OWN]
    assert {cell.values[0] for cell in some} == {*OWN} and {c.values[1] for c in some}
    assert not wrong(some[::2])


@pytest.mark.slow
@pytest.mark.parametrize("second", ["feature", "run", "control"])
def test_all_methods_by_themselves(second: str) -> None:
    assert not wrong(c for c in ALLOWED if c.axes == ("scheme", second) and c.values[0] in OWN)


@pytest.mark.slow
@pytest.mark.parametrize("second", ["feature", "run", "control"])
def test_other_methods_by_themselves(second: str) -> None:
    named = {*axis_values("method")} - {*OWN}
    some = [c for c in ALLOWED if c.axes == ("scheme", second) and c.values[0] in named]
    assert some and not wrong(some)


@pytest.mark.slow
def test_formulations() -> None:
    """Every formulation with one method, and all features among them."""
    hosts = {
        f"{'newmark' if part.slope is None else 'rk4'} + {name}"
        for name, part in axis_values("formulation").items()
    }
    hosted = [c for c in ALLOWED if c.axes[0] == "scheme" and c.values[0] in hosts]
    some = hosted[::3]
    assert {c.values[0].partition(" + ")[2] for c in some} == {*axis_values("formulation")}
    assert {c.values[1] for c in some if c.axes[1] == "feature"} == {*axis_values("feature")}
    assert not wrong(some)


@pytest.mark.slow
@pytest.mark.parametrize("method", axis_values("method"))
def test_the_whole_product(method: str) -> None:
    some = [c for c in ALLOWED if c.values[0].partition(" + ")[0] == method]
    assert some and not wrong(some)


@pytest.mark.slow
@pytest.mark.parametrize("axes", [sheet.axes for sheet in SHEETS], ids=" x ".join)
def test_every_refusal(axes: tuple[str, str]) -> None:
    assert not unsaid(cell for cell in REFUSED if cell.axes == axes)


@pytest.mark.slow
def test_formulations_and_projections() -> None:
    assert not wrong(c for c in ALLOWED if c.axes == ("formulation", "projection"))


def test_command() -> None:
    done = CliRunner().invoke(app, ["capabilities", "--json"])
    data = json.loads(done.stdout)
    assert [*data] == [*VERDICTS, "cells"] and data == {**data, **counts(TABLE)}
    assert len(data["cells"]) == len(TABLE) == sum(data[verdict] for verdict in VERDICTS)
    refused = [cell for cell in data["cells"] if cell["verdict"] != "works"]
    assert all(cell["reason"].endswith(".") and cell["remedy"] for cell in refused)
    text = CliRunner().invoke(app, ["capabilities"]).stdout
    assert text.splitlines()[-1] == (
        f"all: {data['works']} work, {data['theory']} theory, {data['missing']} missing"
    )


def test_of_a_model() -> None:
    done = CliRunner().invoke(app, ["capabilities", "--model", "rolling_disc", "--json"])
    data = json.loads(done.stdout)
    features = {cell["values"][1] for cell in data["cells"]}
    assert features == {"rolling"}
    (cell,) = [c for c in data["cells"] if c["values"] == ["nullspace-newmark", "rolling"]]
    assert cell["reason"].endswith("but 'rolling' constrains velocities.")
    bare = CliRunner().invoke(app, ["capabilities", "-o", "radius=1"])
    assert bare.exit_code == 2


def test_of_a_feature() -> None:
    """By its name or by what it is called; each axis with what serves it and the reasons."""
    text = CliRunner().invoke(app, ["capabilities", "--feature", "Joint-friction"]).stdout
    assert text.startswith("reactions: ")
    lines = text.splitlines()
    assert "backend: c, numba" in lines and "  not js (missing)" in lines
    assert any(line.startswith("  not cd-jerk-analytic, central-difference,") for line in lines)
    assert any(line.startswith("formulation: baumgarte, index1, penalty with ") for line in lines)
    data = CliRunner().invoke(app, ["capabilities", "--feature", "friction", "--json"]).stdout
    found = {(*c["axes"], *c["values"]): c["verdict"] for c in json.loads(data)["cells"]}
    assert {key[1] for key in found} == {"feature"} and {key[3] for key in found} == {"reactions"}
    assert found["scheme", "feature", "newmark", "reactions"] == "works"
    assert found["backend", "feature", "js", "reactions"] == "missing"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["frction"], "no feature 'frction' of models. Did you mean 'friction'?"),
        (["xyzzy"], "no feature 'xyzzy' of models. There are: contacts, crowds"),
        (["orientations"], "one of several features. Did you mean 'displacements' or 'charts'?"),
        (["rolling", "--model", "pendulum"], "'pendulum' has no rolling. Leave --feature"),
    ],
)
def test_features_that_there_are_not(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(app, ["capabilities", "--feature", *arguments])
    assert done.exit_code == 2 and sentence in " ".join(done.stderr.split())


def test_words_of_features_are_unique() -> None:
    words = [word for name, feature in FEATURES.items() for word in (name, *feature.words)]
    assert len({feature_named(word) for word in words}) == len(FEATURES) < len(words)
