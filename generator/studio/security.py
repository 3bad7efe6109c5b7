"""Who may ask: only the page that this studio has served, on this machine, to its user.

Any page in the user's browser can send requests to a port of this machine. Three things tell the
studio's own page from them: the name of the host (another one means that somebody's name has been
made to point here), the origin of the page, and a token that only the user has been told.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from mbdgen.studio.reply import Refusal

ADDRESS = "127.0.0.1"
TOKEN = "X-Mbdgen-Token"
"""Header with the token. A page of another origin cannot even send it: browsers ask first."""

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
"""Of the studio's page: its own script and nothing from anywhere else."""

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
"""Of what a run has written: names in it come from models, so it is a stranger to the studio."""

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True)
class Door:
    """What a request must show.

    Attributes
    ----------
    port : int
        Where the studio listens.
    token : str
        Of this session.
    """

    port: int
    token: str

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names under which a browser of this machine finds the studio."""
        return f"{ADDRESS}:{self.port}", f"localhost:{self.port}"

    def require_host(self, headers: Mapping[str, str], page: bool = False) -> None:
        """Refuse a request that was sent to another name, or by a page of another origin.

        The page itself has no secrets, so a link or a file may lead to it, but no frame have it.
        """
        whole = headers.get("Sec-Fetch-Mode") == "navigate"
        opens = page and whole and headers.get("Sec-Fetch-Dest") == "document"
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if host not in self.hosts:
            raise Refusal(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"This studio is not {host[:80]!r}.",
                f"Open http://{self.hosts[0]}/ on the machine where it runs.",
            )
        if origin is not None and origin != f"http://{host}":
            raise self._stranger(origin)
        site = headers.get("Sec-Fetch-Site", "none")
        if site not in ("none", "same-origin") and not opens:
            raise self._stranger("another site")

    def require_origin(self, headers: Mapping[str, str]) -> None:
        """Refuse a request that changes something and does not say that our page sends it."""
        if headers.get("Origin") is None:
            raise self._stranger("nobody")

    def require_token(self, headers: Mapping[str, str]) -> None:
        """Refuse whoever has not been told the token."""
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
            f"The studio does not obey {origin[:80]!r}: only its own page may ask.",
            "Open the address that `mbdgen studio` has printed.",
        )
