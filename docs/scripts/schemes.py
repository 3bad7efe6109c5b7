"""Write ``schemes.json``: every method with every formulation on five mechanisms.

``python docs/scripts/schemes.py --measure`` measures those that are not in the file, in some
minutes for all, and writes down what is ``wrong``: it is the slow test of all pairs as well
(tests/schemes.py); with words behind it only schemes that contain one of these, anew. ``python
docs/scripts/tables.py`` makes the tables of `schemes.md` and `choosing-a-method.md` from the file.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
sys.path.insert(0, str(DOCS.parent))

from mbdgen.errors import MbdgenError  # noqa: E402
from tests.schemes import PROBLEMS, all_pairs, coarsest, examined, named, reason_against, run  # noqa: E402

DATA = DOCS / "scripts" / "schemes.json"


def measured(problem: str, text: str) -> dict[str, Any]:
    """Order, distance from the exact end, violations and cost of a scheme on a problem."""
    scheme = named(text)
    if reason := reason_against(problem, scheme):
        return {"failed": reason}
    try:
        found, wrong = examined(problem, text)
    except (AssertionError, MbdgenError) as error:
        return {"failed": str(error).splitlines()[0]}
    counters = found.last.counters
    timed = [run(problem, scheme, 4 * coarsest(problem, scheme)) for _ in range(3)]
    best = min(result.timings["solve_s"] / result.counters.steps for result in timed)
    return {
        "order": None if math.isnan(found.order) else round(found.order, 2),
        "distance": found.distance,
        "phi": counters.max_phi,
        "phi_dot": counters.max_phi_dot,
        "phi_ddot": counters.max_phi_ddot,
        "energy": counters.energy_drift,
        "us": round(1e6 * best, 1),
    } | ({"wrong": wrong} if wrong else {})


def main(words: list[str]) -> None:
    """Measure, and write the file after each scheme: it may be interrupted and gone on with."""
    old = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    found: dict[str, Any] = {}
    for text in all_pairs():
        known = text in old and not any(word in text for word in words)
        if known or (words and text not in old and not any(word in text for word in words)):
            found |= {text: old[text]} if known else {}
            continue
        found[text] = {problem: measured(problem, text) for problem in PROBLEMS}
        shown = {
            p: row.get("wrong", row.get("failed", row.get("order")))
            for p, row in found[text].items()
        }
        sys.stderr.write(f"{text}: {shown}\n")
        rest = {name: row for name, row in old.items() if name not in found}
        DATA.write_text(json.dumps(found | rest, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        main(sys.argv[2:])
