"""Source of functions: their syntax trees, and what the names in them mean."""

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mbdgen.errors import MbdgenError


class TranslationError(MbdgenError):
    """A function of the solver language that cannot be translated."""


@dataclass(frozen=True)
class Source:
    """A function of Python with its syntax tree.

    Attributes
    ----------
    function : function
        The function.
    node : ast.FunctionDef
        Its syntax tree, with the lines of its file.
    names : mapping
        Values of names that are not its own.
    stores : mapping
        How often each name is assigned.
    """

    function: FunctionType
    node: ast.FunctionDef
    names: Mapping[str, Any]
    stores: Mapping[str, int]

    @property
    def where(self) -> str:
        """File and line."""
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"


@cache
def _functions_of(path: str) -> dict[int, tuple[ast.FunctionDef, CodeType]]:
    """Return the functions of a file by the line of their first decorator or of ``def``."""
    tree = ast.parse(Path(path).read_text("utf-8"), path)
    codes = {
        (code.co_firstlineno, code.co_name): code for code in _codes(compile(tree, path, "exec"))
    }
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(x.lineno for x in node.decorator_list)])
            found[line] = node, codes[line, node.name]
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of all functions in some code, inner ones before outer ones."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
            yield constant


@cache
def source_of(function: FunctionType) -> Source:
    """Return the source of a function.

    Parameters
    ----------
    function : function
        A function defined in a file.
    """
    code = function.__code__
    try:
        node, written = _functions_of(code.co_filename)[code.co_firstlineno]
    except (OSError, KeyError, SyntaxError) as error:
        raise TranslationError(
            f"The source of the function '{function.__name__}' is not found in "
            f"'{code.co_filename}'.",
            "Define it in a file: what is compiled is read from there.",
        ) from error
    if (written.co_code, written.co_names) != (code.co_code, code.co_names):
        raise TranslationError(
            f"The file '{code.co_filename}' has changed since Python has read the function "
            f"'{function.__name__}'.",
            "Start Python again.",
        )
    stores: Counter[str] = Counter(argument.arg for argument in node.args.args)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            stores[part.id] += 1
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            stores[part.target.id] += 1
    return Source(function, node, _Names(function), stores)


class _Names(Mapping[str, Any]):
    """Values of the free names of a function: of its closure, its module, and Python's own."""

    def __init__(self, function: FunctionType) -> None:
        cells = function.__closure__ or ()
        self._held = dict(zip(function.__code__.co_freevars, cells, strict=True))
        self._module = function.__globals__

    def __getitem__(self, name: str) -> Any:
        if name in self._held:
            return self._held[name].cell_contents
        if name in self._module:
            return self._module[name]
        return vars(builtins)[name]

    def __iter__(self) -> Any:
        return iter({**vars(builtins), **self._module, **self._held})

    def __len__(self) -> int:
        return len(self._held) + len(self._module)


Handler = Callable[..., Any]


class Intrinsic:
    """A function that the translator replaces by what ``emit`` returns.

    Parameters
    ----------
    emit : callable
        ``emit(translator, arguments) -> value``.
    python : callable, optional
        The same for functions that run uncompiled.
    """

    def __init__(self, emit: Handler, python: Callable[..., Any] | None = None) -> None:
        self.emit, self._python = emit, python
        self.__doc__ = emit.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Call it in Python."""
        if self._python is None:
            raise TypeError(f"{self.emit.__name__} can only be called by compiled functions")
        return self._python(*arguments)
