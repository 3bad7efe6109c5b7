"""Authorisation of requests: only the page served by this studio, on this machine, to its user.

Any page in the user's browser can send requests to a port of this machine. The studio's own page
is recognised by three properties: the host name (against DNS rebinding), the origin of the page
(against cross-site requests), and a token known only to the user.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from mbdgen.studio.reply import Refusal

ADDRESS = "127.0.0.1"
TOKEN = "X-Mbdgen-Token"
"""Header of the token. Pages of another origin cannot send it without a preflight request."""

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'nonce-{nonce}'",
        "style-src 'nonce-{nonce}'",
        "connect-src 'self'",
        "frame-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Content security policy of the studio's page: its own script, and no other source."""

RESULT_POLICY = "; ".join(
    (
        "sandbox allow-scripts allow-downloads",
        "default-src 'none'",
        "script-src 'unsafe-inline'",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "frame-ancestors 'self'",
    )
)
"""Content security policy of files of a run: they contain text of models, which is not trusted."""

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True)
class Door:
    """Requirements that requests must meet.

    Attributes
    ----------
    port : int
        Port of the studio.
    token : str
        Token of this session.
    """

    port: int
    token: str

    @property
    def hosts(self) -> tuple[str, ...]:
        """Host names under which a browser of this machine reaches the studio."""
        return f"{ADDRESS}:{self.port}", f"localhost:{self.port}"

    def check_host(self, headers: Mapping[str, str], page: bool = False) -> None:
        """Refuse a request to another host name, or from a page of another origin.

        The page itself contains no secrets, so links and files may lead to it, but frames are
        refused.
        """
        whole = headers.get("Sec-Fetch-Mode") == "navigate"
        opens = page and whole and headers.get("Sec-Fetch-Dest") == "document"
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if host not in self.hosts:
            raise Refusal(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"This studio is not at {host[:80]!r}.",
                f"Open http://{self.hosts[0]}/ on the machine where it runs.",
            )
        if origin is not None and origin != f"http://{host}":
            raise self._stranger(origin)
        site = headers.get("Sec-Fetch-Site", "none")
        if site not in ("none", "same-origin") and not opens:
            raise self._stranger("another site")

    def check_origin(self, headers: Mapping[str, str]) -> None:
        """Refuse a state-changing request without the origin of the studio's page."""
        if headers.get("Origin") is None:
            raise self._stranger("nobody")

    def check_token(self, headers: Mapping[str, str]) -> None:
        """Refuse a request without the token."""
        given = headers.get(TOKEN, "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, self.token.encode()):
            raise Refusal(
                HTTPStatus.UNAUTHORIZED,
                "The token of this session is missing or wrong.",
                "Open the address that `mbdgen studio` has printed, with all that follows #.",
            )

    @staticmethod
    def _stranger(origin: str) -> Refusal:
        return Refusal(
            HTTPStatus.FORBIDDEN,
            f"The studio refuses requests of {origin[:80]!r}: only its own page may ask.",
            "Open the address that `mbdgen studio` has printed.",
        )
