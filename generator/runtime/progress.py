"""A progress bar on stderr while a simulation runs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mbdgen.errors import OptionError


@contextmanager
def progress_bar(
    choice: object, label: str, start: float, end: float
) -> Iterator[Callable[[float], None]]:
    """Provide ``report(t)`` that moves a bar from ``start`` to ``end``.

    Parameters
    ----------
    choice : "auto" or bool
        ``"auto"``: a bar if stderr is a terminal.
    """
    if choice not in ("auto", True, False):
        raise OptionError(f"progress = {choice!r} is unknown.", "Choose 'auto', True or False.")
    if not (sys.stderr.isatty() if choice == "auto" else choice):
        yield lambda t: None
        return
    # Imported here: a simulation without a terminal need not wait for it.
    from rich.console import Console
    from rich.progress import Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:3], TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=end - start)
        yield lambda t: bar.update(task, completed=t - start)
