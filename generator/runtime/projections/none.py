"""No projection."""

from mbdgen.runtime.projections.base import Projector

PROJECTOR = Projector(name="none", text="what the step has left stays as it is", source="")
