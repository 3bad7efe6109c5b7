"""A browser without a display, for tests of pages: Chromium and its DevTools protocol on pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

EXECUTABLE = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 60.0
"""Seconds after which something that did not happen never will: machines of tests are busy."""
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--remote-debugging-pipe",
)
# The browser reads commands at 3 and writes at 4, whatever these are in this process.
_SHIM = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Chromium:
    """A browser with an empty profile; use it as a context."""

    def __init__(self, profile: Path) -> None:
        assert EXECUTABLE is not None
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        self.sessions: dict[str, list[dict[str, Any]]] = {}
        self._count, self._rest = 0, b""
        words = [EXECUTABLE, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SHIM, str(commands), str(answers), *words],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._to)  # the browser ends with its pipe
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._from)

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._count += 1
        number = self._count
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        for answer in self._messages():
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])
        raise AssertionError(f"the browser did not answer {method}")

    def open(self, url: str = "about:blank", width: int = 1280, height: int = 900) -> "Page":
        """Open an address in a new tab."""
        target = self.call(
            "Target.createTarget", url="about:blank", newWindow=True, width=width, height=height
        )
        attached = self.call("Target.attachToTarget", flatten=True, **target)
        page = Page(self, attached["sessionId"])
        page.go(url)
        return page

    def _messages(self) -> Iterator[dict[str, Any]]:
        """Read messages until nobody wants more; events are filed under their session."""
        end = time.monotonic() + PATIENCE
        while True:
            while b"\0" in self._rest:
                raw, _, self._rest = self._rest.partition(b"\0")
                message = json.loads(raw)
                if "method" in message:
                    self._file(message)
                yield message
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return
            piece = os.read(self._from, 1 << 20)
            assert piece, "the browser has ended"
            self._rest += piece

    def _file(self, event: dict[str, Any]) -> None:
        self.sessions.setdefault(event.get("sessionId", ""), []).append(event)


class Page:
    """One tab, or a frame in a process of its own."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser, self._session = browser, session
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True
        )

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command about this page."""
        return self._browser.call(method, self._session, **parameters)

    def go(self, url: str) -> None:
        """Go to an address, until everything there is loaded."""
        assert "errorText" not in self.call("Page.navigate", url=url), url
        elsewhere = "true" if url == "about:blank" else "location.href !== 'about:blank'"
        self.wait(f"document.readyState === 'complete' && {elsewhere}")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript; promises are awaited."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, (expression, found["exceptionDetails"])
        return found["result"].get("value")

    def wait(self, condition: str, seconds: float = PATIENCE) -> Any:
        """Wait until an expression is true and return its value."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(condition)):
            assert time.monotonic() < end, f"{condition} did not become true"
            time.sleep(0.05)
        return value

    def frames(self) -> list["Page"]:
        """Return the frames that have processes of their own, the newest last."""
        gone = {e["params"]["sessionId"] for e in self._events("Target.detachedFromTarget")}
        new = [e["params"]["sessionId"] for e in self._events("Target.attachedToTarget")]
        return [Page(self._browser, session) for session in new if session not in gone]

    def errors(self) -> list[str]:
        """Return what the console calls an error, and exceptions that nobody caught."""
        self.evaluate("0")  # what has happened before has arrived now
        found = []
        for event in self._browser.sessions.get(self._session, []):
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(str(parameters["entry"]))
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] == "error":
                found.append(str(parameters["args"]))
        return found

    def colours(self, scheme: str) -> None:
        """Let the page be told that the user likes it dark or light."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def screenshot(self, path: Path) -> None:
        """Write what is seen as png."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def downloads(self, folder: Path) -> None:
        """Let downloads go to a folder."""
        self._browser.call(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder)
        )

    def _events(self, method: str) -> list[dict[str, Any]]:
        events = self._browser.sessions.get(self._session, [])
        return [event for event in events if event["method"] == method]
