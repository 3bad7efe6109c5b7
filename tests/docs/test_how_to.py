"""Every how-to is followed to the letter: its files are written and its scripts are run."""

import ast
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, Block, blocks, copy_of_package, run_script

PAGES = sorted((DOCS / "how-to").glob("*.md"))
IN_PACKAGE = {"add-a-backend"}  # its files belong into the package, and are put into a copy of it
LONGEST = 120
HOMES = {
    "add-a-joint": "joints/constant_velocity.py",
    "add-a-force": "forces/hardening_spring.py",
    "add-a-body": "bodies/direction.py",
    "add-an-integrator": "runtime/integrators/verlet.py",
}
FOUND = {
    "add-a-joint": "from mbdgen import Model; Model('m').constant_velocity",
    "add-a-force": "from mbdgen import Model; Model('m').hardening_spring",
    "add-a-body": "from mbdgen import Model; Model('m').body('b', 1, 1, coordinates='direction')",
    "add-an-integrator": "from mbdgen.runtime import integrators\n"
    "assert 'verlet' in integrators.known()",  # importing it would compile it once more
}


def files(page: Path) -> list[Block]:
    return [block for block in blocks(page) if block.file]


def script(page: Path) -> str:
    return "\n".join(block.text for block in blocks(page) if block.mark == "run")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_example_runs(page: Path, tmp_path: Path) -> None:
    package = None
    work = tmp_path / "work"
    work.mkdir()
    if page.stem in IN_PACKAGE:
        package = copy_of_package(tmp_path)
    for block in files(page):
        target = (package or work) / block.file
        target.parent.mkdir(exist_ok=True)
        target.write_text(block.text, encoding="utf-8")
    assert run_script(script(page), work, package and package.parent)


def test_one_file_in_the_package_is_enough(tmp_path: Path) -> None:
    """What each page says under "To ship it": the class alone, in the folder named there."""
    package = copy_of_package(tmp_path)
    for page in PAGES:
        if page.stem in HOMES:
            source = next(block.text for block in files(page))  # others are further examples
            (package / HOMES[page.stem]).write_text(_without_model(source), encoding="utf-8")
            assert HOMES[page.stem].rpartition("/")[0] in page.read_text(encoding="utf-8")
    run_script("\n".join(FOUND.values()), tmp_path, package.parent)


def _without_model(source: str) -> str:
    """Imports, classes, helpers and constants, without what builds the example's model."""
    tree = ast.parse(source)
    kept = [
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.FunctionDef) and node.name != "model")
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper())
    ]
    return "\n\n".join(ast.get_source_segment(source, node) or "" for node in _decorated(kept))


def _decorated(nodes: list[ast.stmt]) -> list[ast.stmt]:
    """``get_source_segment`` begins at ``class``; decorators stand before."""
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.decorator_list:
            first = node.decorator_list[0]
            node.lineno, node.col_offset = first.lineno, first.col_offset - 1
    return nodes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_example_is_small(page: Path) -> None:
    lines = sum(len(block.text.splitlines()) for block in files(page))
    assert lines <= LONGEST
