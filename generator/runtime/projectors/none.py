"""No projection."""

from mbdgen.runtime.projectors.base import Projector

PROJECTOR = Projector(name="none", text="what the step has left stays as it is", source="")
