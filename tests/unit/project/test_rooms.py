"""Rooms of the package: none is crowded, and what people search for by its name is there once."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "generator"
MODULES = 26
"""In one folder."""
CROWDED = {"runtime/integrators": 32}
"""A method is a file of this folder, under the name that users type."""
BY_USERS = ("base", "commands", "studio")
"""Files of folders that are looked into, and commands, have the names that users type."""


def folders() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        found[path.parent.relative_to(SOURCE).as_posix()].append(path)
    return found


def found_by_looking(path: Path) -> bool:
    """Whether a file lies in a folder that a new file is enough for, or below one."""
    homes = (SOURCE.joinpath(*path.relative_to(SOURCE).parts[:k]) for k in range(1, 4))
    return any((home / "base.py").is_file() for home in homes)


def test_no_room_is_crowded() -> None:
    crowded = {
        name: len(files)
        for name, files in folders().items()
        if len(files) > CROWDED.get(name, MODULES)
    }
    assert not crowded


def test_rooms_say_what_they_hold() -> None:
    for name, files in folders().items():
        home = next((f for f in files if f.name == "__init__.py"), None)
        assert home is not None, name
        assert ast.get_docstring(ast.parse(home.read_text("utf-8"))), name


def test_names_of_files_are_there_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        if path.stem not in ("__init__", "__main__", *BY_USERS) and not found_by_looking(path):
            if path.parent.name not in BY_USERS:
                homes[path.stem].append(path.relative_to(SOURCE).as_posix())
    assert not {stem: files for stem, files in homes.items() if len(files) > 1}


def test_names_of_classes_are_there_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        if not found_by_looking(path):
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(path.relative_to(SOURCE).as_posix())
    assert not {name: files for name, files in homes.items() if len(files) > 1}
