"""Output files of a command, written independently: a failure of one does not affect the others."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mbdgen.cli.error_reports import complain
from mbdgen.errors import MbdgenError

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result

Output = tuple[Path, Callable[[], object]]
"""A file, and the function that writes it."""


def write_each(outputs: Sequence[Output]) -> tuple[list[Path], list[Path]]:
    """Write files one after the other and report each that cannot be written.

    Returns
    -------
    written, refused : list of Path
        Files that were written, and files that could not be.
    """
    written: list[Path] = []
    refused: list[Path] = []
    for path, write in outputs:
        try:
            write()
        except MbdgenError as error:
            complain(error.cause, error.remedy)
        except Exception as error:  # libraries of file formats raise any exception
            reason = f"{type(error).__name__}: {error}"
            complain(f"'{path}' could not be written ({reason}).", "All other files were written.")
        else:
            written.append(path)
            continue
        refused.append(path)
    return written, refused


def outputs_of(
    result: "Result",
    files: Sequence[Path],
    films: Sequence[Path],
    picture: tuple[Path, Sequence[str] | None, str] | None,
    checkpoint: Path | None,
) -> list[Output]:
    """Return the output files of a run with their writers: results first, pictures last.

    Parameters
    ----------
    picture : (Path, names, abscissa), optional
        File of a plot, its series, and its abscissa.
    """
    outputs: list[Output] = [(path, partial(result.save, path)) for path in files]
    if checkpoint is not None and result.success:
        outputs.append((checkpoint, lambda: result.checkpoint().save(checkpoint)))
    if picture is not None:
        outputs.append((picture[0], partial(_plot, result, *picture)))
    outputs += [(film, partial(_film, result, film)) for film in films]
    return outputs


def _plot(result: "Result", png: Path, names: Sequence[str] | None, against: str) -> None:
    from mbdgen.view.plots import save_plot

    save_plot(result, names, png, against)


def _film(result: "Result", film: Path) -> None:
    result.animate().save(film)
