"""The tables of estimated and true errors in docs/accuracy.md, from runs of all references.

``python tasks.py calibration`` measures and writes them; that takes about 20 minutes. Without
``--measure`` the tables stay as they are.
"""

import logging
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from mbdgen.errors import AccuracyWarning
from tests.calibration import SETS, Triple

PAGE = Path(__file__).parents[1] / "accuracy.md"
BEGIN, END = "<!-- calibration -->", "<!-- end of the calibration -->"


def table(name: str, triples: Sequence[Triple]) -> list[str]:
    """Return the rows of a table: for every mechanism and method, the ratios at all steps."""
    methods = list(dict.fromkeys(triple.method for triple in triples))
    lines = [f"{name[:1].upper()}{name[1:]}:", ""]
    lines += [f"| mechanism | {' | '.join(methods)} |", "|---" * (1 + len(methods)) + "|"]
    for case in dict.fromkeys(triple.case for triple in triples):
        cells = []
        for method in methods:
            some = [t.ratio for t in triples if (t.case, t.method) == (case, method)]
            cells.append(", ".join(f"{ratio:.2g}" for ratio in some) or "-")
        lines.append(f"| {case} | {' | '.join(cells)} |")
    return [*lines, "", share(triples), ""]


def share(triples: Sequence[Triple]) -> str:
    """Say how many are estimated well."""
    good = sum(triple.good for triple in triples)
    part = f"{good / max(len(triples), 1):.0%}"
    return f"Of {len(triples)} runs {good} ({part}) are estimated within a factor of ten."


def write(found: Mapping[str, Sequence[Triple]]) -> None:
    """Put the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    lines = [line for name, triples in found.items() for line in table(name, triples)]
    everything = [triple for triples in found.values() for triple in triples]
    lines.append(f"All together: {share(everything)[:1].lower()}{share(everything)[1:]}")
    PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Run everything, and write the tables after every set."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore", AccuracyWarning)
    found: dict[str, list[Triple]] = {}
    for name, triples in SETS.items():
        found[name] = []
        for triple in triples():
            found[name].append(triple)
            print(triple, f"{triple.ratio:.2g}", flush=True)
        write(found)


if __name__ == "__main__" and "--measure" in sys.argv:
    main()
