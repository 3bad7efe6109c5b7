"""Output kinds: base class of scalar and vector kinematic outputs of frames.

To add one write one file in this folder with one subclass; it is discovered automatically and
becomes a method of `Model`. Its value is compiled into the kernel of outputs and stored in the
result.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.element import Element


@dataclass(frozen=True)
class OutputKind(Element):
    """Base of output kinds.

    Attributes
    ----------
    components : int
        1 for a number, 3 for a vector, whose components are called x, y, z.
    unit : str
        Unit, for labels.
    angle : bool
        Whether it is an angle modulo 2 pi, unwrapped in results.
    """

    role = "output"
    components: ClassVar[int] = 1
    unit: ClassVar[str] = ""
    angle: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.measures = {"value": cls.components}
        cls.units = {"value": cls.unit}
        cls.angles = frozenset({"value"}) if cls.angle else frozenset()

    @abstractmethod
    def value(self, *frames: Frame) -> Expr | Vec:
        """Return the expression of the frames."""

    def measure(self, name: str, *frames: Any) -> Expr | Vec:
        """Return the value, the only measure."""
        return self.value(*frames)
