"""What an order may say, and the command line that it becomes."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from mbdgen.errors import MbdgenError, OptionError
from mbdgen.studio import command
from mbdgen.studio.catalogue import Catalogue
from mbdgen.studio.order import Order, ordered
from mbdgen.studio.reply import Refusal
from mbdgen.studio.run_bounds import RunBounds
from tests.studio.client import Client
from tests.studio.conftest import CHOICES

MOST_STEPS = 1e6


def order(models: Path, **given: Any) -> Order:
    return ordered({"model": "own/ball", **given}, Catalogue(models), CHOICES, MOST_STEPS)


@pytest.mark.parametrize(
    ("given", "culprit"),
    [
        ({"metod": "rk4"}, "There is no field 'metod'"),
        ({"arguments": {"mas": 1}}, "'ball' has no argument 'mas'"),
        ({"arguments": [1]}, "arguments is [1]"),
        ({"arguments": {"mass": [1]}}, "mass is [1]"),
        ({"arguments": {"mass": 1e400}}, "mass is not a finite number"),
        ({"arguments": {"name": "a\nb"}}, "name is 'a\\nb'"),
        ({"arguments": {"name": "a\0b"}}, "name is 'a\\x00b'"),
        ({"arguments": {"name": "\ud800"}}, "name is"),
        ({"arguments": {"name": "x" * 500}}, "name is"),
        ({"arguments": {"name": "$(reboot)"}}, "name is '$(reboot)'"),
        ({"arguments": {"name": "/etc/passwd"}}, "name is '/etc/passwd'"),
        ({"parameters": {"mass": "1"}}, "mass is '1', which is not a number"),
        ({"parameters": {"mass": True}}, "mass is True"),
        ({"parameters": {"mass": 10**400}}, "mass is not a finite number"),
        ({"parameters": {"--csv": 1}}, "a parameter is '--csv'"),
        ({"duration": -1}, "out of range"),
        ({"duration": 1e9}, "out of range"),
        ({"h": 0}, "step h = 0 is out of range"),
        ({"h": -1e-3}, "out of range"),
        ({"h": 1e-9}, "are over 1e+06 steps"),
        ({"start": None}, "start is None"),
        ({"rtol": 2}, "rtol = 2 is out of range"),
        ({"method": "eulr"}, "There is no method 'eulr'"),
        ({"method": ["rk4"]}, "There is no method"),
        ({"formulation": "../x"}, "There is no formulation"),
        ({"projection": 1}, "There is no projection 1"),
        ({"coordinates": "os:system"}, "coordinates is 'os:system'"),
        ({"options": {"beta": "a b"}}, "beta is 'a b'"),
        ({"options": {"-h": 1}}, "an option is '-h'"),
        ({"files": ["exe"]}, "There is no format 'exe'"),
        ({"files": "csv"}, "files is 'csv'"),
        ({"files": [{}]}, "There is no format"),
    ],
)
def test_what_cannot_be_is_refused_by_name(
    models: Path, given: dict[str, Any], culprit: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        order(models, **given)
    assert refusal.value.status == 400
    assert culprit in refusal.value.cause and refusal.value.remedy


def test_a_model_that_cannot_be_read_says_why(models: Path) -> None:
    with pytest.raises(Refusal, match=r"'broken' cannot be read.*line 1"):
        order(models, model="own/broken")


def test_an_order_becomes_one_command(models: Path) -> None:
    chosen = order(
        models,
        arguments={"mass": 2, "push": -0.5, "name": "moon"},
        parameters={"mass": 0.1},
        start=1,
        duration=2.5,
        h=0.01,
        method="rk4",
        formulation="index1",
        projection="none",
        coordinates="relative",
        options={"order": 4},
        rtol=1e-6,
        files=["parquet", "csv", "csv"],
    )
    expected = (
        f"mbdgen run {models}/ball.py -o mass=2 -o push=-0.5 -o name=moon --coordinates relative "
        "--t 1:3.5 --h 0.01 --method rk4 --formulation index1 --projection none --rtol 1e-06 "
        "--set mass=0.1 --method-option order=4"
    )
    assert command.shown(chosen).startswith(f"{expected} ")
    assert "--csv ball.csv --save ball.parquet" in command.shown(chosen)
    done = command.executed(chosen)
    assert done[: len(shlex.split(expected)) - 1] == shlex.split(expected)[1:]
    assert "--progress-lines" in done


def test_what_nobody_has_changed_is_not_said(models: Path) -> None:
    told = command.shown(order(models, model="shipped/pendulum", files=[]))
    assert told.startswith("mbdgen run pendulum --t 10 --h 0.001 --method newmark")
    assert " -o " not in told and "--set" not in told


def test_the_command_is_told_as_it_would_be_run(client: Client) -> None:
    told = client.post("/api/command", {"model": "own/ball", "arguments": {"name": "'two words'"}})
    assert "-o 'name='\"'\"'two words'\"'\"''" in told.data["command"]
    assert shlex.split(told.data["command"])[4] == "name='two words'"


def test_the_list_has_models_of_the_folder_and_shipped_ones(models: Path) -> None:
    found = Catalogue(models).entries()
    own = [entry.name for entry in found.values() if entry.path]
    assert own == ["ball", "broken", "dies", "hungry", "never_ends"]  # notes.py is no model
    assert found["own/broken"].fault and "shipped/pendulum" in found
    (mass, push, _) = found["own/ball"].arguments
    assert (mass.default, push.text) == ("1.0", "Of the ball.")


def test_a_model_that_was_named_comes_first(models: Path) -> None:
    assert Catalogue(None, "bricard").first == "shipped/bricard"
    alone = Catalogue(None, str(models / "ball.py"))
    assert alone.first == "own/ball"
    assert [e.key for e in alone.entries().values() if e.path] == ["own/ball"]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Catalogue(Path("/nowhere")),
        lambda: Catalogue(None, "pendlum"),
        lambda: Catalogue(None, __file__),
        lambda: RunBounds(seconds=0.0),
        lambda: RunBounds(memory=float("nan")),
    ],
)
def test_what_a_studio_cannot_begin_with(wrong) -> None:
    with pytest.raises(MbdgenError) as error:
        wrong()
    assert error.value.remedy


def test_a_port_that_is_taken(client: Client) -> None:
    from mbdgen.studio.server import Server

    with pytest.raises(OptionError, match="--port"):
        Server(client.studio, client.server.door.port)
