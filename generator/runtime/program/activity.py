"""What this process is busy with before it has something to show: compiling, deriving, running.

Whoever does something that may take seconds says so by `activity`; whoever has a terminal to show
it on listens. Nobody listens unless he asks for it, and saying it costs nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

RUNTIME = "compiling the runtime (once after installation)"


class Listener(Protocol):
    """Learns what begins and ends; activities may be inside others."""

    def begin(self, text: str) -> None:
        """Note an activity that begins."""

    def end(self) -> None:
        """Note that the one that began last is over."""


_LISTENERS: list[Listener] = []


@contextmanager
def activity(text: str) -> Iterator[None]:
    """Tell what is done inside the block: a participle and its object."""
    told = tuple(_LISTENERS)
    for listener in told:
        listener.begin(text)
    try:
        yield
    finally:
        for listener in told:
            listener.end()


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let somebody know about all activities inside the block."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)
