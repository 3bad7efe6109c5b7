"""Meanings of kernel outputs, by index: comments on results, names of variables."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from mbdgen.symbolic.ir.system_ir import SystemIR, TypeTable

_NO_LETTERS = str.maketrans(":.|[]", "     ")
ENERGIES = ("kinetic energy", "potential energy", "power")


def result_notes(system: SystemIR) -> dict[str, dict[int, str]]:
    """Return the meaning of each output of the kernels of the whole mechanism, by index.

    Fused kernels of reduced systems use other coordinates, which have no names.
    """
    names = system.names
    rows, constraints = names["rows"], system.roles.constraint_rows
    found: dict[str, Mapping[int, str]] = {
        "residual": dict(enumerate(rows)),
        "matrix": _entries(system),
        "rates": {
            level * len(rows) + k: f"{what} of {rows[k]}"
            for level, what in enumerate(("phi_dot", "phi_ddot"))
            for k in constraints
        },
        "energies": dict(enumerate(ENERGIES)),
        "outputs": dict(
            enumerate(_with_unit(*x) for x in zip(names["outputs"], names["units"], strict=True))
        ),
    }
    found["mass"] = found["matrix"]
    found["slopes"] = {
        level * len(system.indices) + at: f"{what} of {note}"
        for level, what in enumerate(("phi_dot", "phi_ddot"))
        for at, note in found["matrix"].items()
    }
    found["jerks"] = {k: f"rate of {row}" for k, row in enumerate(rows)}
    if not system.reduced:
        found |= _fused(system)
    return {kernel: dict(notes) for kernel, notes in found.items()}


def local_notes(table: TypeTable, kernel: str) -> dict[tuple[int, ...], str]:
    """Return the same for one element type, by local indices."""
    rows, columns = table.rows, list(_unknowns(table))
    if kernel == "residual":
        return {(k,): row for k, row in enumerate(rows)}
    if kernel == "matrix":
        return {
            (j,): f"{rows[row]} by {columns[column]}"
            for j, ((row, column), _) in enumerate(table.ir.entries("matrix"))
        }
    if kernel == "rates":
        return {
            (level, k): f"{what} of {row}"
            for level, what in enumerate(("phi_dot", "phi_ddot"))
            for k, row in enumerate(rows)
        }
    if kernel == "slopes":
        return {
            (j, level): f"{what} of {note}"
            for (j,), note in local_notes(table, "matrix").items()
            for level, what in enumerate(("phi_dot", "phi_ddot"))
        }
    if kernel == "jerks":
        return {(k,): f"rate of {row}" for k, row in enumerate(rows)}
    if kernel == "energies":
        return {(k,): what for k, what in enumerate(ENERGIES)}
    return {}


def as_name(note: str) -> str:
    """Return the variable name of an output: ``rod_moment_1``, ``pin_phi_0``."""
    name = note.partition(" [")[0].replace(": equation ", "_phi_").replace(" of ", " ")
    return "_".join(name.translate(_NO_LETTERS).split())


def as_comment(text: str) -> str:
    """Return a user's text in one line, safe in comments and strings of any language."""
    plain = text.replace("\\", "/").replace('"', "'")
    return " ".join(plain.replace("*/", "* /").replace("/*", "/ *").split())


def _unknowns(table: TypeTable) -> list[str]:
    labels = zip(table.ir.labels, table.ir.coordinates, strict=True)
    coordinates = [f"{c}_{label}" for label, names in labels for c in names]
    return [*coordinates, *(x.name for x in table.ir.inputs() if x.array == "lam")]


def _entries(system: SystemIR) -> dict[int, str]:
    """Return row and unknown of every value of the matrix."""
    unknowns = [*system.names["coordinates"], *system.names["multipliers"]]
    columns = np.repeat(np.arange(len(system.indptr) - 1), np.diff(system.indptr))
    return {
        at: f"{system.names['rows'][row]} by {unknowns[column]}"
        for at, (row, column) in enumerate(zip(system.indices, columns, strict=True))
    }


def _fused(system: SystemIR) -> dict[str, dict[int, str]]:
    """Return the same for fused kernels; outputs behind the state are for the next kernel only."""
    q, lam = system.names["coordinates"], system.names["multipliers"]
    a = [f"acceleration {x}" for x in q]
    change = [f"change of {x}" for x in q]
    forces = [f"multiplier {x}" for x in lam]
    largest = ["largest |phi|"]
    end = [f"velocity {x}" for x in q] + a + forces
    return {
        "newton": _placed([f"change of {x}" for x in a], [f"change of {x}" for x in lam], largest),
        "consistent": _placed(end, largest),
        "finish": _placed(end),
        "accelerations": _placed(a),
        "retract": _placed(change, largest),
        "power": {0: "power"},
        "expand": {},
    }


def _placed(*parts: Sequence[str]) -> dict[int, str]:
    return dict(enumerate(chain(*parts)))


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{as_comment(unit)}]" if unit else name
