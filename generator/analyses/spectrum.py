"""Amplitude spectrum (Fourier transform) of a series of a motion."""

from dataclasses import dataclass

import numpy as np

from mbdgen.analyses.analysis_table import Column, Table
from mbdgen.analyses.base import MotionAnalysis
from mbdgen.errors import OptionError
from mbdgen.runtime.results.result import Result

EQUAL = 1e-6
"""Largest relative deviation from the mean of time steps that count as equal."""


@dataclass(frozen=True)
class Spectrum(MotionAnalysis):
    r"""Amplitude spectrum of a series: a harmonic of amplitude 1 gives a peak of 1.

    The mean is subtracted and a Hann window applied, ``w_k = 1 - cos(2 pi k / n)``: a motion is
    rarely a whole number of periods long.

    Parameters
    ----------
    series : str
        Name of one series of the result.
    """

    name = "spectrum"

    series: str

    def of(self, result: Result) -> Table:
        """Return the one-sided amplitude spectrum."""
        values, t = result[self.series], result.t
        if values.ndim != 1:
            raise OptionError(f"'{self.series}' is a group of series.", "Name one of them.")
        steps = np.diff(t)
        if len(t) < 4 or np.ptp(steps) > EQUAL * steps.mean():
            raise OptionError(
                "The spectrum needs at least four instants at equal distances.",
                "Simulate without t_eval, or with equal steps.",
            )
        n = len(t)
        window = 1.0 - np.cos(2.0 * np.pi * np.arange(n) / n)
        # The mean of the window is 1, so a peak keeps its height.
        amplitude = 2.0 * np.abs(np.fft.rfft(window * (values - values.mean()))) / n
        frequency = np.fft.rfftfreq(n, float(steps.mean())).astype(np.float64)
        return Table(
            f"Spectrum of '{self.series}'",
            (
                Column("frequency", "Hz", frequency),
                Column("amplitude", result.unit(self.series), amplitude.astype(np.float64)),
            ),
        )
