"""Index of compiled functions: which object code a function consists of, without translating it.

An entry is found by the contents of all sources that a function may depend on: those of the
runtime and of its compiler, and of the file of a function of the user. File times do not matter.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from mbdgen.errors import MbdgenError
from mbdgen.runtime.program.cache_entries import write_entry
from mbdgen.runtime.program.cache_folders import cache_folder
from mbdgen.runtime.program.object_code import machine_features, read_cached
from mbdgen.subset.types import Signature

_PACKAGE = Path(__file__).parents[2]
_FOLDERS = ("runtime", "subset")


@cache
def _sources() -> str:
    """Return the hash of the sources of the runtime and of its compiler."""
    found = sha256(machine_features().encode())
    for path in _files():
        found.update(f"{path.relative_to(_PACKAGE)}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _files() -> list[Path]:
    return [path for name in _FOLDERS for path in sorted((_PACKAGE / name).rglob("*.py"))]


def _times() -> list[int]:
    return [path.stat().st_mtime_ns for path in _files()]


@cache
def _times_then() -> list[int]:
    """Return the file times when the sources were read."""
    return _times()


@cache
def _source_of(path: str) -> str:
    """Return the hash of a file outside the runtime, and nothing for one inside."""
    file = Path(path)
    if any(file.is_relative_to(_PACKAGE / folder) for folder in _FOLDERS):
        return ""
    return sha256(file.read_bytes()).hexdigest()


def key_of(function: FunctionType, signature: Signature, purpose: str) -> str:
    """Return the key of a function with these types.

    Parameters
    ----------
    purpose : str
        What it is compiled for.
    """
    _times_then()
    words = [_sources(), purpose, str(signature), *_identity(function, set())]
    return sha256("\n".join(words).encode()).hexdigest()[:32]


def _identity(value: Any, seen: set[int]) -> Iterator[str]:
    """Yield what tells a function from others: what it was made of, and what else it calls.

    Functions of the runtime call others of the runtime only, whose sources are all in the key.
    """
    source = getattr(value, "source", value)
    if not isinstance(source, FunctionType):
        yield value.tobytes().hex() if isinstance(value, np.ndarray) else repr(value)
        return
    if id(source) in seen:
        return
    seen.add(id(source))
    code = source.__code__
    if _source_of(code.co_filename):
        for name in code.co_names:
            held = source.__globals__.get(name)
            if isinstance(held, ModuleType):
                held = [vars(held).get(other) for other in code.co_names]
            for other in held if isinstance(held, list) else [held]:
                yield from _identity(other, seen)
    yield f"{Path(code.co_filename).name} {source.__qualname__} {code.co_firstlineno}"
    yield _source_of(code.co_filename)
    for name, cell in zip(code.co_freevars, source.__closure__ or (), strict=True):
        yield name
        yield from _identity(cell.cell_contents, seen)


def read_program(key: str) -> tuple[str, list[str]] | None:
    """Return the symbol of a function and its object code, or None."""
    content = read_cached(Path("programs") / f"{key}.json")
    if content is None:
        return None
    symbol, names = json.loads(content)
    return symbol, names


def write_program(key: str, symbol: str, names: Sequence[str]) -> None:
    """Store the symbol of a function and its object code.

    Not if sources have changed meanwhile, as by an update: the entry might belong to others.
    """
    if _times() != _times_then():
        return
    try:
        write_entry(
            cache_folder() / "programs" / f"{key}.json", json.dumps([symbol, list(names)]).encode()
        )
    except (OSError, MbdgenError):
        return  # the object code has been written, or there was a warning that it cannot be
