"""The page in a real browser: it draws, moves, obeys, and no script fails."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from mbdgen.view.animation_page import save_page
from tests.browser import Tab, browser
from tests.sample_motion import many, wheel
from tests.view.test_animation_page import FIGURES

DRAWN = """(() => {
  animation.draw();
  const gl = animation.renderer.gl, size = 4 * view.width * view.height;
  const pixels = new Uint8Array(size), seen = new Set();
  gl.readPixels(0, 0, view.width, view.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  for (let k = 0; k < size; k += 4) seen.add((pixels[k] << 16) | (pixels[k+1] << 8) | pixels[k+2]);
  return seen.size;
})()"""


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with browser() as found:
        yield found


@pytest.fixture
def page(tab: Tab, tmp_path: Path) -> Tab:
    save_page(wheel(rows=FIGURES), tmp_path / "page.html")
    tab.errors.clear()
    tab.open(tmp_path / "page.html")
    return tab


def test_everything_is_there_and_drawn(page: Tab) -> None:
    ids = "view plots play time speed again clock bodies layers series theme fit follow".split()
    assert page.run(f"{ids!r}.filter((id) => !document.getElementById(id))") == []
    assert page.run("document.title") == "sample: animation"
    unnamed = "[...document.querySelectorAll('button, canvas, input, select')].filter((e) => "
    unnamed += "!e.getAttribute('aria-label') && !e.textContent && !e.closest('label')).length"
    assert page.run(unnamed) == 0
    assert page.run(DRAWN) > 200  # shades of many solids
    assert page.errors == []


@pytest.mark.slow
def test_time_runs_and_can_be_set(page: Tab) -> None:
    page.run("new Promise((go) => setTimeout(go, 400))")
    assert page.run("animation.time") > 0
    page.run("animation.play(false), animation.seek(1.25)")
    page.pictures()
    assert (
        page.run("animation.time")
        == 1.25
        == float(page.run("document.getElementById('time').value"))
    )
    assert page.run("document.getElementById('clock').textContent").startswith("1.25")
    # The bar has turned by 1.25 pi, as the result says.
    tip = page.run("animation.scene.place('b0', [1, 0, 0], animation.scene.pose(1.25).bodies)")
    assert tip == pytest.approx([-0.7071, -0.7071, 0], abs=2e-3)  # between frames: a chord


@pytest.mark.slow
def test_speed_is_the_real_one_unless_that_is_too_fast(tab: Tab, tmp_path: Path) -> None:
    for t_end, speed in ((2.0, 0.5), (10.0, 1.0), (0.01, 0.002), (200.0, 5.0)):
        save_page(wheel(20, t_end), tmp_path / "page.html")
        tab.open(tmp_path / "page.html")
        assert tab.run("animation.speed") == speed


@pytest.mark.slow
def test_it_ends_and_repeats(page: Tab) -> None:
    page.run("document.getElementById('again').checked = false")
    page.run("animation.seek(1.999), animation.play(true)")
    page.run("new Promise((go) => setTimeout(go, 300))")
    assert page.run("[animation.time, animation.playing]") == [2, False]
    page.run("animation.play(true)")
    assert page.run("animation.time") < 2  # from the start again


@pytest.mark.slow
def test_keys(page: Tab) -> None:
    page.run("animation.play(false), animation.seek(1)")
    page.key(" ", " ")
    assert page.run("animation.playing") is True
    page.key(" ", " ")
    before = page.run("animation.seek(1), animation.time")
    page.key("ArrowRight")
    after = page.run("animation.time")
    assert 0 < after - before <= 2 / 49 + 1e-6
    page.key("End")
    assert page.run("animation.time") == 2
    page.key("Home")
    assert page.run("animation.time") == 0
    zoom = page.run("animation.camera.zoom")
    page.key("+", "+")
    assert page.run("animation.camera.zoom") > zoom
    page.key("f", "f")
    assert page.run("animation.camera.zoom") == 1
    assert page.errors == []


@pytest.mark.slow
def test_mouse(page: Tab) -> None:
    azimuth = page.run("animation.camera.azimuth")
    page.mouse("mousePressed", 300, 200, button="left", buttons=1, clickCount=1)
    page.mouse("mouseMoved", 350, 220, button="left", buttons=1)
    page.mouse("mouseReleased", 350, 220, button="left", buttons=0, clickCount=1)
    assert page.run("animation.camera.azimuth") == pytest.approx(azimuth - 20)
    page.mouse("mouseWheel", 300, 200, deltaX=0, deltaY=-200)
    page.pictures()
    assert page.run("animation.camera.zoom") > 1.2
    # A click into the plots goes to that instant.
    box = page.run(
        "(({left, top, width, height}) => [left, top, width, height])"
        "(document.getElementById('plots').getBoundingClientRect())"
    )
    panel = page.run("[animation.plots.boxes[0].left, animation.plots.boxes[0].width]")
    page.run("animation.play(false)")
    page.mouse(
        "mousePressed",
        box[0] + panel[0] + panel[1] / 2,
        box[1] + box[3] / 2,
        button="left",
        buttons=1,
        clickCount=1,
    )
    page.mouse("mouseReleased", 0, 0, button="left", buttons=0, clickCount=1)
    assert page.run("animation.time") == pytest.approx(1.0, abs=0.02)


@pytest.mark.slow
def test_bodies_and_layers_can_be_hidden(page: Tab) -> None:
    count = "Object.values(animation.scene.solids(animation.scene.pose(0)).solids)"
    count += ".reduce((sum, list) => sum + list.length / 20, 0)"
    whole = page.run(count)
    page.run("document.querySelector('#bodies input').click()")
    assert page.run(count) < whole - 5
    page.run("document.querySelector('#bodies input').click()")
    for box in range(page.run("document.querySelectorAll('#layers input').length")):
        page.run(f"document.querySelectorAll('#layers input')[{box}].click()")
        page.pictures(1)
    assert page.errors == []


@pytest.mark.slow
def test_light_and_dark(page: Tab) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page.dark(False)
    light = page.run(paper)
    page.dark(True)
    dark = page.run(paper)
    assert light == "rgb(255, 255, 255)" != dark
    page.run("document.getElementById('theme').click()")
    assert page.run(paper) == light
    page.dark(False)
    page.pictures()


@pytest.mark.slow
def test_other_sizes(page: Tab) -> None:
    for width, height in ((360, 640), (1600, 500)):
        page.resize(width, height)
        page.pictures(3)
        assert (
            page.run("Math.abs(view.width / view.height - stage.clientWidth / stage.clientHeight)")
            < 0.02
        )
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run(DRAWN) > 200
    assert page.errors == []


@pytest.mark.slow
def test_a_still_picture(tab: Tab, tmp_path: Path) -> None:
    save_page(wheel(n=1), tmp_path / "still.html")
    tab.errors.clear()
    tab.open(tmp_path / "still.html")
    assert tab.run("getComputedStyle(document.getElementById('controls')).display") == "none"
    assert tab.run("animation.playing") is False and tab.run(DRAWN) > 30
    assert tab.errors == []


@pytest.mark.slow
def test_a_thousand_balls(tab: Tab, tmp_path: Path) -> None:
    save_page(many(1000, bodies=1000), tmp_path / "many.html")
    tab.errors.clear()
    tab.open(tmp_path / "many.html")
    assert tab.run("animation.scene.t.length") == 150  # the budget of a page
    assert tab.run(DRAWN) > 100
    solids = "animation.scene.solids(animation.scene.pose(5)).solids"
    assert tab.run(f"{solids}.pebble.length / 20") == 1000
    assert tab.errors == []


@pytest.mark.slow
def test_ten_thousand_steps(tab: Tab, tmp_path: Path) -> None:
    save_page(many(10_000), tmp_path / "long.html")
    tab.errors.clear()
    tab.open(tmp_path / "long.html")
    assert tab.run("animation.scene.t.length") == 2000
    # Between two frames of the page a place is on the chord: within h^2/8 of the motion.
    height = tab.run("animation.scene.pose(1.2345).bodies[0][14]")
    assert height == pytest.approx(math.sin(1.2345), abs=(10 / 1999) ** 2 / 8 + 1e-6)
    assert tab.errors == []


@pytest.mark.slow
def test_series_can_be_chosen(page: Tab) -> None:
    assert page.run("animation.plots.boxes.length") == 2  # the tip in m, energies in J
    page.run("document.querySelectorAll('#series input:checked').forEach((box) => box.click())")
    assert page.run("animation.plots.boxes.length") == 0
    page.run("document.querySelectorAll('#series input')[1].click()")
    assert page.run("animation.plots.boxes[0].lines[0].name") == "tip.y"
    assert page.run("animation.plots.valueAt(animation.plots.series[1], 0.5)") == pytest.approx(
        1.0,
        abs=2.1e-3,  # between samples: a chord
    )
