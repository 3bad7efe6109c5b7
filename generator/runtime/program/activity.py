"""Activity messages: what this process is doing (compiling, deriving, running), for displays.

Code that may take seconds announces itself by `activity`; listeners, such as a terminal, show it.
Without listeners an announcement costs nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

RUNTIME = "compiling the runtime (once after installation)"


class Listener(Protocol):
    """Receiver of the begin and end of activities, which may be nested."""

    def begin(self, text: str) -> None:
        """Handle the begin of an activity."""

    def end(self) -> None:
        """Handle the end of the activity that began last."""


_LISTENERS: list[Listener] = []


@contextmanager
def activity(text: str) -> Iterator[None]:
    """Announce the activity of the block: a participle and its object."""
    listeners = tuple(_LISTENERS)
    for listener in listeners:
        listener.begin(text)
    try:
        yield
    finally:
        for listener in listeners:
            listener.end()


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Announce all activities inside the block to a listener."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)
