"""The studio's own page: one file without secrets, its script allowed by a number used once."""

import secrets
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path

from mbdgen.studio.reply import Reply
from mbdgen.studio.security import PAGE_POLICY

TEMPLATE, PLACE = "html/studio.html", "NONCE"


def page() -> Reply:
    """Return the page."""
    nonce = secrets.token_urlsafe(16)
    text = (Path(str(files("mbdgen.templates"))) / TEMPLATE).read_text("utf-8")
    headers = {"Content-Security-Policy": PAGE_POLICY.format(nonce=nonce)}
    content = text.replace(f'nonce="{PLACE}"', f'nonce="{nonce}"').encode()
    return Reply(HTTPStatus.OK, "text/html; charset=utf-8", content, headers)
