"""Summary of a model before its motion is computed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mbdgen.runtime.results.sentence_parts import listed

if TYPE_CHECKING:
    from mbdgen.language.model import Model
    from mbdgen.runtime.system.system import System

MOST = 8
"""Number of names in one line."""


def introduce(described: "Model | None", system: "System") -> None:
    """Print the elements of the mechanism, as far as a generated module knows them."""
    if described is None:
        bodies = dict.fromkeys(name.partition(".")[0] for name in system.names.coordinates)
        print_log(system.data.model, [("bodies", ", ".join(bodies))])
    else:
        print_log(described.name, mechanism_rows(described, system))


def print_log(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Write rows (label, value) to stderr."""
    from rich.console import Console

    from mbdgen.view.summary import log

    Console(stderr=True).print(log(title, rows))


def mechanism_rows(model: "Model", system: "System") -> list[tuple[str, str]]:
    """Return rows (label, value) of a model: bodies, joints, forces, parameters as they are set."""
    values = system.parameters
    parameters = [
        f"{name} = {values[name]:g} {model.parameters[name].unit}".rstrip() for name in values
    ]
    gravity = ", ".join(f"{_number(x)}" for x in model.gravity)
    forces = _by_kind(e.element.name for e in model.forces)
    rows = [
        ("bodies", f"{len(model.bodies)}: {listed(list(model.bodies), MOST)}"),
        ("joints", _by_kind(e.element.name for e in model.joints) or "none"),
        ("forces", f"{forces}; gravity ({gravity}) m/s^2".removeprefix("; ")),
    ]
    return [*rows, ("parameters", listed(parameters, MOST))] if parameters else rows


def _by_kind(kinds: Iterable[str]) -> str:
    """Count elements of each kind, the most frequent one first."""
    counts = Counter(kinds)
    every = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    return f"{counts.total()}: {every}" if counts else ""


def _number(x: object) -> str:
    try:
        return f"{float(str(x)):g}"
    except ValueError:
        return str(x)
