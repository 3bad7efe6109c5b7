"""Pieces of sentences that several messages need."""

from collections.abc import Sequence


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return ``1 member`` or ``2 members``; irregular plurals are given."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def listed(names: Sequence[str], most: int) -> str:
    """Join names, leaving out those that are too many."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
