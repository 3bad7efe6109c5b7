"""Files that somebody puts into a folder of the package, and classes given to `m.add`."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mbdgen import Model, finding
from mbdgen.analyses import by_name as analyses_by_name
from mbdgen.analyses.base import Analysis
from mbdgen.bodies.base import BodyKind
from mbdgen.errors import BuildError, ModelError, OptionError
from mbdgen.forces.base import Force
from mbdgen.joints.base import Joint
from mbdgen.language import registry
from mbdgen.outputs.base import OutputKind
from tests.unit.errors.refused import refused, two_bodies

JOINT = """\
from dataclasses import dataclass
from typing import Any
from mbdgen.joints.base import Joint

@dataclass(frozen=True)
class {cls}(Joint):
    name = {name!r}
    slack: Any = 0.0

    def equations(self, a, b):
        return []
"""
Folder = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Return a function that writes files into a new package and returns its name."""
    monkeypatch.syspath_prepend(tmp_path)
    for remembered in (registry.elements, registry.body_kinds, analyses_by_name.analyses):
        remembered()  # what is shipped, before a test looks elsewhere

    def write(**files: str) -> str:
        package = tmp_path / f"plug_{tmp_path.name}"
        package.mkdir()
        for name, text in {"__init__": "", **files}.items():
            (package / f"{name}.py").write_text(text, "utf-8")
        importlib.invalidate_caches()
        return package.name

    return write


def test_two_classes_of_one_name(folder: Folder) -> None:
    text = JOINT.format(cls="One", name="same"), JOINT.format(cls="Two", name="same")
    package = folder(one=text[0], two=text[1])
    with refused("class One", "one.py", "class Two", "two.py", "'same'", kind=BuildError):
        finding.classes(package, Joint)


def test_one_class_under_two_names_is_legal(folder: Folder) -> None:
    package = folder(one=JOINT.format(cls="One", name="one") + "\nOld = One\n")
    assert list(finding.classes(package, Joint)) == ["one"]


def test_one_name_in_two_folders(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    package = folder(mine=JOINT.format(cls="Mine", name="spring"))
    monkeypatch.setattr(registry, "_ELEMENTS", ("mbdgen.forces", package))
    with refused("class Spring (generator/forces/spring.py)", "mine.py", kind=BuildError):
        registry.elements.__wrapped__()


@pytest.mark.parametrize("name", ["body", "add", "outputs", "ground", "gravity", "name"])
def test_names_that_a_model_uses_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Mine(Joint):
        def equations(self, a: Any, b: Any) -> list[Any]:
            return []

    monkeypatch.setattr("mbdgen.language.model.elements", lambda: {name: Mine})
    with refused("class Mine", "test_plugins.py", f"'{name}'", kind=BuildError):
        Model("one")


BROKEN = {
    "syntax": ("def f(:\n", "SyntaxError", ""),
    "import": ("import nothing_like_this\n", "nothing_like_this", "broken.py:1"),
    "raises": ("def f():\n    return 1 / 0\nx = f()\n", "ZeroDivisionError", "broken.py:2 in f"),
    "not frozen": (
        JOINT.format(cls="X", name="x").replace("(frozen=True)", ""),
        "non-frozen",
        "broken.py:5",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_files_that_cannot_be_imported(case: str, folder: Folder) -> None:
    text, word, place = BROKEN[case]
    with refused("broken.py", word, place, kind=BuildError):
        finding.classes(folder(broken=text), Joint)


def test_fields_without_dataclass(folder: Folder) -> None:
    text = JOINT.format(cls="Plain", name="plain").replace("@dataclass(frozen=True)\n", "")
    with refused("class Plain", "plain.py", "slack", "no dataclass"):
        finding.classes(folder(plain=text), Joint)


UNFINISHED = """\
from mbdgen.joints.base import Joint

class Nameless(Joint):
    def equations(self, a, b):
        return []

class Silent(Joint):
    name = "silent"

class Base(Joint):
    pass

class Fine(Base):
    name = "fine"

    def equations(self, a, b):
        return []
"""


def test_unfinished_classes_are_named_when_a_name_is_unknown(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = folder(some=UNFINISHED)
    monkeypatch.setattr(registry, "_ELEMENTS", (package,))
    assert list(finding.classes(package, Joint)) == ["fine"]
    with pytest.raises(ModelError) as caught:
        Model("one").silent("s")
    remedy = caught.value.remedy
    assert "some.py: class Nameless lacks name." in remedy
    assert "some.py: class Silent lacks equations." in remedy
    assert "Base" not in remedy


def test_unfinished_analyses_and_body_kinds(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "from mbdgen.analyses.base import MotionAnalysis\nfrom mbdgen.bodies.base import BodyKind\n"
        "class Peaks(MotionAnalysis):\n    name = 'peaks'\n"
        "class Rod(BodyKind):\n    name = 'rod'\n"
    )
    package = folder(both=text)
    assert finding.classes(package, Analysis) == {} == finding.classes(package, BodyKind)
    monkeypatch.setattr(analyses_by_name, "_FOLDER", package)
    monkeypatch.setattr(registry, "_BODIES", package)
    with pytest.raises(OptionError, match=r"both\.py: class Peaks lacks of"):
        analyses_by_name.choose("peaks", {})
    with pytest.raises(ModelError, match=r"both\.py: class Rod lacks coordinates, parameters, r"):
        Model("one").body("b", 1.0, coordinates="rod")


def test_shipped_folders_have_nothing_unfinished() -> None:
    assert registry.unfinished_elements() == registry.unfinished_body_kinds() == ""
    assert finding.unfinished("mbdgen.analyses", Analysis) == []


class Nameless(Force):
    """Has no name."""


class NoDataclass(Joint):
    name = "no_dataclass"
    slack: Any = 0.0

    def equations(self, a: Any, b: Any) -> list[Any]:
        return []


class Silent(OutputKind):
    name = "silent"


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (Nameless, ("lacks name",)),
        (NoDataclass, ("slack", "no dataclass")),
        (Silent, ("lacks value",)),
        (Joint, ("lacks name, equations",)),
    ],
)
def test_classes_that_cannot_be_added(cls: type[Any], words: tuple[str, ...]) -> None:
    with refused(f"class {cls.__name__}", ".py", *words):
        two_bodies(lambda m, a, b: m.add("f", cls, a, b))


def test_unfinished_body_kind_given_as_a_class() -> None:
    class Half(BodyKind):
        name = "half"

    with refused("class Half", "lacks", "generalised_force"):
        Model("one").body("b", 1.0, coordinates=Half)
