"""Outline of a model file (title and arguments), read without executing it."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from mbdgen.errors import ModelError

_UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)
_HEAD = re.compile(r"^(\w+(?:, \w+)*) *:")


@dataclass(frozen=True)
class Argument:
    """An argument of a model function.

    Attributes
    ----------
    name : str
        Its name.
    default : str or None
        The expression after the equals sign, as it is written; None if there is none.
    text : str
        Its description in the docstring.
    """

    name: str
    default: str | None
    text: str = ""

    def __str__(self) -> str:
        """Return its source text."""
        return self.name if self.default is None else f"{self.name}={self.default}"


@dataclass(frozen=True)
class Outline:
    """Title and arguments of a model file.

    Attributes
    ----------
    title : str
        First paragraph of its docstring.
    arguments : tuple of Argument
        Arguments of its function ``model``.
    is_model : bool
        Whether it defines the name ``model`` or imports `Model`.
    """

    title: str
    arguments: tuple[Argument, ...]
    is_model: bool


def outline(path: Path) -> Outline:
    """Return the outline of a model file without executing it.

    Raises
    ------
    ModelError
        If it cannot be read, or is not Python.
    """
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except _UNREADABLE as error:
        raise ModelError(
            f"'{path.name}' is no Python file ({error}).", "Correct it, or name another file."
        ) from error
    paragraph = (ast.get_docstring(tree) or "").split("\n\n")[0]
    functions = [x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == "model"]
    arguments = _arguments(functions[-1]) if functions else ()
    return Outline(" ".join(paragraph.split()), arguments, _is_model(tree))


def _arguments(function: ast.FunctionDef) -> tuple[Argument, ...]:
    known = function.args
    plain = [*known.posonlyargs, *known.args]
    none = [None] * (len(plain) - len(known.defaults))
    pairs = [*zip(plain, [*none, *known.defaults], strict=True)]
    pairs += zip(known.kwonlyargs, known.kw_defaults, strict=True)
    texts = _texts(ast.get_docstring(function) or "")
    return tuple(
        Argument(arg.arg, None if default is None else ast.unparse(default), texts.get(arg.arg, ""))
        for arg, default in pairs
    )


def _texts(docstring: str) -> dict[str, str]:
    """Return the descriptions of arguments from the section ``Parameters``."""
    _, _, section = docstring.partition("Parameters\n----------\n")
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section.split("\n\n")[0].splitlines():
        if head := _HEAD.match(line):
            names = head[1].split(", ")
        elif line.startswith(" "):
            for name in names:
                found[name] = f"{found.get(name, '')} {line.strip()}".strip()
    return found


def _is_model(tree: ast.Module) -> bool:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "model":
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "mbdgen":
            if any(alias.name == "Model" for alias in node.names):
                return True
        if isinstance(node, ast.Import) and any(a.name == "mbdgen" for a in node.names):
            return True
    return False
