"""Projectors: one file each, found by looking into this folder."""

from mbdgen.runtime import by_file
from mbdgen.runtime.projectors.base import Projector


def known() -> list[str]:
    """Names of all projectors."""
    return by_file.names_in(__name__)


def projector(name: str) -> Projector:
    """Return one of the projectors of `known`."""
    return by_file.load(__name__, name, Projector, "projection")
