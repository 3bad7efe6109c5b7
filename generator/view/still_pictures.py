"""Pictures and films of a result through Matplotlib, without a display."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.program.optional_libraries import import_optional
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.view.animation_frames import Frames, frames_of
from mbdgen.view.extent import extent_of
from mbdgen.view.palette import METAL, STRAINS
from mbdgen.view.solids import Painter, eye_of

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result

MARGIN = 0.06
TALLEST, WIDEST = 7.0, 10.0  # inches
MOST_PICTURES = 600
TRAIL = 0.9


class Sheet:
    """Figure on which a scene is drawn at one instant after another."""

    def __init__(self, frames: Frames, title: str) -> None:
        extent = extent_of(frames)
        eye = eye_of(frames, extent)
        self.frames, self.title = frames, title
        self.painter = Painter(frames, extent, eye)
        self.eye = eye
        seen = eye(extent.corners)[:, :2]
        low, high = seen.min(axis=0), seen.max(axis=0)
        room = MARGIN * float(np.linalg.norm(high - low)) + 3 * self.painter.wire
        wide, tall = np.maximum(high - low, 0.35 * np.max(high - low)) + 2 * room
        factor = min(WIDEST / wide, TALLEST / tall)
        figure = import_optional("matplotlib.figure", "plot").Figure(
            figsize=(factor * wide, factor * tall)
        )
        self.figure = figure
        self.axes = figure.add_axes((0, 0, 1, 1))
        middle = (low + high) / 2
        self.axes.set_xlim(middle[0] - wide / 2, middle[0] + wide / 2)
        self.axes.set_ylim(middle[1] - tall / 2, middle[1] + tall / 2)
        self.axes.set_aspect("equal")
        self.axes.axis("off")
        if frames.lines and self.painter.most_strain > 0.0:
            self._colour_bar()

    def draw(self, frame: int) -> None:
        """Draw an instant on a cleared sheet."""
        polygons = import_optional("matplotlib.collections", "plot").PolyCollection
        for artist in [*self.axes.collections, *self.axes.lines, *self.axes.texts]:
            artist.remove()
        for points, colour in self._trails(frame):
            self.axes.plot(*points.T, color=colour, alpha=0.6, linewidth=1.2, zorder=1)
        pieces = self.painter.pieces(frame)
        found = polygons(
            [piece.outline for piece in pieces],
            facecolors=[piece.colour for piece in pieces],
            edgecolors="none",
            antialiaseds=True,
            zorder=2,
        )
        self.axes.add_collection(found, autolim=False)
        label = f"{self.title}, t = {self.frames.t[frame]:.4g} s"
        self.axes.text(0.01, 0.99, label, transform=self.axes.transAxes, va="top", color="0.4")

    def _colour_bar(self) -> None:
        """Draw the colour bar of the strains."""
        colours = import_optional("matplotlib.colors", "plot")
        bar = self.figure.add_axes((0.7, 0.05, 0.27, 0.025))
        shades = colours.LinearSegmentedColormap.from_list("strain", STRAINS)
        bar.imshow(np.linspace(0.0, 1.0, 128)[None], aspect="auto", cmap=shades)
        bar.set_yticks([])
        bar.set_xticks([0, 127], ["0", f"{self.painter.most_strain:.2g}"], color="0.4", fontsize=8)
        bar.set_title("strain", color="0.4", fontsize=8, pad=2)
        bar.tick_params(length=0, pad=2)
        for side in bar.spines.values():
            side.set_visible(False)

    def _trails(self, frame: int) -> Iterator[tuple[FloatArray, str]]:
        for figure in self.frames.scene.of("point"):
            body = figure.bodies[0]
            if body in self.frames.bodies:
                points = self.frames.points(body, figure.numbers[None])[: frame + 1, 0]
                yield self.eye(points)[:, :2], self.painter.colours.get(body, METAL)


def save_picture(result: "Result", path: Path, t: float | None) -> None:
    """Draw the mechanism at an instant, by default the last one, into png, svg or pdf."""
    frames = frames_of(result)
    sheet = Sheet(frames, result.info.model)
    at = frames.t[-1] if t is None else number("t", t)
    if not min(frames.t) <= at <= max(frames.t):
        raise OptionError(
            f"The result of '{result.info.model}' has no instant t = {at:g} s.",
            f"It goes from {frames.t[0]:g} s to {frames.t[-1]:g} s.",
        )
    sheet.draw(int(np.argmin(np.abs(frames.t - at))))
    with replacing(path) as temporary:
        sheet.figure.savefig(temporary, format=path.suffix[1:].lower(), dpi=120)


def save_film(result: "Result", path: Path, fps: float, speed: float) -> None:
    """Draw the motion into a gif or an mp4 file.

    Parameters
    ----------
    fps, speed : float
        Pictures per second, and seconds of the motion per second of the film.
    """
    if path.suffix.lower() == ".mp4":
        check_ffmpeg()
    seconds = abs(float(result.t[-1] - result.t[0])) / speed if len(result.t) else 0.0
    count = round(fps * seconds) + 1
    if count > MOST_PICTURES:
        raise OptionError(
            f"A film of {seconds:.4g} s with {fps:g} pictures per second has {count} pictures, "
            f"over {MOST_PICTURES}.",
            "Choose a higher speed or fewer pictures per second.",
        )
    frames = frames_of(result, max(2, count))
    sheet = Sheet(frames, result.info.model)
    write = _write_mp4 if path.suffix.lower() == ".mp4" else _write_gif
    with replacing(path) as temporary:
        write(sheet, temporary, fps)


def check_ffmpeg() -> None:
    """Raise an error if the program ffmpeg is not installed."""
    if shutil.which("ffmpeg") is None:
        raise OptionError(
            "Films in the format mp4 need the program ffmpeg, which is not installed.",
            "Install it, or save the animation as .gif or .html.",
        )


def _write_gif(sheet: Sheet, path: Path, fps: float) -> None:
    image = import_optional("PIL.Image", "plot")
    pictures = []
    for array in _arrays(sheet):
        picture = image.fromarray(array).convert("RGB")
        pictures.append(picture.quantize(128))
    pictures[0].save(
        path,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=1000 / fps,
        loop=0,
        optimize=False,
    )


def _write_mp4(sheet: Sheet, path: Path, fps: float) -> None:
    writer: Any = import_optional("matplotlib.animation", "plot").FFMpegWriter(fps=fps)
    with tempfile.TemporaryDirectory() as folder:  # ffmpeg chooses the format by the suffix
        film = Path(folder) / "film.mp4"
        with writer.saving(sheet.figure, film, dpi=120):
            for frame in range(len(sheet.frames.t)):
                sheet.draw(frame)
                writer.grab_frame()
        shutil.copyfile(film, path)


def _arrays(sheet: Sheet) -> Iterator[Any]:
    """Yield the pictures as arrays of bytes."""
    agg = import_optional("matplotlib.backends.backend_agg", "plot")
    canvas = agg.FigureCanvasAgg(sheet.figure)
    sheet.figure.set_dpi(80)
    for frame in range(len(sheet.frames.t)):
        sheet.draw(frame)
        canvas.draw()
        yield np.asarray(canvas.buffer_rgba()).copy()
