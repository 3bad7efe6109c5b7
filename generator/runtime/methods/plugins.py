"""Objects that a file of a folder defines: integrators, formulations, projectors.

The name of a file, with hyphens for underscores, is the name of what it defines.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from mbdgen.errors import OptionError, meant

T = TypeVar("T")


def names_in(package: str) -> list[str]:
    """Names of what the files of a folder define, without importing one."""
    return list(_names(tuple(import_module(package).__path__)))


@cache
def _names(folders: tuple[str, ...]) -> list[str]:
    found = (module.name for module in iter_modules(folders) if module.name != "base")
    return sorted(name.replace("_", "-") for name in found)


def load(
    package: str, name: str, kind: type[T], what: str, also: Mapping[str, str] | None = None
) -> T:
    """Return what the file of a name defines under the name of its class in capitals.

    Parameters
    ----------
    package : str
        The folder.
    name : str
        One of `names_in`; underscores are as good as hyphens, and capitals as small letters.
    kind : type
        Class of what is wanted.
    what : str
        The word of users for it.
    also : mapping, optional
        Names in other programs, as for `mbdgen.errors.meant`.
    """
    wanted, known = name.lower().replace("_", "-"), names_in(package)
    if wanted not in known:
        listed = f"Known are: {', '.join(known)}."
        raise OptionError(f"There is no {what} '{name}'.", meant(name, known, listed, also or {}))
    module = import_module(f"{package}.{wanted.replace('-', '_')}")
    label = kind.__name__.upper()
    found = vars(module).get(label)
    if not isinstance(found, kind):
        raise OptionError(
            f"The {what} '{module.__file__}' defines no {label}"
            + (f", which is a {kind.__name__}: it is a {type(found).__name__}." if found else "."),
            f"Write {label} = {kind.__name__}(...) of {kind.__module__}.",
        )
    name_inside = vars(found)["name"]
    if name_inside != wanted:
        raise OptionError(
            f"The {what} '{module.__file__}' calls itself '{name_inside}', its file '{wanted}'.",
            f"Write {kind.__name__}(name='{wanted}', ...), or rename the file.",
        )
    return found
