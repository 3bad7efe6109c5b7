"""Numbers of a model that runs change between steps: code must not have them built in."""


class Changing(float):
    """A number that a run may change."""


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
