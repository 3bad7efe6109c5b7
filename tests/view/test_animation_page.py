"""Pages, pictures and films of a result: what is in the files."""

import base64
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from mbdgen.errors import OptionError
from mbdgen.runtime.results.result_archive import load_result
from mbdgen.view.animation_frames import frames_of
from mbdgen.view.animation_page import embedded, page, save_page
from mbdgen.view.extent import extent_of
from mbdgen.view.solids import eye_of
from tests.sample_motion import DOWN, many, wheel

pytest.importorskip("matplotlib")


def data_of(text: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_a_page_is_self_contained() -> None:
    text = page(wheel())
    assert not re.search(r"(src|href)=|@import|url\(|fetch\(|XMLHttp|import\(", text)
    assert "default-src 'none'" in text and "/*" + "DATA*/" not in text
    for kind in ("sphere", "cone"):
        assert f"{kind}:" in text


def test_numbers_in_a_page_are_those_of_the_result() -> None:
    result = wheel()
    data = data_of(page(result))
    poses = np.frombuffer(base64.b64decode(data["poses"]), "<f4").reshape(-1, 1, 7)
    half = np.pi * result.t / 2
    expected = np.column_stack([np.cos(half), 0 * half, 0 * half, np.sin(half)])
    assert np.abs(poses[:, 0, 3:] - expected).max() < 1e-7  # 32-bit numbers
    series = data["series"]
    tip = np.frombuffer(base64.b64decode(series["values"][1]), "<f4")
    assert series["names"][1] == "tip.y" and np.abs(tip - result["tip.y"]).max() < 1e-7
    assert series["first"][:3] == ["tip.x", "tip.y", "tip.z"]


def test_names_cannot_end_the_script() -> None:
    evil = ("line", "</script><script>alert(1)", ("b0",), "", (0.0,) * 6)
    text = page(wheel(rows=[evil]))
    assert text.count("</script>") == 2 and data_of(text)["figures"][-1][1] == evil[1]


def test_size_of_a_page() -> None:
    # 10 000 steps of one body, and 1000 balls: what a browser has to read.
    assert len(page(many(10_000))) < 400_000
    assert len(page(many(500, bodies=1000))) < 9_000_000


def test_numbers_that_are_none_stay_out() -> None:
    result = wheel()
    result.outputs[3] = np.nan
    data_of(page(result))


def test_notebooks_show_a_frame() -> None:
    shown = wheel().animate(height=321)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "height:321px" in shown
    assert "<script" not in shown  # escaped: it runs in the frame


def test_files(tmp_path: Path) -> None:
    from PIL import Image

    animation = wheel(rows=FIGURES).animate()
    animation.save(tmp_path / "a.html")
    save_page(animation.result, tmp_path / "b.html")
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text()
    animation.save(tmp_path / "a.svg", t=1.0)
    assert "t = 1" in (tmp_path / "a.svg").read_text() or (tmp_path / "a.svg").stat().st_size > 5000
    animation.save(tmp_path / "a.gif", fps=5)
    film = Image.open(tmp_path / "a.gif")
    assert film.n_frames == 11 and film.info["duration"] == 200
    first = np.asarray(film.convert("RGB"), float)
    film.seek(5)
    assert np.abs(np.asarray(film.convert("RGB"), float) - first).max() > 100  # it moves


FIGURES = [
    ("box", "", ("b0",), "#ff0000", (0.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.3, 0.2, 0.1)),
    ("cylinder", "", ("b0",), "", (0.0, 0, 0, 0, 0, 0.5, 0.1)),
    ("disc", "", ("b0",), "", (1.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.0)),
    ("sphere", "", ("b0",), "", (0.0, 0.5, 0, 0.1)),
    ("line", "", ("b0",), "", (0.0, 0, 0, 0, 0.5, 0.5)),
    ("plane", "", ("ground",), "", (0.0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 3.0, 2.0)),
    ("axis", "pin", ("ground",), "", (0.0, 0, 0, 0, 0, 1)),
    ("joint", "ball", ("b0",), "", (1.0, 0, 0)),
    ("coil", "spring", ("ground", "b0"), "", (0.0, 0, 1, 1, 0, 0)),
    ("rod", "link", ("ground", "b0"), "", (0.0, 1, 0, 1, 0, 0)),
]


def test_pictures_show_colours(tmp_path: Path) -> None:
    from PIL import Image

    wheel(rows=FIGURES).animate().save(tmp_path / "a.png", t=0.0)
    red, green, blue = np.moveaxis(
        np.asarray(Image.open(tmp_path / "a.png").convert("RGB"), int), 2, 0
    )
    assert np.sum((red > 150) & (green < 60) & (blue < 60)) > 300  # the red box


def test_a_still_result_is_a_picture_and_a_page(tmp_path: Path) -> None:
    still = wheel(n=1)
    still.animate().save(tmp_path / "still.png")
    assert data_of(page(still))["t"] == base64.b64encode(bytes(4)).decode()


def test_scenes_are_in_files_of_results(tmp_path: Path) -> None:
    result = wheel()
    assert result.scene is not None
    result.save(tmp_path / "r.npz")
    back = load_result(tmp_path / "r.npz").scene
    assert back is not None and back.rows() == result.scene.rows()


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("a.mov", {}, "suffix '.mov' is unknown"),
        ("a.gif", {"fps": 0}, "fps = 0"),
        ("a.gif", {"speed": -1.0}, "speed = -1.0"),
        ("a.gif", {"fps": 1000, "speed": 1.0}, "over 600"),
        ("a.png", {"t": 7.0}, "has no instant t = 7 s"),
        ("missing/a.html", {}, "Cannot write"),
    ],
)
def test_mistakes(tmp_path: Path, name: str, options: dict, text: str) -> None:
    with pytest.raises(OptionError, match=re.escape(text)):
        wheel().animate().save(tmp_path / name, **options)


def test_films_without_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(OptionError, match="ffmpeg, which is not installed"):
        wheel().animate().save(tmp_path / "a.mp4")
    assert not list(tmp_path.iterdir())


def test_angles_of_the_view_are_those_of_matlab() -> None:
    """As MATLAB has it: view(0, 0) looks along y, view(0, 90) from above, view(90, 0) along -x."""
    back = {}
    for azimuth, elevation in ((0.0, 0.0), (0.0, 90.0), (90.0, 0.0)):
        rows = [("azimuth", "", (), "", (azimuth,)), ("elevation", "", (), "", (elevation,))]
        frames = frames_of(wheel(rows=rows))
        back[azimuth, elevation] = eye_of(frames, extent_of(frames)).axes
    right, up, towards = back[0.0, 0.0]
    assert right == pytest.approx([1, 0, 0]) and up == pytest.approx([0, 0, 1])
    assert towards == pytest.approx([0, -1, 0])
    assert back[0.0, 90.0][1] == pytest.approx([0, 1, 0], abs=1e-15)
    assert back[90.0, 0.0][2] == pytest.approx([1, 0, 0], abs=1e-15)


def test_down_may_be_any_axis() -> None:
    for down in np.vstack([np.eye(3), -np.eye(3)]):
        rows = [
            ("gravity", "", (), "", tuple(down)),
            ("body", "b0", ("b0",), "", (1.0, 0, 0, 0, 0, 1)),
        ]
        result = wheel()
        assert result.scene is not None
        frames = frames_of(result)
        from dataclasses import replace

        from mbdgen.runtime.results.scene_figures import Scene

        frames = replace(frames, scene=Scene.of_rows(rows))
        extent = extent_of(frames)
        if extent.plane:
            continue
        axes = eye_of(frames, extent).axes
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-14)
        assert np.linalg.det(axes) == pytest.approx(1.0)
        assert axes[1] @ -down == pytest.approx(np.cos(np.radians(20)))  # up is up
    assert DOWN[4][2] < 0


def test_no_name_begins_a_comment_in_which_the_script_does_not_end() -> None:
    """Behind ``<!--<script>`` a browser takes the end of the script for a part of it."""
    for evil in ("<!--<script>", "</script>", "<!--", "]]>"):
        text = embedded({"unit": evil})
        assert "<" not in text and json.loads(text) == {"unit": evil}
