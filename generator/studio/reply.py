"""HTTP replies to requests."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from mbdgen.errors import MbdgenError

JSON = "application/json; charset=utf-8"


@dataclass(frozen=True)
class Reply:
    """HTTP reply.

    Attributes
    ----------
    status : int
        HTTP status.
    kind : str
        Media type of the content.
    content : bytes or Path
        Content, or a file with the content.
    headers : mapping
        Additional headers.
    """

    status: int
    kind: str
    content: bytes | Path
    headers: Mapping[str, str] = field(default_factory=dict)


def of_data(data: object, status: int = HTTPStatus.OK) -> Reply:
    """Reply with JSON."""
    return Reply(status, JSON, json.dumps(data).encode())


def of_error(error: MbdgenError, status: int) -> Reply:
    """Reply with cause and remedy of an error."""
    return of_data({"cause": error.cause, "remedy": error.remedy}, status)


# Errors of requests that are refused.
class Refusal(MbdgenError):
    """A request that is refused.

    Parameters
    ----------
    status : int
        HTTP status, 4xx.
    cause, remedy : str
        As for any error.
    """

    def __init__(self, status: int, cause: str, remedy: str = "") -> None:
        super().__init__(cause, remedy)
        self.status = status
