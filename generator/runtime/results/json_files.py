"""Serialisation to JSON files: values that JSON cannot express become null; atomic writes."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from mbdgen.runtime.program.atomic_files import replacing


def write_json(path: Path, data: Any) -> None:
    """Write plain data to a file, atomically.

    Raises
    ------
    OptionError
        If the operating system refuses.
    """
    with replacing(path) as temporary:
        temporary.write_text(json_text(data), encoding="utf-8")


def json_text(data: Any) -> str:
    """Return the text of a JSON file."""
    return json.dumps(expressible(data), indent=2, allow_nan=False) + "\n"


def expressible(value: Any) -> Any:
    """Replace numpy scalars by Python's and everything that JSON cannot express by None."""
    if isinstance(value, dict):
        return {key: expressible(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [expressible(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
