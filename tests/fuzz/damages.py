"""Ways in which files go wrong: by disks, other programs, unfinished copies, on purpose."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

EXTREME = (0, -1, 1, 2**31 - 5, -(2**31), 2**62, -(2**62))
NO_NUMBERS = (float("nan"), float("inf"), -float("inf"), 1e308, 1e-320)


def flip(path: Path, random: Random) -> None:
    """Change one to three bits."""
    content = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 3))):
        if content:
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    path.write_bytes(content)


def cut(path: Path, random: Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: random.randrange(len(content) + 1)])


def empty(path: Path, random: Random) -> None:
    path.write_bytes(b"")


def delete(path: Path, random: Random) -> None:
    path.unlink()


def noise(path: Path, random: Random) -> None:
    path.write_bytes(random.randbytes(random.choice((1, 30, 5000))))


def zeros(path: Path, random: Random) -> None:
    """What is left of a file whose blocks a computer lost with its current."""
    content = path.read_bytes()
    kept = random.randrange(len(content) + 1)
    path.write_bytes(content[:kept] + bytes(len(content) - kept))


def append(path: Path, random: Random) -> None:
    path.write_bytes(path.read_bytes() + random.choice((b"\n", b"\0", b"x = 1\n", b"[" * 3000)))


def change_number(path: Path, random: Random) -> None:
    """Change a digit of a text."""
    content = path.read_bytes()
    digits = [found.start() for found in re.finditer(rb"[0-9]", content)]
    if not digits:
        return flip(path, random)
    at = random.choice(digits)
    path.write_bytes(content[:at] + str(random.randrange(10)).encode() + content[at + 1 :])


def lose_line(path: Path, random: Random) -> None:
    lines = path.read_bytes().split(b"\n")
    at = random.randrange(len(lines))
    path.write_bytes(b"\n".join(random.choice((lines[:at] + lines[at + 1 :], lines[: at + 1] * 2))))


def nest(path: Path, random: Random) -> None:
    path.write_bytes(
        random.choice((b"[" * 100_000, b"(" * 500, b"{" * 3000, b"\xff\xfe", b"null", b"[]", b"{}"))
    )


def exchange(path: Path, random: Random) -> None:
    """Put another file of the same kind there, else of any kind."""
    others = [p for p in sorted(path.parents[1].rglob("*")) if p.is_file() and p != path]
    alike = [p for p in others if p.suffix == path.suffix] or others
    if alike:
        shutil.copyfile(random.choice(alike), path)


def folder(path: Path, random: Random) -> None:
    path.unlink()
    path.mkdir()


def dangle(path: Path, random: Random) -> None:
    path.unlink()
    path.symlink_to("nowhere at all")


def pipe(path: Path, random: Random) -> None:
    """A special file, which nobody may wait for."""
    path.unlink()
    path.symlink_to(os.devnull)


BYTES: tuple[Callable[[Path, Random], None], ...] = (
    flip, flip, flip, cut, cut, empty, delete, noise, zeros, append, change_number, change_number,
    change_number, lose_line, nest, exchange, exchange, folder, dangle, pipe,
)  # fmt: skip


def damage(path: Path, random: Random) -> str:
    """Damage a file in some way and return how."""
    way = random.choice(BYTES)
    way(path, random)
    return way.__name__


def craft(path: Path, random: Random) -> str:
    """Write an archive of NumPy again with something wrong in it, its checksums right."""
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    name = random.choice([*arrays])
    if "header" in arrays and (name == "header" or random.random() < 0.2):
        arrays["header"], what = _crafted_header(str(arrays["header"]), random)
    else:
        arrays, what = _crafted(arrays, name, random)
    np.savez(path, **arrays)
    return f"{name}: {what}"


def _crafted(arrays: dict[str, Any], name: str, random: Random) -> tuple[dict[str, Any], str]:
    old, way = arrays[name], random.randrange(8)
    if way == 0:
        return {key: x for key, x in arrays.items() if key != name}, "left out"
    if way == 1:
        other = random.choice([*arrays])
        return {**arrays, name: arrays[other], other: old}, f"exchanged with {other}"
    if way == 2:
        kind = random.choice(("i4", "f4", "c16", "U8", "?", "i8", "f8"))
        # Words are no numbers.
        new = old.astype("U1" if old.dtype.kind in "SU" else kind, casting="unsafe")
    elif way == 3:
        new = random.choice(
            (old[..., None], old[None], old.reshape(-1)[:-1], np.zeros(0), np.append(old, old))
        )
    elif way == 4:
        new = np.zeros((2,) * 5)
    else:
        new = np.array(old)
        choices = EXTREME if new.dtype.kind in "iu" else (*EXTREME, *NO_NUMBERS)
        if new.dtype.kind in "iuf" and new.size:
            value = random.choice(choices)
            at = random.randrange(new.size) if random.random() < 0.5 else slice(None)
            with np.errstate(all="ignore"):
                new.reshape(-1)[at] = np.array(value).astype(new.dtype)
            return {**arrays, name: new}, f"{value} at {at}"
        new = np.array("x")
    return {**arrays, name: new}, f"{new.dtype} {new.shape}"


def _crafted_header(text: str, random: Random) -> tuple[Any, str]:
    """Change a value somewhere in the header, or what it is altogether."""
    if random.random() < 0.2:
        new = random.choice(("", "[]", "null", "5", "{}", "{", '"x"', "[" * 5000))
        return np.array(new), f"header {new[:9]}"
    header = json.loads(text)
    inner = header
    while True:
        keys = [*inner] if isinstance(inner, dict) else [*range(len(inner))]
        key = random.choice(keys)
        deeper = isinstance(inner[key], dict | list) and inner[key]
        if not deeper or random.random() < 0.2:
            break
        inner = inner[key]
    if random.random() < 0.3 and isinstance(inner, dict):
        del inner[key]
        return np.array(json.dumps(header)), f"header without {key}"
    inner[key] = random.choice((None, -1, 2**70, 1e308, "x", [], {}, True, float("nan"), [[1]]))
    return np.array(json.dumps(header)), f"header {key} = {inner[key]}"


def lie(path: Path, random: Random) -> str:
    """Let the head of an array in an archive claim a size that it has not."""
    content = path.read_bytes()
    shapes = list(re.finditer(rb"'shape': \([0-9, ]*\)", content))
    if not shapes:
        return damage(path, random)
    found = random.choice(shapes)
    size = len(found.group())
    claim = b"'shape': (9" + b"9" * (size - 13) + b",)" if size >= 13 else found.group()
    path.write_bytes(content[: found.start()] + claim + content[found.end() :])
    return f"claims {claim.decode()}"
