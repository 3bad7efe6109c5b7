"""HTTP server of the studio on this machine: reads requests, authorises them, replies."""

import logging
import os
import secrets
import shutil
import socketserver
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from socket import SHUT_RDWR, socket
from typing import Any

from mbdgen.errors import MbdgenError, OptionError
from mbdgen.studio.reply import Refusal, Reply, of_data, of_error
from mbdgen.studio.routes import FREE, GUARDED, Answer
from mbdgen.studio.security import ADDRESS, ALWAYS, PAGE_POLICY, Door
from mbdgen.studio.studio import Studio

LOG = logging.getLogger("mbdgen.studio")
LARGEST_BODY = 65_536
MOST_REQUESTS = 32
"""Largest number of concurrent requests; further connections are closed."""
CHANGING = "POST", "DELETE"


class Server(ThreadingHTTPServer):
    """Server of one studio on the loopback interface.

    Parameters
    ----------
    studio : Studio
        Studio that handles the requests.
    port : int
        Port; 0 for a free one.
    """

    daemon_threads = True
    # On other systems the option only skips a waiting time; on Windows it would share the port.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, studio: Studio, port: int) -> None:
        self.studio = studio
        self._room = threading.BoundedSemaphore(MOST_REQUESTS)
        self._strangers: dict[int, socket] = {}
        self._keeping = threading.Lock()
        try:
            super().__init__((ADDRESS, port), Handler)
        except (OSError, OverflowError) as error:
            raise OptionError(
                f"Port {port} of {ADDRESS} cannot be used: {error}.", "Choose another by --port."
            ) from error
        self.door = Door(int(self.server_address[1]), studio.token)

    @property
    def url(self) -> str:
        """Address of the page with the token in the fragment, which browsers do not send."""
        return f"http://{self.door.hosts[0]}/#token={self.studio.token}"

    @contextmanager
    def hint(self) -> Iterator[str]:
        """Address of a file that redirects to the page, readable by this user only.

        All users of a machine can read command lines, so the token must not be an argument of the
        browser.
        """
        with tempfile.TemporaryDirectory(
            prefix="mbdgen-studio-"
        ) as folder:  # readable by this user only
            path = Path(folder) / "studio.html"
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(
                    "<!DOCTYPE html><meta charset=utf-8><title>mbdgen studio</title>"
                    f'<meta http-equiv="refresh" content="0; url={self.url}">'
                    f'<a href="{self.url}">mbdgen studio</a>'
                )
            yield path.as_uri()

    def server_bind(self) -> None:
        """Bind without a name lookup of this machine."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Reply in a new thread, if the limit permits.

        Otherwise the oldest connection without a valid token is closed, so that idle connections
        cannot block the user.
        """
        if not self._room.acquire(blocking=False):
            self._end_oldest_stranger()
            if not self._room.acquire(timeout=1.0):
                self.shutdown_request(request)
                return
        with self._keeping:
            self._strangers[id(request)] = request
        super().process_request(request, client_address)

    def trust(self, request: Any) -> None:
        """Protect a connection with a valid token from being closed."""
        with self._keeping:
            self._strangers.pop(id(request), None)

    def _end_oldest_stranger(self) -> None:
        with self._keeping:
            oldest = next(iter(self._strangers), None)
            found = self._strangers.pop(oldest) if oldest is not None else None
        if found is not None:
            with suppress(OSError):
                found.shutdown(SHUT_RDWR)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Reply, and release the slot."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.trust(request)
            self._room.release()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Log a broken connection."""
        LOG.debug("a connection broke", exc_info=True)


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    server_version, sys_version = "mbdgen", ""
    timeout = 20  # longest silence of a client in seconds
    patience = 10.0
    """Seconds within which the header of a request must be complete."""
    _read = False

    def handle_one_request(self) -> None:
        """Handle one request within the time limit."""
        late = threading.Timer(self.patience, self._hang_up)
        late.daemon = True
        self._late = late
        late.start()
        try:
            super().handle_one_request()
        finally:
            late.cancel()

    def _hang_up(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(SHUT_RDWR)

    def do_GET(self) -> None:
        """Handle GET."""
        self._answer("GET")

    def do_POST(self) -> None:
        """Handle POST."""
        self._answer("POST")

    def do_DELETE(self) -> None:
        """Handle DELETE."""
        self._answer("DELETE")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Reply to malformed requests."""
        text = message or HTTPStatus(code).phrase
        self._send(of_data({"cause": f"{text}.", "remedy": "Use the studio's page."}, code))

    def log_message(self, format: str, *args: Any) -> None:
        """Write to the log instead of the terminal."""
        LOG.debug(format, *args)

    def _answer(self, method: str) -> None:
        self._late.cancel()
        try:
            reply = self._reply(method)
        except Refusal as refusal:
            reply = of_error(refusal, refusal.status)
        except MbdgenError as error:
            reply = of_error(error, HTTPStatus.UNPROCESSABLE_ENTITY)
        except (ConnectionError, TimeoutError):
            return  # the client has disconnected
        except Exception:
            LOG.exception("a request to the studio failed with an internal error")
            text = "The studio failed with an internal error."
            data = {"cause": text, "remedy": "Please report it with what the terminal shows."}
            reply = of_data(data, HTTPStatus.INTERNAL_SERVER_ERROR)
        self._forget_body()
        self._send(reply)

    def _reply(self, method: str) -> Reply:
        door, headers = self.server.door, dict(self.headers.items())
        if len(self.headers.get_all("Host") or ()) != 1:
            headers["Host"] = ""
        wants_page = (method, self.path) == ("GET", "/")
        door.check_host(headers, wants_page)
        if wants_page:
            return page()
        if found := _route(FREE, method, self.path):
            return found[0](self.server.studio, found[1], b"")
        door.check_token(headers)
        self.server.trust(self.connection)
        if method in CHANGING:
            door.check_origin(headers)
        found = _route(GUARDED, method, self.path)
        if found is None:
            raise Refusal(
                HTTPStatus.NOT_FOUND, "The studio has no such address.", "Use the studio's page."
            )
        answer, rest = found
        return answer(self.server.studio, rest, self._body() if method == "POST" else b"")

    def _body(self) -> bytes:
        """Read the announced number of bytes, up to a limit."""
        if self.headers.get_content_type() != "application/json":
            raise Refusal(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The request is not JSON.", "Send JSON."
            )
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            raise Refusal(
                HTTPStatus.LENGTH_REQUIRED,
                "The request has no valid length.",
                "Send a Content-Length.",
            )
        if len(length) > 9 or int(length) > LARGEST_BODY:
            raise Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"The request has more than {LARGEST_BODY} bytes.",
                "Send less.",
            )
        self._read = True
        return self.rfile.read(int(length))

    def _forget_body(self) -> None:
        """Drain the body of a refused request: unread data would reset the connection."""
        length = self.headers.get("Content-Length", "")
        if self._read or not (length.isascii() and length.isdigit()) or len(length) > 7:
            return
        with suppress(OSError):
            self.rfile.read(int(length))

    def _send(self, reply: Reply) -> None:
        content = reply.content
        try:
            size = content.stat().st_size if isinstance(content, Path) else len(content)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(size))
            for name, value in (ALWAYS | dict(reply.headers)).items():
                self.send_header(name, value)
            self.end_headers()
            if isinstance(content, Path):
                with content.open("rb") as file:
                    shutil.copyfileobj(file, self.wfile)
            else:
                self.wfile.write(content)
        except OSError:
            LOG.debug("an answer could not be sent", exc_info=True)


def _route(
    table: dict[tuple[str, str], Answer], method: str, path: str
) -> tuple[Answer, str] | None:
    """Return the function for an address, and the remainder of the address."""
    for (verb, start), answer in table.items():
        if verb != method:
            continue
        if path == start:
            return answer, ""
        if start.endswith("/") and path.startswith(start):
            return answer, path.removeprefix(start)
    return None


# The studio's own page: one file without secrets; its script is allowed by a nonce.
TEMPLATE, PLACE = "html/studio.html", "NONCE"


def page() -> Reply:
    """Return the page."""
    nonce = secrets.token_urlsafe(16)
    text = (Path(str(files("mbdgen.templates"))) / TEMPLATE).read_text("utf-8")
    headers = {"Content-Security-Policy": PAGE_POLICY.format(nonce=nonce)}
    content = text.replace(f'nonce="{PLACE}"', f'nonce="{nonce}"').encode()
    return Reply(HTTPStatus.OK, "text/html; charset=utf-8", content, headers)
