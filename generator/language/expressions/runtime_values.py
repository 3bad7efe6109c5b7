"""Values of a model that a run changes between steps: never compiled as constants."""


class Changing(float):
    """A value that a run may change."""


class Predicted(Changing):
    """A value predicting an angle for angle unwrapping, see `mbdgen.interface.TURNS`."""

    angle: int
    what: int

    @classmethod
    def of(cls, angle: int, what: int) -> "Predicted":
        """Return the initial value, for which the angle is within half a revolution."""
        made = cls(0.0)
        made.angle, made.what = angle, what
        return made


class Remembered(Changing):
    """A field of an element written by a run: the memory (internal state) of a contact."""

    owner: str
    field: str

    @classmethod
    def of(cls, owner: str, field: str, value: float) -> "Remembered":
        """Return the value with the field to which it belongs."""
        made = cls(value)
        made.owner, made.field = owner, field
        return made

    def __repr__(self) -> str:
        return f"{self.field} of {self.owner} = {float(self)!r}"
