"""Numbers of a model that runs change between steps: code must not have them built in."""


class Changing(float):
    """A number that a run may change."""


class Predicted(Changing):
    """A number that a run predicts an angle by, see `mbdgen.interface.TURNS`."""

    angle: int
    what: int

    @classmethod
    def of(cls, angle: int, what: int) -> "Predicted":
        """Return the number before anything is known: then the angle is within half a turn."""
        made = cls(0.0)
        made.angle, made.what = angle, what
        return made


class Remembered(Changing):
    """A field of an element that a run writes: what a contact remembers."""

    owner: str
    field: str

    @classmethod
    def of(cls, owner: str, field: str, value: float) -> "Remembered":
        """Return the number with the field that it belongs to."""
        made = cls(value)
        made.owner, made.field = owner, field
        return made

    def __repr__(self) -> str:
        return f"{self.field} of {self.owner} = {float(self)!r}"
