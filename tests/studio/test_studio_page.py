"""The studio's page in a browser, from picking a model to the files of a run."""

import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mbdgen.studio.run_bounds import RunBounds
from tests.browser import Tab, browser
from tests.studio.client import Client
from tests.studio.conftest import serving

STATE = "document.getElementById('state').textContent"
ENDED = f"/^(done|failed|stopped|cancelled|refused)/.test({STATE})"
COMMAND = "document.getElementById('command').textContent"


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def asked(models: Path) -> Iterator[Client]:
    """A studio that asks the command line for its methods."""
    with serving(models, RunBounds(seconds=300.0, memory=3.0), choices=None) as client:
        yield client


def element(name: str) -> str:
    return f"document.getElementById('{name}')"


def click(tab: Tab, name: str) -> None:
    tab.run(f"{element(name)}.click()")


def change(tab: Tab, name: str, value: object, event: str = "input") -> None:
    """Let a user give a field a value."""
    told = f"x.value = {value!r}; x.dispatchEvent(new Event('{event}', {{bubbles: true}}))"
    tab.run(f"(() => {{ const x = {element(name)}; {told}; }})()")


def begin(tab: Tab, client: Client, model: str) -> None:
    """Open the page and pick a model."""
    tab.open("about:blank")
    tab.errors.clear()
    tab.open(client.server.url, 1360, 1000)
    tab.wait(f"{element('method')}.options.length > 5 && {COMMAND}")
    change(tab, "model", model, "change")
    name = model.partition("/")[2]
    tab.wait(f"{COMMAND}.includes('{name}') && !{element('run')}.disabled")


def test_from_a_model_to_its_motion(tab: Tab, asked: Client, tmp_path: Path) -> None:
    tab.downloads(tmp_path)
    begin(tab, asked, "shipped/pendulum")
    assert "#" not in tab.run("location.href")  # the token is no longer in the address
    assert tab.run(f"{element('title')}.textContent").startswith("Simple pendulum")
    change(tab, "parameter-L-slider", 1.5)
    assert tab.run(f"{element('parameter-L')}.value") == "1.5"
    change(tab, "method", "rk4", "change")
    change(tab, "duration", 30)
    tab.wait(f"{COMMAND}.includes('--set L=1.5') && {COMMAND}.includes('--t 30')")
    told = tab.run(COMMAND)
    assert told.startswith("mbdgen run pendulum --t 30 --h 0.001 --method rk4 --set L=1.5")
    # Every value of the bar from now on.
    tab.run(
        "globalThis.seen = new Set(); new MutationObserver(() => "
        f"seen.add({element('bar')}.value)).observe({element('bar')}, {{attributes: true}}); 0"
    )
    click(tab, "run")
    tab.wait(f"!{element('cancel')}.disabled")
    assert tab.run(f"{element('run')}.disabled")
    tab.wait(ENDED)
    assert tab.run(STATE).startswith("done")
    assert tab.run(f"{element('bar')}.value") == 1
    between = tab.run("[...seen].filter((x) => x > 0 && x < 1).length")
    assert between > 0, "the bar went from nothing to everything"
    picture(tab)
    files(tab, tmp_path)
    assert tab.errors == []


def picture(tab: Tab) -> None:
    """The animation moves and the plots are there, in a frame that can reach nothing."""
    frame = tab.frame()
    assert frame.run("self.origin") == "null"
    frame.wait("document.readyState === 'complete' && document.getElementById('clock').textContent")
    before = frame.run("document.getElementById('clock').textContent")
    frame.wait(f"document.getElementById('clock').textContent !== {before!r}")
    assert frame.run("document.getElementById('plots').height") > 0
    assert frame.run("document.getElementById('sorry').textContent") == ""
    assert frame.run("fetch('/api/models').then(() => 'told', () => 'refused')") == "refused"
    reach = "(() => { try { return parent.document.title; } catch { return 'refused'; } })()"
    assert frame.run(reach) == "refused"
    frame.errors.clear()  # those refusals


def files(tab: Tab, folder: Path) -> None:
    """Results and code arrive as files."""
    tab.run("document.querySelector('#links a[data-suffix=csv]').click()")
    table = np.genfromtxt(io.BytesIO(arrived(folder / "pendulum.csv")), delimiter=",", names=True)
    assert table["t_s"][-1] == 30.0
    # The length that the slider gave; every step is brought back onto the constraints.
    length = np.hypot(table["tipx_m"], table["tipy_m"])
    np.testing.assert_allclose(length, 1.5, rtol=1e-9)
    change(tab, "backend", "js", "change")
    click(tab, "code")
    with zipfile.ZipFile(io.BytesIO(arrived(folder / "pendulum-js.zip"))) as archive:
        assert "pendulum.mjs" in archive.namelist()


def arrived(path: Path) -> bytes:
    """Wait for a download."""
    end = time.monotonic() + 300.0
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} did not arrive"
        time.sleep(0.05)
    return path.read_bytes()


@pytest.mark.slow
def test_failures_are_shown_and_the_page_goes_on(tab: Tab, asked: Client) -> None:
    begin(tab, asked, "own/dies")
    change(tab, "duration", 1)
    click(tab, "run")
    tab.wait(ENDED)
    assert tab.run(STATE).startswith("failed")
    assert "The simulation of 'dies' failed" in tab.run(f"{element('cause')}.textContent")
    assert tab.run("!!document.querySelector('#links a[data-suffix=csv]')")  # up to there
    change(tab, "h", -1)
    tab.wait(f"{element('cause')}.textContent.includes('step h = -1 is out of range')")
    change(tab, "model", "own/broken", "change")
    tab.wait(f"{element('cause')}.textContent.includes('line 1')")
    assert tab.run(f"{element('run')}.disabled")
    # What the browser itself says of a refused request is no error of the page.
    assert [e for e in tab.errors if "status of 4" not in e] == []


@pytest.mark.slow
def test_dark_and_light(tab: Tab, asked: Client) -> None:
    begin(tab, asked, "shipped/bricard")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = tab.run(colour)
    tab.dark()
    assert tab.run(colour) != light
    tab.dark(False)
    assert tab.run(colour) == light


@pytest.mark.slow
def test_a_run_is_cancelled(tab: Tab, asked: Client) -> None:
    begin(tab, asked, "shipped/pendulum")
    change(tab, "duration", 15000)
    click(tab, "run")
    tab.wait(f"!{element('cancel')}.disabled")
    click(tab, "cancel")
    tab.wait(ENDED)
    assert tab.run(STATE).startswith("cancelled") and not tab.run(f"{element('run')}.disabled")
    assert tab.errors == []


def test_without_the_token_the_page_says_where_to_get_it(tab: Tab, asked: Client) -> None:
    tab.run("sessionStorage.clear()")
    tab.open(asked.server.url.partition("#")[0])
    tab.wait(f"{element('cause')}.textContent.includes('token')")
    assert "mbdgen studio" in tab.run(f"{element('remedy')}.textContent")


@pytest.mark.slow
def test_the_model_is_seen_before_it_moves_and_enter_runs_it(tab: Tab, asked: Client) -> None:
    begin(tab, asked, "shipped/pendulum")
    tab.wait(f"!{element('picture')}.hidden")  # at the start, without a run
    assert tab.run(f"{element('results')}.hidden")
    change(tab, "duration", 1)
    enter = "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})"
    tab.run(f"{element('duration')}.dispatchEvent({enter}); 0")
    tab.wait(ENDED)
    assert tab.run(STATE).startswith("done") and not tab.run(f"{element('results')}.hidden")
    address = tab.run(f"{element('page')}.src")
    assert "/runs/" in address
    # What has moved goes away with its model.
    change(tab, "model", "shipped/bricard", "change")
    assert tab.run(f"{element('page')}.src") == "about:blank"
    assert tab.run(f"{element('picture')}.hidden && {element('results')}.hidden")


@pytest.mark.slow
def test_an_error_goes_away_when_its_file_is_mended(tab: Tab, asked: Client, models: Path) -> None:
    path = models / "later.py"
    path.write_text("from mbdgen import Model\nmodel = Modell('later')\n", "utf-8")
    begin(tab, asked, "shipped/pendulum")
    change(tab, "model", "own/later", "change")
    tab.wait(f"{element('cause')}.textContent.includes('Modell')")
    text = "from mbdgen import Model\nmodel = Model('later')\nmodel.point_mass('ball', 1.0)\n"
    path.write_text(text, "utf-8")
    tab.wait(f"{element('message')}.hidden && {STATE} === 'ready'")
    path.unlink()


@pytest.mark.slow
def test_the_page_opens_from_a_file_of_the_user(tab: Tab, asked: Client) -> None:
    with asked.server.hint() as hint:
        path = Path(hint.removeprefix("file://"))
        assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o77 == 0
        assert asked.studio.token not in hint
        tab.open(hint)
        tab.wait("document.getElementById('method')?.options.length > 5")
        assert tab.run("location.href").startswith("http://") and "#" not in tab.run(
            "location.href"
        )
    assert not path.exists()
