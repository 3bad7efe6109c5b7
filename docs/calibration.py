"""The table of estimated and true errors in docs/accuracy.md, from runs of all references.

``python docs/calibration.py --measure`` measures and writes it; that takes minutes. Without it the
table stays as it is.
"""

import logging
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mbdgen.errors import AccuracyWarning
from tests.calibration import COARSER, METHODS, Triple, measured
from tests.physics.cases import CASES

PAGE = Path(__file__).with_name("accuracy.md")
BEGIN, END = "<!-- calibration -->", "<!-- end of the calibration -->"


def rows(triples: Sequence[Triple]) -> list[str]:
    """Return the rows of the table: for every reference and method, the ratios at both steps."""
    lines = [f"| reference | {' | '.join(METHODS)} |", "|---" * (1 + len(METHODS)) + "|"]
    for case in dict.fromkeys(triple.case for triple in triples):
        cells = []
        for method in METHODS:
            some = [t.ratio for t in triples if (t.case, t.method) == (case, method)]
            cells.append(", ".join(f"{ratio:.2g}" for ratio in some) or "-")
        lines.append(f"| {case} | {' | '.join(cells)} |")
    good = sum(triple.good for triple in triples)
    part = f"{good / max(len(triples), 1):.0%}"
    text = f"Of {len(triples)} runs {good} ({part}) are estimated within a factor of ten."
    return [*lines, "", text]


def write(triples: Sequence[Triple]) -> None:
    """Put the table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    table = "\n".join(rows(triples))
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Run everything, and write the table after every reference."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore", AccuracyWarning)
    triples: list[Triple] = []
    for case in CASES:
        found = (measured(case, method, k) for method in METHODS for k in COARSER)
        triples += [triple for triple in found if triple is not None]
        print(case.reference, sum(t.good for t in triples), "of", len(triples), flush=True)
        write(triples)


if __name__ == "__main__" and "--measure" in sys.argv:
    main()
