"""Backends: one file per target language, found automatically."""

from importlib import import_module
from pkgutil import iter_modules

from mbdgen.emit.backend import Backend
from mbdgen.errors import OptionError, meant


def known() -> list[str]:
    """Return the names of all backends."""
    return sorted(module.name for module in iter_modules(__path__))


def find_backend(name: str) -> Backend:
    """Return the backend of that name.

    Raises
    ------
    OptionError
        If the name is unknown.
    """
    if name not in known():
        raise OptionError(
            f"Unknown backend {name!r}.",
            meant(name, known(), f"Choose one of: {', '.join(known())}."),
        )
    found: Backend = import_module(f"{__name__}.{name}").BACKEND
    return found
