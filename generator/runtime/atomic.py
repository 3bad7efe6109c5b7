"""Write a file completely or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mbdgen.errors import OptionError


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the name of a temporary neighbour of ``path`` and rename it when the block succeeds.

    Parameters
    ----------
    path : str or path
        The file to write; an existing file survives untouched if anything fails.

    Yields
    ------
    Path
        Where to write. It lies in the same folder, because only then is the rename atomic.

    Raises
    ------
    OptionError
        If the operating system refuses: no such folder, no permission, disk full.
    """
    target = Path(path)
    temporary = target.parent / f".{secrets.token_hex(6)}.tmp"
    try:
        if target.is_dir():
            raise IsADirectoryError("it is a folder")
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OptionError(
            f"Cannot write '{target}': {reason}.",
            "Give a file name in an existing, writable folder.",
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()
