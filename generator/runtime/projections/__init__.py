"""Projections onto the constraints: one projector a file, found by looking into this folder."""

from mbdgen.runtime.methods import plugins
from mbdgen.runtime.projections.base import Projector


def known() -> list[str]:
    """Names of all projectors."""
    return plugins.names_in(__name__)


def projector(name: str) -> Projector:
    """Return one of the projectors of `known`."""
    return plugins.load(__name__, name, Projector, "projection")
