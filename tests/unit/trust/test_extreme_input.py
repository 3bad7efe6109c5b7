"""Numbers, names and files at the edge of what there is: errors of ours, or results."""

from pathlib import Path

import pytest

from mbdgen.errors import MbdgenError, OptionError
from mbdgen.language.element_names import checked_name
from mbdgen.mubodyna.assignment_values import evaluate
from mbdgen.mubodyna.parse import parse
from mbdgen.mubodyna.write.model_text import identifier
from mbdgen.runtime.stepping.argument_validation import schedule, stops, time_span


@pytest.mark.parametrize(
    ("span", "h"),
    [((0, 1e308), 1e-3), ((0, 1), 1e-320), ((-1e308, 1e308), 1.0), ((0, 1e308), 5e-324)],
)
def test_spans_of_too_many_steps(span: tuple[float, float], h: float) -> None:
    with pytest.raises(OptionError, match="too small"):
        schedule(time_span(span), h, None)
    with pytest.raises(OptionError, match="too small"):
        schedule(time_span(span), h, list(span))
    assert len(stops(time_span(span), None).instants) == 2


def values(*lines: str) -> None:
    evaluate(parse("inBodies.m", "\n".join(lines) + "\n"), ("Body_struct",))


@pytest.mark.representatives(id=["lines0", "lines1", "lines2", "lines4", "lines5"])
@pytest.mark.parametrize(
    "lines",
    [
        ("a = " + "(" * 5000 + "1" + ")" * 5000,),
        ("a = " + "[" * 5000 + "1" + "]" * 5000,),
        ("a = " + "-" * 20000 + "1",),
        ("a = 1" + " + 1" * 20000,),
        ("a = [1 1; 1 1]", *["a = [a a; a a]"] * 40),
        ("a = ones(1000, 1)", "b = a * a'", *["b = [b b]"] * 40),
    ],
)
def test_expressions_without_an_end(lines: tuple[str, ...]) -> None:
    with pytest.raises(MbdgenError, match=r"nested too deeply|too long|are more than 1000"):
        values(*lines)


@pytest.mark.parametrize("folder", ["energy", "t", "q", "ground", "lam", "class", "1st", "x" * 300])
def test_folders_with_reserved_names(folder: str) -> None:
    assert checked_name(identifier(folder), "model")


def test_long_and_odd_names_of_outputs(tmp_path: Path) -> None:
    from mbdgen import Model

    m = Model("odd")
    ball = m.point_mass("ball", 1.0)
    with pytest.raises(MbdgenError):
        m.output("x" * 300, ball.at().x)
    with pytest.raises(MbdgenError):
        m.output("x", ball.at().x, unit="m\ud800")
