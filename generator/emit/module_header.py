"""Header of generated files: the mechanism, its state vector, build options and versions.

It does not depend on machine or time: the same model gives the same file everywhere.
"""

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from mbdgen.build_options import BuildOptions
from mbdgen.emit.module_files import UNSIGNED
from mbdgen.language.model import Model
from mbdgen.runtime.results.sentence_parts import counted
from mbdgen.symbolic.ir.system_ir import SystemIR
from mbdgen.version import __version__

LISTED = 40  # bodies; of more only the count is given
WIDTH = 93  # after the indent of a comment in JavaScript


def facts_of(model: Model, system: SystemIR, options: BuildOptions) -> dict[str, Any]:
    """Return the data for the header of a generated file."""
    kinds = sorted({b.kind.name for b in model.bodies.values() if b.kind is not None})
    kinds = ["relative"] if system.tree is not None else kinds
    summary = (
        f"{counted(len(model.bodies), 'body', 'bodies')} ({', '.join(kinds)} coordinates), "
        f"{counted(len(model.joints), 'joint')}, {counted(len(model.forces), 'force')}: "
        f"{counted(system.sizes['n_q'], 'coordinate')}, "
        f"{counted(system.sizes['n_lam'], 'multiplier')}, {system.sizes['nnz']} matrix entries. "
        f"Layout: {system.layout}."
    )
    owned = enumerate(name.rpartition(".") for name in system.names["coordinates"])
    groups = [(owner, list(found)) for owner, found in groupby(owned, lambda x: x[1][0])]
    state = [
        line
        for owner, found in groups[:LISTED]
        for line in placed(found[0][0], owner, [last for _, (_, _, last) in found])
    ]
    if len(groups) > LISTED:
        what = "joints and bodies" if system.tree is not None else "bodies"
        state.append(f"... and {len(groups) - LISTED} {what} more, see COORDINATES")
    return {
        "version": __version__,
        "summary": summary,
        "state": state,
        "options": options.text(),
        "digest": UNSIGNED,
    }


def placed(first: int, owner: str, names: Sequence[str]) -> list[str]:
    """Return lines with the indices of the coordinates of a body."""
    begin = f"{first:4d}.. {owner}: "
    return textwrap.wrap(
        begin + ", ".join(names),
        WIDTH,
        subsequent_indent=" " * len(begin),
        break_long_words=False,
        break_on_hyphens=False,
    )
