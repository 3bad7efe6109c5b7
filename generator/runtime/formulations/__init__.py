"""Formulations: one file each, found by looking into this folder.

The name of the file, with hyphens for underscores, is the name of the formulation. A file is
imported (and compiled, once per installation) only when it is used.
"""

from mbdgen.runtime import by_file
from mbdgen.runtime.formulations.base import Formulation


def known() -> list[str]:
    """Names of all formulations."""
    return by_file.names_in(__name__)


def formulation(name: str) -> Formulation:
    """Return one of the formulations of `known`."""
    return by_file.load(__name__, name, Formulation, "formulation")
