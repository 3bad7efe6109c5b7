"""No projection."""

from mbdgen.runtime.projections.base import Projector

PROJECTOR = Projector(name="none", text="no projection", source="")
