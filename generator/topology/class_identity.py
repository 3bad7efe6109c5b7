"""Identity of user-defined classes that state equations, for the keys of element types.

Classes of mbdgen are identified by their names. The name of a user's class is not sufficient: every
model file is executed under the same module name, one function may make many classes, and equations
may read anything: lists, globals, other modules, files. So every user class is unique within its
process, until `mbdgen.stages.identify` determines the equations that it states.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from inspect import unwrap
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

_SERIAL = re.compile(r" \(class \d+ of this process\)")
_serials: WeakKeyDictionary[type, int] = WeakKeyDictionary()
_next = count(1)


def class_identity(cls: type) -> str:
    """Return a string that is equal only for classes with equal equations, in this process."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    if is_ours(cls):
        return name
    parts = dict.fromkeys(part for base in cls.__mro__ for part in _own(base))
    seen = hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]
    return f"{name} {seen} (class {_serial(cls)} of this process)"


def is_ours(cls: type) -> bool:
    """Return whether a class belongs to the package mbdgen, whose sources are hashed."""
    return cls.__module__.startswith("mbdgen.")


def without_serials(key: str) -> str:
    """Return a structure key without the serial numbers of classes of this process."""
    return _SERIAL.sub("", key)


def has_serials(key: str) -> bool:
    """Return whether a structure key contains serial numbers, valid in this process only."""
    return _SERIAL.search(key) is not None


def _serial(cls: type) -> int:
    if cls not in _serials:
        _serials[cls] = next(_next)
    return _serials[cls]


def _own(base: type) -> Iterator[str]:
    """Yield constants and functions of a class outside mbdgen, with their whole source files.

    The files count because functions call helpers beside them.
    """
    if base is object or is_ours(base):
        return
    for name, member in sorted(vars(base).items()):
        if name.startswith("__"):
            continue  # made by Python or `dataclass`, or in the file
        if isinstance(member, str | int | float | tuple):
            yield f"{name}={member!r}"
        elif isinstance(member, property | classmethod | staticmethod):
            yield from _function(member.fget if isinstance(member, property) else member.__func__)
        elif callable(member):
            yield from _function(member)


def _function(given: Any) -> Iterator[str]:
    function = unwrap(given)
    if not isinstance(function, FunctionType):
        return
    code = function.__code__
    yield _code(code)
    yield f"{function.__defaults__!r} {function.__kwdefaults__!r}"
    path = Path(code.co_filename)
    try:
        stat = path.stat()
        yield _file(path, stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError, UnicodeDecodeError):
        pass  # defined at a prompt
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
        if isinstance(value, type):
            yield f"{value.__module__}.{value.__qualname__}"
        elif isinstance(value, FunctionType) and value is not function:
            yield from _function(value)
        else:
            yield repr(value)


def _code(code: CodeType) -> str:
    """Return the byte code of a function: its instructions, names and constants."""
    constants = ",".join(_code(c) if isinstance(c, CodeType) else _text(c) for c in code.co_consts)
    return f"{code.co_code.hex()} {code.co_names} ({constants})"


def _text(constant: Any) -> str:
    """Return the text of a constant; sets are sorted, as their order is arbitrary."""
    return str(sorted(map(repr, constant))) if isinstance(constant, frozenset) else repr(constant)


@cache
def _file(path: Path, changed: int, size: int) -> str:
    return path.read_text("utf-8")
