"""Answers to requests."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from mbdgen.errors import MbdgenError

JSON = "application/json; charset=utf-8"


@dataclass(frozen=True)
class Reply:
    """What is sent back.

    Attributes
    ----------
    status : int
        Of HTTP.
    kind : str
        Type of the content.
    content : bytes or Path
        Itself, or a file that holds it.
    headers : mapping
        Those of this answer alone.
    """

    status: int
    kind: str
    content: bytes | Path
    headers: Mapping[str, str] = field(default_factory=dict)


def of_data(data: object, status: int = HTTPStatus.OK) -> Reply:
    """Answer with JSON."""
    return Reply(status, JSON, json.dumps(data).encode())


def of_error(error: MbdgenError, status: int) -> Reply:
    """Answer with cause and remedy."""
    return of_data({"cause": error.cause, "remedy": error.remedy}, status)


# What the studio answers to a request that it does not obey.
class Refusal(MbdgenError):
    """A request that is refused.

    Parameters
    ----------
    status : int
        Of HTTP, 4xx.
    cause, remedy : str
        As of any error.
    """

    def __init__(self, status: int, cause: str, remedy: str = "") -> None:
        super().__init__(cause, remedy)
        self.status = status
