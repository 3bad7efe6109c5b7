"""Random requests to a studio on this machine: each gets an answer, the wrong ones a refusal."""

import http.client
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from mbdgen.studio.run_bounds import RunBounds
from tests.fuzz.verdicts import Case, Verdict
from tests.studio import client as conversation
from tests.studio.client import Client
from tests.studio.conftest import serving, write_models

METHODS = (
    "GET",
    "GET",
    "POST",
    "POST",
    "POST",
    "DELETE",
    "PUT",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "FOO",
    "get",
)
PATHS = (
    "/", "/api/models", "/api/methods", "/api/describe", "/api/command", "/api/command",
    "/api/runs", "/api/code", "/api/runs/", "/api/runs/x", "/runs/x/result.csv",
    "/runs/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//", "/api", "/API/models",
    "/api/models/", "/api/models?x=1", "/api/models#x", "*", "/runs/", "/static/x.js", "/é",
    "/" + "a" * 9000, "/api/runs/\udcff", "/favicon.ico", "http://evil.example/api/models",
)  # fmt: skip
HOSTS = ("evil.example", "", "127.0.0.1", "localhost", "127.0.0.1:1", "[::1]", "a" * 5000)
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 1e-320, 10**400, "", "x", "x" * 5000, "\ud800", "--csv",
    "$(reboot)", "../x", [], {}, [1], {"a": 1}, [[[]]], "rk4", "newmark", "tip", 0.1, 0.01,
    ["csv"], ["html", "x"], {"mass": 2}, {"mass": "1"}, {"push": 1e300}, {"name": "a;b"},
    "own/ball", "own/../ball", "own/never_such", "pendulum", "shipped/pendulum",
)  # fmt: skip
FIELDS = (
    "model", "arguments", "parameters", "duration", "h", "start", "rtol", "atol", "method",
    "formulation", "projection", "coordinates", "files", "options", "backend", "plot", "no_such",
    "", "__proto__",
)  # fmt: skip


def judge(seed: int, number: int) -> Case:
    """Ask a studio a few things, and then something sensible."""
    random = Random(f"requests {seed} {number}")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        models = write_models(Path(name) / "models")
        for dangerous in ("never_ends", "hungry"):
            (models / f"{dangerous}.py").unlink()
        conversation.PATIENCE = 20.0
        with serving(models, RunBounds(seconds=20.0, memory=3.0)) as client:
            for _ in range(ROUNDS):
                case = _ask(client, random)
                if case.verdict.is_fault:
                    return case
            if client.get("/api/models").status != 200:
                return Case(Verdict.SIGNAL, "the studio does not answer any more")
    return case


ROUNDS = 1


def _ask(client: Client, random: Random) -> Case:
    method, path = random.choice(METHODS), random.choice(PATHS)
    given: dict[str, Any] = {}
    stranger = random.random() < 0.3
    if stranger:
        key = random.choice(("Host", "Origin", "X_Mbdgen_Token"))
        given[key] = random.choice((None, *HOSTS)) if key != "Host" else random.choice(HOSTS)
    if random.random() < 0.1:
        given["Content_Type"] = random.choice(
            (None, "text/plain", "application/x-www-form-urlencoded", "")
        )
    body = _body(random)
    if random.random() < 0.1:
        given["Content_Length"] = random.choice(("-1", "5", "abc", "99999999999", "1e3", "0"))
    try:
        answer = client.ask(method, path, body=body, **given)
    except (OSError, http.client.HTTPException, ValueError, UnicodeError) as error:
        return _after(client, f"{method} {path[:40]} {given}: {error!r}"[:200])
    said = f"{method} {path[:40]} {given} {body[:80]!r}: {answer.status} {answer.body[:150]!r}"
    if answer.status >= 500 and answer.status not in (501, 503, 505):
        return Case(Verdict.TRACEBACK, said)
    if b"Traceback" in answer.body:
        return Case(Verdict.TRACEBACK, said)
    if stranger and answer.status < 300 and path.startswith("/api/") and method != "OPTIONS":
        if not ("Origin" in given and method == "GET" and given["Origin"] is None):
            return Case(Verdict.WRONG, f"a stranger was let in: {said}")
    if answer.status == 201:
        client.ask("DELETE", f"/api/runs/{answer.data['run']}")
        return Case(Verdict.SOUND, said)
    return Case(Verdict.SOUND if answer.status < 400 else Verdict.REFUSED, said)


def _after(client: Client, said: str) -> Case:
    """A connection that was closed is an answer, if the studio still answers others."""
    try:
        alive = client.get("/api/models").status == 200
    except OSError:
        alive = False
    return Case(Verdict.REFUSED if alive else Verdict.SIGNAL, said)


def _body(random: Random) -> bytes:
    draw = random.random()
    if draw < 0.1:
        return random.choice(
            (b"", b"{", b"\xff\xfe", b"null", b"[" * 20_000, b"\0" * 100, b'{"model": NaN}', b"[]")
        )
    order: dict[str, Any] = {
        "model": random.choice(("own/ball", "own/ball", "own/dies", "own/broken"))
    }
    if random.random() < 0.5:
        order |= {"duration": 0.1, "h": 0.01}
    for _ in range(random.choice((0, 1, 1, 2))):
        order[random.choice(FIELDS)] = random.choice(VALUES)
    return json.dumps(order).encode()
