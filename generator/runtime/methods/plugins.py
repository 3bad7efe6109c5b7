"""Plug-in discovery: integrators, formulations and projectors defined by the files of a folder.

The name of a file, with hyphens for underscores, is the name of the object that it defines.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from mbdgen.errors import OptionError, meant

T = TypeVar("T")


def names_in(package: str) -> list[str]:
    """Return the names of the plug-ins in a folder without importing them."""
    return list(_names(tuple(import_module(package).__path__)))


@cache
def _names(folders: tuple[str, ...]) -> list[str]:
    found = (module.name for module in iter_modules(folders) if module.name != "base")
    return sorted(name.replace("_", "-") for name in found)


def load(
    package: str, name: str, kind: type[T], what: str, also: Mapping[str, str] | None = None
) -> T:
    """Import a plug-in by name: the object in capitals of its class (``METHOD``, ...).

    Parameters
    ----------
    package : str
        The folder, as a package.
    name : str
        One of `names_in`; underscores equal hyphens, and case does not matter.
    kind : type
        Expected class.
    what : str
        The word of users for such an object.
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
