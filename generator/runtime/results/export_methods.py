"""Export methods of results: plots, tables, animations, files; modules are imported on use."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from mbdgen.runtime.results.result import Result
    from mbdgen.view.animation import Animation


class Handed:
    """Base class of results, with the methods that convert them."""

    @property
    def _whole(self) -> "Result":
        return cast("Result", self)

    def summary(self) -> dict[str, Any]:
        """Return a flat dictionary of the run: choices, counters, timings, final outputs."""
        from mbdgen.runtime.results.result_export import summary

        return summary(self._whole)

    def plot(
        self,
        names: str | Sequence[str] | None = None,
        ax: "Axes | None" = None,
        against: str = "t",
        beside: "Result | Sequence[Result]" = (),
        labels: Sequence[str] = (),
    ) -> "Axes":
        """Plot series and return the matplotlib axes; nothing is shown.

        Parameters
        ----------
        names : str or sequence of str, optional
            Series, groups or expressions (see `eval`); all outputs by default.
        ax : Axes, optional
            Where to draw; a new figure by default.
        against : str
            Abscissa: the time, or any series or expression (a phase plot).
        beside : Result or sequence of Result
            Another run, or several, drawn in the same axes.
        labels : sequence of str
            Names of this run and the others; by default their differences.
        """
        from mbdgen.view.plots import plot_results

        others = [beside] if isinstance(beside, Handed) else beside
        return plot_results([self._whole, *others], names, labels, against, ax)

    def plot_along(
        self,
        beam: str,
        names: str | Sequence[str],
        t: float | Sequence[float] | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """Plot quantities over the length of a beam and return the matplotlib axes.

        Parameters
        ----------
        names : str or sequence of str
            As in `along`.
        t : float or sequence of float, optional
            Instants; by default the last one.
        ax : Axes, optional
            Where to draw; a new figure by default.
        """
        from mbdgen.view.profile_plots import plot_profiles

        return plot_profiles(self._whole, beam, names, t, ax)

    def animate(self, height: int = 560) -> "Animation":
        """Return the animation: notebooks show it, ``.save("motion.html")`` writes it.

        Parameters
        ----------
        height : int
            Height of the frame in a notebook, in pixels.
        """
        from mbdgen.view.animation import Animation

        return Animation(self._whole, height)

    def to_pandas(self) -> "pandas.DataFrame":
        """Make a table of all series with the time as index; units in ``frame.attrs["units"]``."""
        from mbdgen.runtime.results.result_export import to_pandas

        return to_pandas(self._whole)

    def to_xarray(self) -> "xarray.Dataset":
        """Make a data set with one variable per output, the labelled state arrays, and units."""
        from mbdgen.runtime.results.result_export import to_xarray

        return to_xarray(self._whole)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result in the format of the suffix: npz, csv, parquet, nc, mat or json.

        The file is written atomically. Only npz can be read back by `load_result`; json
        holds `summary`.
        """
        from mbdgen.runtime.results.result_export import save

        save(self._whole, path)
