"""Formulations: one file each, discovered automatically.

The name of the file, with hyphens for underscores, is the name of the formulation. A file is
imported (and compiled, once per installation) only when it is used.
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.methods import plugins


def known() -> list[str]:
    """Names of all formulations."""
    return plugins.names_in(__name__)


def formulation(name: str) -> Formulation:
    """Return one of the formulations of `known`."""
    return plugins.load(__name__, name, Formulation, "formulation")
