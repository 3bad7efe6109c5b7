"""How tests talk to a studio: as its page does, or as somebody who should not."""

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any

from mbdgen.studio.server import Server

PATIENCE = 120.0


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


class Client:
    """Asks one server, with everything that its page would send unless something else is given."""

    def __init__(self, server: Server) -> None:
        self.server, self.studio = server, server.studio
        host = server.door.hosts[0]
        self.usual = {
            "Host": host,
            "Origin": f"http://{host}",
            "X-Mbdgen-Token": server.studio.token,
            "Content-Type": "application/json",
        }

    def ask(
        self, method: str, path: str, data: object = None, body: bytes | None = None, **given: Any
    ) -> Answer:
        """Send a request; ``Origin=None`` leaves a header away, underscores are hyphens."""
        changed = {name.replace("_", "-"): value for name, value in given.items()}
        headers = {k: v for k, v in (self.usual | changed).items() if v is not None}
        content = json.dumps(data).encode() if body is None and data is not None else body
        connection = http.client.HTTPConnection("127.0.0.1", self.server.door.port, timeout=60)
        try:
            connection.request(method, path, content, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **given: Any) -> Answer:
        return self.ask("GET", path, **given)

    def post(self, path: str, data: object, **given: Any) -> Answer:
        return self.ask("POST", path, data, **given)

    def start(self, order: dict[str, Any]) -> str:
        """Order a run and return its key."""
        answer = self.post("/api/runs", order)
        assert answer.status == 201, answer.body
        return str(answer.data["run"])

    def end_of(self, key: str) -> dict[str, Any]:
        """Wait for the end of a run and return its report."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            report: dict[str, Any] = self.get(f"/api/runs/{key}").data
            if report["state"] not in ("waiting", "running"):
                return report
            time.sleep(0.05)
        raise AssertionError(report)

    def run(self, order: dict[str, Any]) -> dict[str, Any]:
        """Order a run and wait for its end."""
        return self.end_of(self.start(order))
