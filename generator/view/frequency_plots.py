"""Plots of eigenvalues and frequency responses; matplotlib is imported when one is drawn."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ComplexArray = NDArray[np.complex128]


def save_eigenvalues(values: ComplexArray, title: str, path: Path) -> None:
    """Plot eigenvalues in the complex plane; a two-dimensional array gives a root locus."""
    figure = _figure()
    ax = figure.subplots()
    for row in np.atleast_2d(values).T:
        ax.plot(row.real, row.imag, "x" if len(row) == 1 else ".", markersize=5)
    ax.axvline(0.0, color="0.6", linewidth=0.8)
    ax.set_xlabel("real [1/s]")
    ax.set_ylabel("imaginary [rad/s]")
    ax.set_title(title)
    ax.grid(True, alpha=0.3)
    _save(figure, path)


def save_bode(omega: FloatArray, response: ComplexArray, title: str, path: Path) -> None:
    """Plot magnitude and phase of a frequency response (Bode plot)."""
    figure = _figure()
    upper, lower = figure.subplots(2, 1, sharex=True)
    upper.loglog(omega, np.abs(response))
    upper.set_ylabel("amplitude")
    upper.set_title(title)
    lower.semilogx(omega, np.degrees(np.unwrap(np.angle(response))))
    lower.set_ylabel("phase [deg]")
    lower.set_xlabel("frequency [rad/s]")
    for ax in (upper, lower):
        ax.grid(True, which="both", alpha=0.3)
    _save(figure, path)


def _figure() -> "Figure":
    figure: Figure = import_optional("matplotlib.figure", "plot").Figure(layout="constrained")
    return figure


def _save(figure: "Figure", path: Path) -> None:
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:], dpi=150)
