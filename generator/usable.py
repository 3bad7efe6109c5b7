"""Validation of user-defined classes: missing members, source file, location of an error."""

import inspect
import sys
import traceback
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path

from mbdgen.errors import ModelError


def check_usable(cls: type) -> None:
    """Reject a class that lacks members, or has fields but is not a dataclass.

    Raises
    ------
    ModelError
        Naming the class, its file and what is missing.
    """
    if missing := lacks(cls):
        raise ModelError(
            f"{title(cls)} lacks {', '.join(missing)}.",
            "Give the class these members; its base says what they mean.",
        )
    if fields := _plain_annotations(cls):
        raise ModelError(
            f"{title(cls)} has fields ({', '.join(fields)}) but is no dataclass.",
            "Write @dataclass(frozen=True) above the class.",
        )


@cache
def lacks(cls: type) -> tuple[str, ...]:
    """Return the abstract members that are not implemented."""
    declared = [n for base in cls.__mro__ for n, a in _annotations(base) if "ClassVar" in a]
    known = dir(cls)
    abstract = [n for n in known if getattr(getattr(cls, n, None), "__isabstractmethod__", False)]
    return (*sorted({*declared} - {*known}), *abstract)


def title(cls: type) -> str:
    """Return class and file: ``class Muscle (generator/forces/muscle.py)``."""
    file = file_of(cls)
    return f"class {cls.__name__} ({short(file)})" if file else f"class {cls.__name__}"


def file_of(cls: type) -> str:
    """Return the file of a class, also of one in a model file, which is not an imported module."""
    for member in vars(cls).values():
        code = getattr(member, "__code__", None)
        if code is not None and not code.co_filename.startswith("<"):  # of dataclasses
            return str(code.co_filename)
    return getattr(sys.modules.get(cls.__module__), "__file__", None) or ""


def short(file: str | Path) -> str:
    """Return a path relative to the project or to the working directory."""
    path = Path(file)
    for start in (Path(__file__).parent.parent, Path.cwd()):
        if path.is_relative_to(start):
            return str(path.relative_to(start))
    return str(path)


def raised_at(error: BaseException, file: str | Path) -> str:
    """Return the last traceback entry of an error in a file: ``law.py:34 in potential``."""
    for entry in reversed(traceback.extract_tb(error.__traceback__)):
        if entry.filename == str(file):
            return f"{short(file)}:{entry.lineno} in {entry.name}"
    return ""


def _plain_annotations(cls: type) -> list[str]:
    """Return annotated names in a class that is not a dataclass, although its base is."""
    if not is_dataclass(cls) or "__dataclass_fields__" in vars(cls):
        return []
    return [n for n, a in _annotations(cls) if "ClassVar" not in a]


def _annotations(cls: type) -> list[tuple[str, str]]:
    return [(name, str(a)) for name, a in inspect.get_annotations(cls).items()]
