"""The packages of mbdgen as they really are: what each holds, and which others it imports."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "generator"
ENTRIES = ("__init__", "__main__")  # where users come in: no part of any layer


@dataclass(frozen=True)
class Package:
    """A folder or a single file directly in the package.

    Attributes
    ----------
    name : str
        Its name.
    text : str
        First sentence of its docstring.
    imports : frozenset of str
        Other packages that any of its modules imports, inside functions and for annotations too.
    """

    name: str
    text: str
    imports: frozenset[str]


def packages() -> dict[str, Package]:
    """Return all packages by name, in alphabetical order."""
    return _packages(SOURCE)


@cache
def _packages(source: Path) -> dict[str, Package]:
    files = sorted(p for p in source.rglob("*.py") if "__pycache__" not in p.parts)
    members: dict[str, list[Path]] = {}
    for path in files:
        name = path.relative_to(source).parts[0].removesuffix(".py")
        if name not in ENTRIES:
            members.setdefault(name, []).append(path)
    found = {}
    for name, paths in sorted(members.items()):
        others = {other for path in paths for other in imported(path)}
        home = source / name / "__init__.py"
        text = _sentence(home if home in paths else paths[0])
        found[name] = Package(name, text, frozenset(others & members.keys() - {name}))
    return found


def rooms() -> list[tuple[str, str, list[str]]]:
    """Return the packages below packages: path, first sentence, modules."""
    homes = sorted(p.parent for p in SOURCE.glob("*/**/__init__.py"))
    below = [home for home in homes if len(home.relative_to(SOURCE).parts) > 1]
    return [
        (
            home.relative_to(SOURCE).as_posix(),
            _sentence(home / "__init__.py"),
            sorted(p.stem for p in home.glob("*.py") if p.stem not in ENTRIES),
        )
        for home in below
    ]


def layers() -> list[list[str]]:
    """Return the layers that the import contract states, the uppermost first."""
    found = packages()
    rows = [[name.strip() for name in row.split("|")] for row in _contract()["layers"]]
    return [kept for row in rows if (kept := [name for name in row if name in found])]


def excused() -> frozenset[tuple[str, str]]:
    """Return the pairs of packages whose imports upwards the contract allows."""
    pairs = (line.split(" -> ") for line in _contract()["ignore_imports"])
    return frozenset((a.split(".")[1], b.split(".")[1]) for a, b in pairs)


def without_shortcuts(graph: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return the edges of an acyclic graph that no longer way replaces."""

    def below(name: str) -> frozenset[str]:
        return graph[name].union(*(below(other) for other in graph[name]))

    return {
        name: others - frozenset[str]().union(*(below(other) for other in others))
        for name, others in graph.items()
    }


def _contract() -> dict[str, list[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    found: dict[str, list[str]] = next(c for c in contracts if c["type"] == "layers")
    return found


def imported(path: Path) -> Iterator[str]:
    """Yield the packages that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "mbdgen":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            module = isinstance(node, ast.ImportFrom) and node.module
            for name in [module] if module else [alias.name for alias in node.names]:
                if name.startswith("mbdgen."):
                    yield name.split(".")[1]


def _sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"\.\s|\n\n|$", " ".join(text.split("\n\n")[0].split()))[0].rstrip(".")
