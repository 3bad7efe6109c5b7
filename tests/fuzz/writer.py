"""What random models are written with: calls, units, numbers that fit to them."""

from dataclasses import dataclass, field
from math import sqrt
from random import Random


@dataclass
class Call:
    """One line of the text: ``name = function(arguments, key=value)``."""

    name: str
    function: str
    arguments: list[str]
    options: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        given = [*self.arguments, *(f"{key}={value}" for key, value in self.options.items())]
        return f"{self.name} = {self.function}({', '.join(given)})"


class Writer:
    """A random model that is being written; all that it draws comes from one generator."""

    def __init__(self, random: Random) -> None:
        self.random = random
        usual = random.random() < 0.55
        self.length = 1.0 if usual else 10.0 ** random.choice((-9, -6, -3, -2, 2, 3, 6))
        self.mass = 1.0 if random.random() < 0.6 else 10.0 ** random.choice((-12, -9, -3, 3, 6))
        self.weight = random.choice((9.81, 9.81, 9.81, 0.0, 1.62, 1e-3, 1e4))
        self.time = sqrt(self.length / (self.weight or 10.0))
        self.plane = random.random() < 0.4
        self.calls: list[Call] = []
        self.kinds: dict[str, str] = {}
        self.joints: dict[str, tuple[str, str, str]] = {}

    def number(self, unit: float = 1.0, low: float = 0.2, high: float = 2.0) -> str:
        return f"{self.random.uniform(low, high) * unit:.4g}"

    def vector(self, unit: float = 1.0, plane: bool | None = None) -> str:
        flat = self.plane if plane is None else plane
        x, y, z = (f"{self.random.uniform(-1, 1) * unit:.4g}" for _ in range(3))
        return f"({x}, {y}, {'0.0' if flat else z})"

    def axis(self) -> str:
        if self.plane:
            return "(0, 0, 1)"
        return self.random.choice(("(0, 0, 1)", "(1, 0, 0)", "(0, 1, 0)", self.vector(1.0)))

    def wave(self, size: str) -> str:
        rate = f"{self.random.uniform(0.3, 3) / self.time:.4g}"
        return self.random.choice(
            (f"{size}*sp.sin({rate}*m.t)", f"{size}*sp.cos({rate}*m.t)**2", size)
        )

    def add(self, function: str, name: str, *arguments: str, **options: str) -> Call:
        made = Call(name, f"m.{function}", [repr(name), *arguments], options)
        self.calls.append(made)
        return made

    def place(self, body: str, **axes: str) -> str:
        if self.kinds.get(body) == "point":
            return f"{body}.at()"
        x, y, z = self.vector(0.5 * self.length).strip("()").split(", ")
        more = "".join(f", {key}={value}" for key, value in axes.items())
        return f"{body}.at({x}, {y}{'' if self.plane else ', ' + z}{more})"
