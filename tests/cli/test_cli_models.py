"""``mbdgen models``: what is shipped, and what can be chosen about one model."""

import json
from pathlib import Path

import pytest

from mbdgen.errors import ModelError
from mbdgen.language.model_files import shipped
from mbdgen.language.model_outline import Argument, outline


def test_shipped_models_as_data(call) -> None:
    found = json.loads(call("models", "--json").stdout)
    assert [one["name"] for one in found] == shipped()
    (bars,) = [one for one in found if one["name"] == "n_four_bar"]
    assert bars["arguments"][0] == {"name": "n", "default": "2", "text": "Number of four-bars."}


def test_one_model_with_its_arguments(call, ball: Path) -> None:
    done = call("models", ball, "-o", "mass=3", "--json")
    data = json.loads(done.stdout)
    assert data["parameters"] == [{"name": "mass", "value": 3.0, "unit": "kg"}]
    assert (data["bodies"], data["outputs"]) == (["ball"], ["height"])
    text = call("models", ball).stdout
    assert "argument push = 0.0" in text and "parameter mass = 1 kg" in text


@pytest.mark.parametrize("model", ["bricard", "n_four_bar", "pendulum"])
def test_every_coordinate_that_is_offered_can_be_had(model: str, call) -> None:
    from mbdgen.language.read import read

    offered = json.loads(call("models", model, "--json").stdout)["coordinates"]
    assert offered[-2:] == ["relative", "auto"] and len(offered) > 3
    for name in offered:
        assert read(model, {}, name).bodies


def test_a_model_that_is_missing(call) -> None:
    done = call("models", "pendlum")
    assert done.exit_code == 2 and "Did you mean 'pendulum'" in done.stderr


def test_outline_does_not_execute(tmp_path: Path) -> None:
    path = tmp_path / "careful.py"
    path.write_text(
        '"""A title\non two lines.\n\nMore."""\nraise SystemExit\n'
        "def model(a, b=2 * 3, /, *, c=(1, 'x')):\n"
        '    """Do.\n\n    Parameters\n    ----------\n    a, b : float\n        First\n'
        '        lines.\n\n    Returns\n    -------\n    c : int\n    """\n',
        "utf-8",
    )
    found = outline(path)
    assert found.title == "A title on two lines." and found.is_model
    texts = (Argument("a", None, "First lines."), Argument("b", "2 * 3", "First lines."))
    assert found.arguments == (*texts, Argument("c", "(1, 'x')"))
    assert [str(argument) for argument in found.arguments] == ["a", "b=2 * 3", "c=(1, 'x')"]


@pytest.mark.parametrize("content", [b"def model(:", b"\xff", b"x\0", b"(" * 10_000])
def test_outline_of_what_is_no_python(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"'odd\.py' is no Python file"):
        outline(path)


def test_progress_in_lines(call) -> None:
    done = call("run", "pendulum", "--t", "20", "--progress-lines", "-q")
    shares = [float(line.split()[1]) for line in done.stderr.splitlines()]
    assert shares[0] == 0.0 and len(shares) > 1
    assert shares == sorted(shares) and shares[-1] <= 1.0


def test_a_studio_that_cannot_begin(call, tmp_path: Path) -> None:
    for words, culprit in (
        (("pendlum",), "Did you mean 'pendulum'"),
        (("--models", "nowhere"), "no folder 'nowhere'"),
        (("--seconds", "0"), "--seconds 0"),
    ):
        done = call("studio", "--no-browser", *words)
        assert done.exit_code == 2 and culprit in done.stderr
