"""What the documents say is true: links, tables, and everything that can be run."""

import importlib
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, blocks, pages, read, run, run_script

COMMAND = [sys.executable, "-c", "import sys; from mbdgen.cli import main; sys.exit(main())"]
WRITTEN = [p for p in pages() if p.is_relative_to(DOCS) and p.parent.name != "how-to"]
INLINE = re.compile(r"`(generator|templates|models|tests|docs)/([^`\s*]*)`")


def having(language: str) -> list[Path]:
    return [page for page in WRITTEN if any(b.language == language for b in blocks(page))]


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", read(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_links_resolve(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{target} does not exist"
        assert not anchor or anchor in anchors(linked), f"{target} has no such heading"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_files_named_exist(page: Path) -> None:
    for folder, rest in INLINE.findall(read(page)):
        if rest.isupper() or "NAME" in rest or page.parent.name == "how-to":
            continue
        assert (ROOT / folder / rest).exists(), f"{folder}/{rest}"


def test_every_page_is_reached_from_the_readme() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached:
            reached.add(page)
            targets = re.findall(r"\]\(([^)\s#]+\.md)", read(page))
            ahead += [(page.parent / t).resolve() for t in targets if not t.startswith("http")]
    assert set(pages()) <= reached


def test_tables_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "scripts")
    tables = importlib.import_module("tables")
    used = set()
    for page in sorted(DOCS.rglob("*.md")):
        text = read(page)
        assert tables.renewed(text) == text, f"{page.name}: run `python docs/scripts/tables.py`"
        used |= set(re.findall(r"<!-- table: (\w+) -->", text))
    assert used == set(tables.TABLES)


@pytest.mark.representatives(id="getting-started")
@pytest.mark.parametrize("page", having("python"), ids=lambda page: page.stem)
def test_python_blocks_run(page: Path, tmp_path: Path) -> None:
    """One script from all blocks of a page."""
    run_script("\n".join(b.text for b in blocks(page) if b.language == "python"), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", having("sh"), ids=lambda page: page.stem)
def test_commands_run(page: Path, tmp_path: Path) -> None:
    lines = [line for b in blocks(page) if b.language == "sh" for line in b.text.splitlines()]
    for line in lines:
        words = shlex.split(line, comments=True)
        if words and words[0] == "mbdgen":
            run([*COMMAND, *words[1:]], tmp_path)
        else:
            assert not words or line.startswith("python -m pip install"), f"cannot test {line!r}"


def test_decisions_are_numbered_and_short() -> None:
    found = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    assert len({page.name[:3] for page in found}) == len(found)
    for page in found:
        text = read(page)
        assert text.startswith(f"# {page.name[:3]}. ")
        for part in ("**Context.**", "**Decision.**", "**What was measured"):
            assert part in text, f"{page.name} lacks {part}"
        assert len(text.split()) <= 600


def test_decisions_are_listed_once_and_in_order() -> None:
    rows = re.findall(r"^\| \[(\d+)\]\(([^)]+)\)", read(DOCS / "decisions/README.md"), re.MULTILINE)
    found = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    assert rows == [(page.name[:3], page.name) for page in found]
