"""Who may ask a studio, and what it refuses before it does anything."""

import socket
import time
from pathlib import Path

import pytest

from mbdgen.studio.server import LARGEST_BODY, MOST_REQUESTS, Handler
from tests.studio.client import Client

ORDER = {"model": "own/ball"}


def refused(answer, status: int) -> dict[str, str]:
    """The message of a refusal: JSON with cause and remedy."""
    assert answer.status == status, answer.body
    assert answer.headers["Content-Type"].startswith("application/json")
    assert set(answer.data) == {"cause", "remedy"} and answer.data["cause"].endswith(".")
    return answer.data


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "", "[::1]:{port}"]
)
@pytest.mark.parametrize("path", ["/", "/api/models", "/runs/x/result.csv"])
def test_another_host_is_refused(client: Client, host: str, path: str) -> None:
    """A name of somebody else that points to this machine: DNS rebinding."""
    named = host.format(port=client.server.door.port)
    refused(client.get(path, Host=named, Origin=None), 421)


def test_localhost_is_this_machine(client: Client) -> None:
    host = f"localhost:{client.server.door.port}"
    assert client.get("/api/models", Host=host, Origin=f"http://{host}").status == 200
    # The other name of the same machine is another origin to a browser, and to us.
    refused(client.get("/api/models", Host=host), 403)


def test_only_this_machine_can_connect(client: Client) -> None:
    assert client.server.socket.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", ""])
@pytest.mark.parametrize(("method", "path"), [("POST", "/api/runs"), ("GET", "/api/models")])
def test_another_origin_is_refused(client: Client, method: str, path: str, origin: str) -> None:
    refused(client.ask(method, path, ORDER, Origin=origin), 403)


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", p) for p in ("/api/runs", "/api/describe", "/api/command", "/api/code")]
    + [("DELETE", "/api/runs/x")],
)
def test_what_changes_something_must_name_its_origin(
    client: Client, method: str, path: str
) -> None:
    refused(client.ask(method, path, ORDER, Origin=None), 403)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_links_of_other_sites_are_refused(client: Client, site: str) -> None:
    refused(client.get("/", Origin=None, Sec_Fetch_Site=site), 403)


@pytest.mark.parametrize("token", [None, "", "x", "é" * 32])
@pytest.mark.parametrize(("method", "path"), [("POST", "/api/runs"), ("GET", "/api/models")])
def test_without_the_token_nothing_is_told(
    client: Client, method: str, path: str, token: str | None
) -> None:
    sent = token.encode() if token else token
    message = refused(client.ask(method, path, ORDER, X_Mbdgen_Token=sent), 401)
    assert client.studio.token not in str(message)


def test_the_page_has_no_secret_and_may_load_nothing(client: Client) -> None:
    answer = client.get("/", X_Mbdgen_Token=None, Origin=None)
    assert answer.status == 200
    assert client.studio.token.encode() not in answer.body
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert answer.body.count(f'nonce="{nonce}"'.encode()) == 2
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert nonce not in client.get("/").headers["Content-Security-Policy"]
    text = answer.body.decode()
    assert "http://" not in text and "https://" not in text


@pytest.mark.parametrize(
    "key",
    [
        "own/../../etc/passwd", "own/..", "../models/ball", "own/ball.py", "/etc/passwd", "ball",
        "own/%2e%2e%2fball", "own/ball\0", "shipped/../own/ball", "own/notes", "", None, 7,
        ["own/ball"],
    ],
)  # fmt: skip
def test_names_that_are_not_in_the_list_are_no_models(client: Client, key: object) -> None:
    for path in ("/api/runs", "/api/describe", "/api/code", "/api/command"):
        message = refused(client.post(path, {"model": key}), 404)
        assert message["cause"].startswith("There is no model")


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/runs/../../etc/passwd", "/runs/x/../y", "/runs//etc/passwd", "/api",
     "/api/runs", "/api/models/", "//x", "/?x", "/studio.html", "*", "http://evil.example/"],
)  # fmt: skip
def test_addresses_lead_nowhere_else(client: Client, path: str) -> None:
    refused(client.get(path), 404)


def test_a_link_out_of_the_folder_is_no_model(client: Client, models: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text((models / "ball.py").read_text("utf-8"), "utf-8")
    link = models / "link.py"
    link.symlink_to(outside)
    try:
        refused(client.post("/api/runs", {"model": "own/link"}), 404)
    finally:
        link.unlink()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"3", b"\xff", b'{"model": "own/ball"', b'{"duration": NaN}', b"[" * 5000],
)
def test_what_is_no_json_object_is_refused(client: Client, body: bytes) -> None:
    refused(client.ask("POST", "/api/runs", body=body), 400)


def test_a_long_request_is_refused(client: Client) -> None:
    refused(client.ask("POST", "/api/runs", body=b" " * (LARGEST_BODY + 1)), 413)
    refused(client.ask("POST", "/api/runs", body=b"{}", Content_Length="9" * 30), 413)


@pytest.mark.parametrize("length", ["x", "-1", "1e3", "\u00b2"])
def test_a_request_must_say_how_long_it_is(client: Client, length: str) -> None:
    sent = length.encode()
    refused(client.ask("POST", "/api/runs", body=b"{}", Content_Length=sent), 411)


def test_a_form_of_another_page_is_refused(client: Client) -> None:
    """What a page can send elsewhere without asking has one of these types."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        refused(client.post("/api/runs", ORDER, Content_Type=kind), 415)


@pytest.mark.parametrize("method", ["PUT", "OPTIONS", "TRACE", "HEAD", "nonsense"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert client.ask(method, "/api/runs").status == 501


def test_what_is_no_http_at_all_harms_nobody(client: Client) -> None:
    for line in (
        b"\0\1\2\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"x" * 70_000 + b"\r\n",
    ):
        with socket.create_connection(("127.0.0.1", client.server.door.port), timeout=30) as plain:
            plain.sendall(line)
            plain.shutdown(socket.SHUT_WR)
            assert b"Traceback" not in plain.recv(10_000)
    assert client.get("/api/models").status == 200


@pytest.mark.slow
def test_silent_connections_do_not_keep_the_user_out(client: Client) -> None:
    """As many as there is room for, each of which has sent a part of a request."""
    port = client.server.door.port
    silent = []
    try:
        for _ in range(MOST_REQUESTS + 8):
            one = socket.create_connection(("127.0.0.1", port), timeout=30)
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")
            silent.append(one)
        for _ in range(3):
            assert client.get("/api/models").status == 200
    finally:
        for one in silent:
            one.close()


def test_a_head_must_be_complete_soon(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """However regularly something arrives."""
    monkeypatch.setattr(Handler, "patience", 0.3)
    with socket.create_connection(("127.0.0.1", client.server.door.port), timeout=30) as slow:
        end = time.monotonic() + 20.0
        with pytest.raises(OSError):
            while time.monotonic() < end:
                slow.sendall(b"G")
                time.sleep(0.05)
            pytest.fail("it may go on for ever")


def test_a_link_may_lead_to_the_page_but_no_frame_have_it(client: Client) -> None:
    sent = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Origin": None}
    assert client.get("/", **sent, Sec_Fetch_Dest="document").status == 200
    refused(client.get("/", **sent, Sec_Fetch_Dest="iframe"), 403)
    refused(client.get("/api/models", **sent, Sec_Fetch_Dest="document"), 403)
