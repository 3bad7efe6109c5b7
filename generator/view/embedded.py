"""Data inside a page."""

import json


def embedded(data: object) -> str:
    """Return data as a script reads it; no name in it can end the script, or begin a comment.

    A page leaves its script at ``</script``, and begins something else at ``<!--``: data that have
    no ``<`` contain neither.
    """
    return json.dumps(data, allow_nan=False).replace("<", "\\u003c")
