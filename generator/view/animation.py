"""Animation of a result: pages for notebooks and browsers, pictures and films in files."""

import html
import os
from pathlib import Path
from typing import TYPE_CHECKING

from mbdgen.errors import OptionError
from mbdgen.runtime.stepping.number_arguments import number

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result

PICTURES, FILMS = (".png", ".svg", ".pdf"), (".gif", ".mp4")
KINDS = (".html", *PICTURES, *FILMS)


class Animation:
    """Animation of a result: notebooks display it, `save` writes it to a file.

    Parameters
    ----------
    result : Result
        Result of a simulation.
    height : int
        Height of the frame in a notebook, in pixels.
    """

    def __init__(self, result: "Result", height: int = 560) -> None:
        self.result, self.height = result, height

    def html(self) -> str:
        """Return the page as text."""
        from mbdgen.view.animation_page import page

        return page(self.result)

    def save(
        self,
        path: str | os.PathLike[str],
        t: float | None = None,
        fps: float = 25.0,
        speed: float | None = None,
    ) -> None:
        """Write a page (html), a picture (png, svg, pdf) or a film (gif, mp4).

        Parameters
        ----------
        path : path
            File to write; it appears complete or not at all.
        t : float, optional
            Instant of a picture, by default the last one.
        fps : float
            Pictures per second of a film.
        speed : float, optional
            Seconds of the motion per second of a film. By default 1, or more if the film would have
            too many pictures.
        """
        target, suffix = Path(path), Path(path).suffix.lower()
        if suffix not in KINDS:
            raise OptionError(
                f"Cannot save an animation as '{path}': the suffix {suffix!r} is unknown.",
                f"Use one of {', '.join(KINDS)}.",
            )
        for name, value in (("fps", fps), ("speed", 1.0 if speed is None else speed)):
            if not number(name, value) > 0.0:
                raise OptionError(
                    f"{name} = {value!r} of a film is not a positive number.",
                    "Give a positive number.",
                )
        if suffix == ".html":
            from mbdgen.view.animation_page import save_page

            save_page(self.result, target)
        elif suffix in PICTURES:
            from mbdgen.view.still_pictures import save_picture

            save_picture(self.result, target, t)
        else:
            from mbdgen.view.still_pictures import save_film

            save_film(self.result, target, fps, speed or self._speed(fps))

    def _speed(self, fps: float) -> float:
        """Return the default speed: 1, or more if the film would be too long."""
        from mbdgen.view.still_pictures import MOST_PICTURES

        t = self.result.t
        span = abs(float(t[-1] - t[0])) if len(t) else 0.0
        return max(1.0, span * fps / (MOST_PICTURES - 1))

    def _repr_html_(self) -> str:
        # In a frame of its own: neither its style nor its keys affect the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.html())}" title="Animation of '
            f'{html.escape(self.result.info.model)}" allowfullscreen '
            f'style="width:100%;height:{int(self.height)}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<animation of '{self.result.info.model}': save it as {', '.join(KINDS)}>"
