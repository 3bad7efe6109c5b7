"""Routes of the studio: one function per address."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus

from mbdgen.studio import command
from mbdgen.studio.formats import PAGE, available, media_type
from mbdgen.studio.order import MODEL_FIELDS, described, ordered
from mbdgen.studio.reply import JSON, Refusal, Reply, of_data
from mbdgen.studio.request_fields import check_fields, chosen, decoded
from mbdgen.studio.security import RESULT_POLICY
from mbdgen.studio.studio import Studio

BACKENDS = "numba", "c", "js"
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")

Answer = Callable[[Studio, str, bytes], Reply]
"""``answer(studio, rest of the address, body)``."""


def models(studio: Studio, rest: str, body: bytes) -> Reply:
    """List the models and the settings of this studio."""
    entries = studio.catalogue.entries().values()
    listed = [
        {
            "key": entry.key,
            "name": entry.name,
            "own": entry.path is not None,
            "title": entry.outline.title if entry.outline else "",
            "fault": entry.fault,
            "changed": entry.changed,
            "arguments": [asdict(argument) for argument in entry.arguments],
        }
        for entry in entries
    ]
    data = {"models": listed, "first": studio.catalogue.first, "formats": available()}
    return of_data(data | {"backends": BACKENDS, "limits": asdict(studio.limits)})


def methods(studio: Studio, rest: str, body: bytes) -> Reply:
    """List methods, formulations and projections."""
    return Reply(HTTPStatus.OK, JSON, studio.choices.text.encode())


def describe(studio: Studio, rest: str, body: bytes) -> Reply:
    """Execute a model file and return its parameters, outputs and coordinates."""
    given = decoded(body)
    check_fields(given, MODEL_FIELDS)
    words = command.of_description(described(given, studio.catalogue))
    answer = studio.errands.answer(words)
    try:
        return of_data(json.loads(answer))
    except ValueError:
        raise Refusal(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "The model prints text beside its description.",
            "Let the model file print nothing.",
        ) from None


def code(studio: Studio, rest: str, body: bytes) -> Reply:
    """Generate the code of a model and answer with a zip file."""
    given = decoded(body)
    check_fields(given, (*MODEL_FIELDS, "backend"))
    model = described(given, studio.catalogue)
    backend = chosen(given.get("backend"), "backend", BACKENDS) or BACKENDS[0]
    packed = studio.errands.archive(command.of_code(model, backend))
    name = f"{_plain(model.entry.name)}-{backend}.zip"
    return Reply(HTTPStatus.OK, "application/zip", packed, _attachment(name))


def command_line(studio: Studio, rest: str, body: bytes) -> Reply:
    """Return the equivalent command line of a run."""
    order = ordered(decoded(body), studio.catalogue, studio.choices, studio.limits.steps)
    return of_data({"command": command.shown(order)})


def submit(studio: Studio, rest: str, body: bytes) -> Reply:
    """Queue a run."""
    order = ordered(decoded(body), studio.catalogue, studio.choices, studio.limits.steps)
    return of_data(studio.runs.submit(order).report(), HTTPStatus.CREATED)


def report(studio: Studio, rest: str, body: bytes) -> Reply:
    """Return the progress or the outcome of a run."""
    return of_data(studio.runs.find(rest).report())


def cancel(studio: Studio, rest: str, body: bytes) -> Reply:
    """Cancel a run."""
    return of_data(studio.runs.cancel(rest).report())


def file(studio: Studio, rest: str, body: bytes) -> Reply:
    """Send a file of a run; knowledge of its key is the permission."""
    key, _, name = rest.partition("/")
    run = studio.runs.find(key)
    if name not in run.files:
        raise Refusal(HTTPStatus.NOT_FOUND, "The run has no such file.", "Choose one of its files.")
    headers = {"Content-Security-Policy": RESULT_POLICY}
    if name != PAGE:
        plain = _plain(run.order.model.entry.name)
        headers |= _attachment(f"{plain}.{name.rpartition('.')[2]}")
    return Reply(HTTPStatus.OK, media_type(name), run.folder / name, headers)


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _plain(name: str) -> str:
    return _UNSAFE.sub("_", name)


FREE: dict[tuple[str, str], Answer] = {("GET", "/runs/"): file}
"""Routes without token: their addresses contain a secret key."""

GUARDED: dict[tuple[str, str], Answer] = {
    ("GET", "/api/models"): models,
    ("GET", "/api/methods"): methods,
    ("POST", "/api/describe"): describe,
    ("POST", "/api/command"): command_line,
    ("POST", "/api/code"): code,
    ("POST", "/api/runs"): submit,
    ("GET", "/api/runs/"): report,
    ("DELETE", "/api/runs/"): cancel,
}
"""Routes with token. An address with a trailing slash is followed by an argument."""
