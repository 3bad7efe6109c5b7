"""Progress of a simulation on stderr: a progress bar, or lines for another program."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from mbdgen.errors import OptionError

LINE = "progress "
"""Prefix of a line with the completed fraction of a simulation."""


@contextmanager
def progress_bar(
    choice: object, label: str, start: float, end: float
) -> Iterator[Callable[[float], None]]:
    """Provide ``report(t)`` that moves a bar from ``start`` to ``end``.

    Parameters
    ----------
    choice : "auto", "lines" or bool
        ``"auto"``: a bar if stderr is a terminal; ``"lines"``: lines such as ``progress 0.25``.
    """
    if choice not in ("auto", "lines", True, False):
        raise OptionError(
            f"progress = {choice!r} is unknown.", "Choose 'auto', 'lines', True or False."
        )
    if choice == "lines":
        write_share(0.0)
        yield lambda t: write_share((t - start) / (end - start))
        return
    if not (sys.stderr.isatty() if choice == "auto" else choice):
        yield lambda t: None
        return
    with ExitStack() as inside:
        bar = _Bar(inside, label, start, end)
        if choice is True:
            bar.move(start)
        yield bar.move


class _Bar:
    """A progress bar that appears with the first progress, after messages about compilation."""

    def __init__(self, inside: ExitStack, label: str, start: float, end: float) -> None:
        self._inside, self._label, self._start, self._end = inside, label, start, end
        self._update: Callable[[float], None] | None = None

    def move(self, t: float) -> None:
        """Show that ``t`` has been reached."""
        if self._update is None:
            self._update = self._appear()
        self._update(t - self._start)

    def _appear(self) -> Callable[[float], None]:
        # Imported here: a simulation without a terminal need not wait for it.
        from rich.console import Console
        from rich.progress import Progress, TimeRemainingColumn

        columns = (*Progress.get_default_columns()[:3], TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._inside.enter_context(bar)
        task = bar.add_task(self._label, total=self._end - self._start)
        return lambda done: bar.update(task, completed=done)


def write_share(share: float) -> None:
    """Write the completed fraction, from 0 to 1."""
    sys.stderr.write(f"{LINE}{share:.4f}\n")
    sys.stderr.flush()
