"""Text fragments shared by several messages."""

from collections.abc import Sequence


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return ``1 member`` or ``2 members``; irregular plurals are passed."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def listed(names: Sequence[str], most: int) -> str:
    """Join names, omitting those beyond ``most``."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
