"""Integrators: one file per formula, found by looking into this folder.

The name of the file is the name of the method. A file is imported (and compiled, once per
installation) only when its method is used.
"""

from importlib import import_module
from pkgutil import iter_modules

from mbdgen.runtime.integrators.base import Method


def known() -> list[str]:
    """Names of all integrators."""
    return sorted(module.name for module in iter_modules(__path__) if module.name != "base")


def method(name: str) -> Method:
    """Return one of the integrators of `known`."""
    found: Method = import_module(f"{__name__}.{name}").METHOD
    return found
