"""Every row of "Where to find it" leads somewhere: modules, names in them, pages."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import DOCS, ROOT, read
from tests.docs.test_docs import anchors

PACKAGE = ROOT / "generator"
OF_USERS = re.compile(r"pin\[0\]|slide|mbdgen|result\.|\w+/$")
"""What is no name of a module: names of a model, of a command, of a folder."""


class Row(NamedTuple):
    """One term of the literature, and where it is."""

    term: str
    here: str
    modules: str
    pages: str


def table() -> list[Row]:
    section = read(DOCS / "vocabulary.md").partition("## Where to find it")[2]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [Row(*(cell.strip() for cell in line.strip("|").split(" | "))) for line in lines]


def modules(row: Row) -> list[Path]:
    return [PACKAGE / name for name in re.findall(r"`([^`]+)`", row.modules)]


def texts(row: Row) -> str:
    """Return paths and sources of what a row names; hyphens are what users write."""
    files = [f for m in modules(row) for f in (sorted(m.glob("*.py")) if m.is_dir() else [m])]
    named = "\n".join(f.relative_to(PACKAGE).as_posix() for f in files)
    return "\n".join([named, named.replace("_", "-"), *map(read, files)])


def test_terms_are_in_alphabetical_order_and_said_once() -> None:
    terms = [row.term.casefold() for row in table()]
    assert len(terms) > 40
    assert terms == sorted(set(terms))


def test_modules_exist() -> None:
    for row in table():
        assert modules(row), row.term
        for path in modules(row):
            inside = path.is_file() if path.suffix else (path / "__init__.py").is_file()
            assert inside, f"{row.term}: {path.relative_to(PACKAGE)}"


def test_names_stand_in_the_modules() -> None:
    for row in table():
        found = texts(row)
        for name in re.findall(r"`([^`]+)`", row.here):
            for word in re.findall(r"[A-Za-z][\w-]*", OF_USERS.sub("", name)):
                assert re.search(rf"\b{word}\b", found), f"{row.term}: {word}"


def test_pages_exist() -> None:
    for row in table():
        targets = re.findall(r"\]\(([^)]+)\)", row.pages)
        assert targets, row.term
        for target in targets:
            path, _, anchor = target.partition("#")
            assert (DOCS / path).is_file(), f"{row.term}: {target}"
            assert not anchor or anchor in anchors(DOCS / path), f"{row.term}: {target}"
