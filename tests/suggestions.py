"""Shipped models as their suggestions run them, verified: ``python -m tests.suggestions [NAME]``.

Every model is run as ``mbdgen run NAME --verify``: with its own step, method and span, and again
with half the step. A line says which output differs most, and the estimate of the run itself.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NAMES = tuple(sorted(path.stem for path in (ROOT / "models").glob("[a-z]*.py")))
"""All shipped models."""
MOST_STEPS = 5000
"""Steps of the longest run; a suggested span is cut there."""
SPAN, STEP = 1.0, 1e-3
"""What `mbdgen run` takes if a model suggests nothing."""
TIMEOUT = 900.0
WITHOUT_C = ("sphere_box",)
"""Models of many contacts, which the backend C does not serve."""


@dataclass(frozen=True)
class Suggested:
    """How a model has run as it suggests."""

    model: str
    span: float
    status: int
    data: dict[str, Any]
    text: str

    @property
    def worst(self) -> tuple[str, float]:
        """The output that differs most, and by which part of its size."""
        outputs = (self.data.get("verification") or {}).get("outputs", {})
        return max(
            ((name, float(one["relative"])) for name, one in outputs.items()),
            key=lambda one: one[1],
            default=("", 0.0),
        )

    @property
    def passed(self) -> bool:
        """Whether the run is a success without any warning, and verified."""
        known = self.status == 0 and (self.data.get("verification") or {}).get("passed") is True
        return known and not self.data["warnings"]

    @property
    def line(self) -> str:
        """All of it."""
        name, part = self.worst
        estimate = (self.data.get("accuracy") or {}).get("relative_error")
        told = "; ".join(self.data.get("warnings", [])) or self.text[-300:] * (self.status != 0)
        return (
            f"{'passed' if self.passed else 'FAILED'} {self.model}: to {self.span:g} s, "
            f"{name or 'no output'} {part:.1e}, estimated {estimate} {told}"
        ).rstrip()


def verified(model: str) -> Suggested:
    """Run one model as it suggests, and again with half the step."""
    described = subprocess.run(
        [sys.executable, "-m", "mbdgen", "models", model, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    given = json.loads(described.stdout)["suggested"]
    span = min(given.get("t", SPAN), MOST_STEPS * given.get("h", STEP))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        backend = "numba" if model in WITHOUT_C else "c"
        words = ["run", model, "--verify", "--t", f"{span:g}", "--backend", backend, "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "mbdgen", *words, str(file)],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        data = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return Suggested(model, span, done.returncode, data, done.stderr.strip())


def main(names: Sequence[str]) -> int:
    """Verify models by name, all by default; 1 if one fails."""
    failed = 0
    for name in names or NAMES:
        found = verified(name)
        failed += not found.passed
        print(found.line, flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
