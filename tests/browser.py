"""Chromium without a window, told what to do through a pipe: DevTools protocol, nothing else."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --use-angle=swiftshader --enable-unsafe-swiftshader "
    "--disable-quic --disable-background-networking --disable-dev-shm-usage --no-first-run "
    "--hide-scrollbars --remote-debugging-pipe"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """Return the browser's path; the test is skipped where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("there is no chromium")
    return found


# What Chromium answers to an expression whose page goes to another address meanwhile.
LEFT = ("navigated or closed", "context was destroyed", "Cannot find context")


class Refused(AssertionError):
    """The browser's error instead of an answer."""


class Pipe:
    """Messages to and from a browser. Errors and warnings of scripts are collected by session."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read, self._rest, self._id = write, read, b"", 0
        self.errors: dict[str, list[str]] = {}
        self.frames: list[str] = []

    def ask(self, method: str, session: str, **parameters: Any) -> Any:
        """Send a command and wait for its answer."""
        self._id += 1
        message: dict[str, Any] = {"id": self._id, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self._id:
                if "error" in answer:
                    raise Refused(answer["error"]["message"])
                return answer["result"]

    def receive(self) -> Any:
        """Wait for the next message."""
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: Any) -> None:
        method, what = message.get("method"), message.get("params", {})
        errors = self.errors.setdefault(message.get("sessionId", ""), [])
        if method == "Target.attachedToTarget" and what["targetInfo"]["type"] == "iframe":
            self.frames.append(what["sessionId"])
        if method == "Target.detachedFromTarget" and what["sessionId"] in self.frames:
            self.frames.remove(what["sessionId"])
        if method == "Runtime.exceptionThrown":
            errors.append(str(what["exceptionDetails"]))
        if method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            errors.append(str(what["args"]))
        if method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            text = what["entry"]["text"]
            if "GPU stall due to ReadPixels" not in text:  # our own reading of pixels
                errors.append(text)


class Tab:
    """One page, or a frame in it that has a process of its own."""

    def __init__(self, pipe: Pipe, session: str) -> None:
        self._pipe, self._session = pipe, session
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True
        )

    @property
    def errors(self) -> list[str]:
        """Errors and warnings of its scripts."""
        return self._pipe.errors.setdefault(self._session, [])

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for its answer."""
        return self._pipe.ask(method, self._session, **parameters)

    def frame(self) -> "Tab":
        """Return the newest frame of another origin."""
        self.wait("document.querySelector('iframe').src")
        while not self._pipe.frames:
            self.run("0")
            sleep(0.05)
        return Tab(self._pipe, self._pipe.frames[-1])

    def open(self, address: str | Path, width: int = 1000, height: int = 700) -> None:
        """Load a page and wait until it is there."""
        self.resize(width, height)
        where = address.absolute().as_uri() if isinstance(address, Path) else address
        self.ask("Page.navigate", url=where)
        while self._pipe.receive().get("method") != "Page.loadEventFired":
            pass

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **size)

    def dark(self, on: bool = True) -> None:
        """Let the person prefer dark pages."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[feature])

    def run(self, script: str) -> Any:
        """Return the value of an expression; a promise is waited for."""
        found = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, condition: str, seconds: float = 300.0) -> Any:
        """Wait until an expression is true and return its value; the page may go elsewhere."""
        end = monotonic() + seconds
        while not (value := self._run_unless_it_navigates(condition)):
            assert monotonic() < end, f"{condition} did not become true"
            sleep(0.05)
        return value

    def _run_unless_it_navigates(self, script: str) -> Any:
        """Return the value of an expression, or None where the page left while it was asked."""
        try:
            return self.run(script)
        except Refused as error:
            if any(words in str(error) for words in LEFT):
                return None
            raise

    def downloads(self, folder: Path) -> None:
        """Put files that are downloaded into a folder."""
        self._pipe.ask(
            "Browser.setDownloadBehavior", "", behavior="allow", downloadPath=str(folder)
        )

    def pictures(self, n: int = 2) -> None:
        """Wait until the page has drawn so often."""
        again = "new Promise(requestAnimationFrame)"
        for _ in range(n):
            self.run(f"{again}.then(() => 0)")

    def key(self, key: str, text: str = "") -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Move, press or release the left button, or turn the wheel."""
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def screenshot(self, path: Path) -> None:
        """Save what is seen."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))


def new_tab(pipe: Pipe) -> Tab:
    """Open an empty page."""
    target = pipe.ask("Target.createTarget", "", url="about:blank")["targetId"]
    attached = pipe.ask("Target.attachToTarget", "", targetId=target, flatten=True)
    return Tab(pipe, attached["sessionId"])


@contextmanager
def browser() -> Iterator[Tab]:
    """Start a browser with one empty page and end it again."""
    path = chromium()
    to_browser, from_browser = os.pipe(), os.pipe()

    def connect() -> None:  # in the new process: it reads from 3 and writes to 4
        reads, writes = os.dup(to_browser[0]), os.dup(from_browser[1])
        os.dup2(reads, 3)
        os.dup2(writes, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [path, *FLAGS, f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser[0])
        os.close(from_browser[1])
        try:
            yield new_tab(Pipe(to_browser[1], from_browser[0]))
        finally:
            process.terminate()
            process.wait(10)
            os.close(to_browser[1])
            os.close(from_browser[0])
