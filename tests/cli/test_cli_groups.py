"""Structural groups on the command line."""

import pytest
from typer.testing import CliRunner

from mbdgen.cli.app import app

RUN = ["run", "slider_crank", "--t", "0.02", "--h", "0.01", "-q"]


def call(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, list(words))
    return found.exit_code, found.output + str(found.exception or "")


def test_diagram() -> None:
    code, text = call("show", "slider_crank", "--graph", "--input", "crank.theta")
    assert code == 0 and "SG-2  level 2  (2, 0)  rod, slider" in text and "g1 -> g2;" in text


@pytest.mark.parametrize("words, message", [
    (["--solver", "some"], "no solver 'some'"),
    (["--input", "crank.theta"], "Add --solver groups"),
    (["--solver", "groups"], "do not serve method 'newmark'"),
])  # fmt: skip
def test_mistakes(words: list[str], message: str) -> None:
    code, text = call(*RUN, *words)
    assert code != 0 and message in text
