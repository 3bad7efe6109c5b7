"""Integrators: one file per formula, found by looking into this folder.

The name of the file, with hyphens for underscores, is the name of the method. A file is imported
(and compiled, once per installation) only when its method is used.
"""

from mbdgen.runtime import by_file
from mbdgen.runtime.integrators.base import Method


def known() -> list[str]:
    """Names of all integrators."""
    return by_file.names_in(__name__)


def method(name: str) -> Method:
    """Return one of the integrators of `known`."""
    return by_file.load(__name__, name, Method, "method")
