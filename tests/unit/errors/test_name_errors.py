"""Names: identifiers, not reserved, each once."""

import pytest

from mbdgen import Model
from mbdgen.language.element_names import LONGEST
from tests.unit.errors.refused import refused, two_bodies

BAD = ["", "a b", "a-b", "1a", "é", "a'b", 'a"b', "a\nb", "class", "None", "ground", "t", "__x"]


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("kind", ["model", "body", "parameter", "joint", "output"])
def test_bad_names(kind: str, name: str) -> None:
    def make() -> None:
        model = Model(name if kind == "model" else "fine")
        body = model.body(name if kind == "body" else "rod", 1.0, (1, 1, 1))
        model.parameter(name if kind == "parameter" else "length", 1.0)
        model.spherical(name if kind == "joint" else "ball", model.ground, body, at=(0, 0, 0))
        model.output(name if kind == "output" else "tip", body.at())

    with refused(repr(name)):
        make()


@pytest.mark.parametrize("name", [None, 5, 1.0, ["rod"], b"rod"])
def test_names_that_are_no_text(name: object) -> None:
    with refused(repr(name), "body"):
        Model("fine").body(name, 1.0)  # type: ignore[arg-type]
    with refused(repr(name), "model"):
        Model(name)  # type: ignore[arg-type]


def test_longest_name() -> None:
    assert Model("a" * LONGEST).name == "a" * LONGEST
    with refused("aaaa", "101 characters"):
        Model("a" * (LONGEST + 1))


@pytest.mark.parametrize("name", ["math", "abs", "float", "max", "min"])
def test_parameters_must_not_hide_what_the_generated_code_calls(name: str) -> None:
    with refused(repr(name), "parameter"):
        Model("fine").parameter(name, 1.0)


def test_each_name_once() -> None:
    with refused("'rod'", "twice"):
        two_bodies(lambda m, a, b: m.body("rod", 1.0))
    with refused("'rod'", "twice"):
        two_bodies(lambda m, a, b: m.spherical("rod", a, b, at=(0, 0, 0)))
    with refused("'rod'", "twice"):
        two_bodies(lambda m, a, b: m.parameter("rod", 1.0))
    with refused("'tip'", "twice"):
        two_bodies(lambda m, a, b: [m.output("tip", a.at()) for _ in range(2)])


def test_an_output_may_be_called_like_a_body() -> None:
    model = two_bodies(lambda m, a, b: m.output("rod", a.at()))
    assert list(model.outputs) == ["rod"]
