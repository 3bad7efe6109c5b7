"""Integrators: one file per formula, found by looking into this folder.

The name of the file is the name of the method. A file is imported (and compiled, once per
installation) only when its method is used.
"""

from importlib import import_module
from pkgutil import iter_modules

from mbdgen.errors import OptionError
from mbdgen.runtime.integrators.base import Method


def known() -> list[str]:
    """Names of all integrators."""
    return sorted(module.name for module in iter_modules(__path__) if module.name != "base")


def method(name: str) -> Method:
    """Return one of the integrators of `known`."""
    module = import_module(f"{__name__}.{name}")
    found = vars(module).get("METHOD")
    if not isinstance(found, Method):
        raise OptionError(
            f"The integrator '{module.__file__}' defines no METHOD"
            + (f", which is a Method: it is a {type(found).__name__}." if found else "."),
            "Write METHOD = Method(...) of mbdgen.runtime.integrators.base.",
        )
    if found.name != name:
        raise OptionError(
            f"The integrator '{module.__file__}' calls itself '{found.name}', its file '{name}'.",
            f"Write Method(name='{name}', ...), or rename the file.",
        )
    return found
