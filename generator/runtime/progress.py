"""How far a simulation is, on stderr while it runs: as a bar, or as lines for another program."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mbdgen.errors import OptionError

LINE = "progress "
"""How a line begins that says how much of a simulation is done."""


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
    # Imported here: a simulation without a terminal need not wait for it.
    from rich.console import Console
    from rich.progress import Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:3], TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=end - start)
        yield lambda t: bar.update(task, completed=t - start)


def write_share(share: float) -> None:
    """Write how much is done, from 0 to 1."""
    sys.stderr.write(f"{LINE}{share:.4f}\n")
    sys.stderr.flush()
