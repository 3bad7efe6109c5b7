"""The picture of the packages is that of the packages, and its reader sees every import."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.pages import DOCS, ROOT

GENERATED = sorted((ROOT / "generated").glob("[!_]*.py"))


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(DOCS / "scripts")
    return importlib.import_module("package_graph")


def test_diagram_is_current(graph: ModuleType) -> None:
    diagram = importlib.import_module("architecture_diagram")
    current = diagram.svg()
    assert current == diagram.TARGET.read_text("utf-8"), (
        "run `python docs/scripts/architecture_diagram.py`"
    )
    assert all(f">{name}</text>" in current for name in graph.packages())


def test_reader_agrees_with_that_of_the_contracts(graph: ModuleType) -> None:
    """Arrows are what import-linter checks: the same imports, found by another program."""
    grimp = pytest.importorskip("grimp")
    found = graph.packages()
    # The package is not in a folder of its name here; the files of the graph are those imported.
    whole = grimp.build_graph("mbdgen", cache_dir=None)
    pairs = {
        (importer.split(".")[1], other.split(".")[1])
        for importer in whole.modules
        for other in whole.find_modules_directly_imported_by(importer)
        if "." in importer and "." in other
    }
    inside = {(a, b) for a, b in pairs if a != b and a in found and b in found}
    assert inside == {(name, other) for name, package in found.items() for other in package.imports}


def test_reader_sees_imports_in_functions_and_for_annotations(
    graph: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "low.py": '"""Below. More."""\n',
        "high/__init__.py": '"""Above\nall. More."""\n',
        "high/a.py": "def f():\n    from mbdgen.low import x\n",
        "high/b.py": "from mbdgen import side\n",
        "side.py": "if TYPE_CHECKING:\n    import mbdgen.low\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(graph, "SOURCE", tmp_path)
    found = graph.packages()
    assert {name: set(p.imports) for name, p in found.items()} == {
        "high": {"low", "side"},
        "low": set(),
        "side": {"low"},
    }
    assert (found["high"].text, found["low"].text) == ("Above all", "Below")
    assert graph.without_shortcuts({n: p.imports for n, p in found.items()})["high"] == {"side"}


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.stem)
def test_generated_modules_import_the_runtime_only(graph: ModuleType, path: Path) -> None:
    assert set(graph.imported(path)) == {"runtime"}
