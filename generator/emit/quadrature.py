"""Tables of quadrature in generated code: the places along an element and their shares."""

from collections.abc import Sequence
from dataclasses import dataclass

from mbdgen.symbolic.system_ir import TypeTable
from mbdgen.topology.elements import Rule


@dataclass(frozen=True)
class Quadrature:
    """A rule under its name.

    Attributes
    ----------
    name : str
        ``QUADRATURE_5`` has five places; another rule of five is ``QUADRATURE_5_2``.
    places : tuple of (place, weight)
        From 0 to 1, weights with the sum 1.
    """

    name: str
    places: Rule


def quadratures(tables: Sequence[TypeTable]) -> dict[Rule, Quadrature]:
    """Return the rules of all types, each once."""
    found: dict[Rule, Quadrature] = {}
    for rule in dict.fromkeys(table.rule for table in tables if table.rule):
        before = sum(len(other) == len(rule) for other in found)
        tail = f"_{before + 1}" if before else ""
        found[rule] = Quadrature(f"QUADRATURE_{len(rule)}{tail}", rule)
    return found
