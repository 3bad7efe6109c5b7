"""Loops for mechanisms in relative coordinates, as text (`coordinates/recursion.py`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mbdgen.emit.array_addresses import loads_of, store_of, used_links
from mbdgen.emit.code_parts import CodeLine
from mbdgen.emit.element_kernels import ElementKernel, element_names
from mbdgen.emit.printer import Printer
from mbdgen.emit.schedule import schedule
from mbdgen.emit.system_kernels import SystemKernel
from mbdgen.interface import RESULTS
from mbdgen.symbolic.coordinates.recursion import (
    LEVELS,
    WIDTH,
    BranchType,
    Recursion,
    residual_along,
)
from mbdgen.symbolic.ir.graph import Graph
from mbdgen.symbolic.ir.system_ir import SystemIR, TypeTable

WHAT = ("residual", "rates", "energies", "outputs", "angles", "along", "inertia")
BLOCKS = ("place", "wrench", "place_along", "wrench_along")
CARRIED, ARTICULATED, ELIMINATED = 18, 165, 240
"""Operations of the loops that are the same for every mechanism: shift of a wrench inwards, shift
of an articulated-body inertia, and elimination and solution of one row."""


@dataclass(frozen=True)
class PrintedBlock:
    """Straight-line code for one branch.

    Attributes
    ----------
    loads, body, stores : tuple of CodeLine
        Inputs, temporaries, results.
    operations : int
        Arithmetic operations.
    """

    loads: tuple[CodeLine, ...]
    body: tuple[CodeLine, ...]
    stores: tuple[CodeLine, ...]
    operations: int


@dataclass(frozen=True)
class PrintedBranch:
    """Code of a type of branch.

    Attributes
    ----------
    title : str
        Description.
    place, wrench : PrintedBlock
        Position of the child, and the wrench on it.
    place_along, wrench_along : PrintedBlock
        Their directional derivatives for variations of the state.
    """

    title: str
    place: PrintedBlock
    wrench: PrintedBlock
    place_along: PrintedBlock
    wrench_along: PrintedBlock


def branches(recursion: Recursion, printer: Printer) -> list[PrintedBranch]:
    """Return the code of the types of branches."""
    return [_printed(x, recursion, printer) for x in recursion.types]


def _printed(x: BranchType, r: Recursion, printer: Printer) -> PrintedBranch:
    g = x.geometry
    numbers = {name: f"p[j + {k}]" for k, name in enumerate(x.numbers)}
    state = _state(x, "Q V A".split(), "q v a".split())
    along = {
        **{f"dp{k}{end}": f"D[{n * r.all_q} + ip + {k}]"
           for n, end in enumerate(LEVELS) for k in range(x.n_p)},
        **{f"ds{k}{end}": f"E[{n * r.n_q} + i + {k}]"
           for n, end in enumerate(LEVELS) for k in range(x.n_s)},
    }  # fmt: skip
    placed = [*g.q, *g.v, *g.a, *g.origin, *(node for s in g.screws for node in s)]
    at = [f"{array}[ic + {k}]" for array in "QVA" for k in range(x.n_x)]
    at_change = [f"D[{n * r.all_q} + ic + {k}]" for n in range(3) for k in range(x.n_x)]
    shared = [f"X[3*k + {c}]" for c in range(3)]
    shared += [f"S[6*u + {c}]" for c in range(6 * x.n_u)]
    changed = [f"d{text}" for text in shared]
    rows = {f"x{k}": f"Q[ic + {k}]" for k in range(x.n_x)}
    rows |= {f"r{k}": f"R[ic + {k}]" for k in range(x.n_x)}
    changes = {f"dx{k}": f"D[ic + {k}]" for k in range(x.n_x)}
    changes |= {f"dr{k}": f"dR[ic + {k}]" for k in range(x.n_x)}
    wrench = [f"W[6*k + {c}]" for c in range(6)]
    of_wrench = [f"dW[6*k + {c}]" for c in range(6)]
    return PrintedBranch(
        title=x.title,
        place=_block(g.graph, placed, [*at, *shared], numbers | state, printer),
        wrench=_block(g.graph, g.wrench, wrench, rows, printer),
        place_along=_block(
            *g.along(placed), [*at_change, *changed], numbers | state | along, printer
        ),
        wrench_along=_block(*g.along(g.wrench), of_wrench, rows | changes, printer),
    )


def _state(x: BranchType, parent: Sequence[str], own: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for array, mine, end in zip(parent, own, LEVELS, strict=True):
        found |= {f"p{k}{end}": f"{array}[ip + {k}]" for k in range(x.n_p)}
        found |= {f"s{k}{end}": f"{mine}[i + {k}]" for k in range(x.n_s)}
    return found


def _block(
    graph: Graph,
    nodes: Sequence[int],
    targets: Sequence[str],
    sources: Mapping[str, str],
    printer: Printer,
) -> PrintedBlock:
    code = schedule(graph, nodes, printer)
    loads = tuple(CodeLine(printer.variable(name), sources[name]) for name in code.inputs)
    stores = tuple(CodeLine(at, text) for at, text in zip(targets, code.results, strict=True))
    body = tuple(CodeLine(name, text) for name, text in code.assignments)
    return PrintedBlock(loads, body, stores, code.operations)


def recursive_elements(system: SystemIR, printer: Printer) -> list[ElementKernel]:
    """Return the element functions that only loops of relative coordinates call."""
    assert system.recursion is not None
    offsets = {"q": 0, "v": 1, "a": 2, "lam": 3}
    found = []
    for table in system.types:
        graph, entries = residual_along(table.ir)
        loads = [
            CodeLine(
                f"d_{x.name}",
                f"w[{offsets[x.array] * system.recursion.all_q} + {x.link} + {x.offset}]",
            )
            for x in table.ir.inputs()
        ]
        stores = [store_of(table, "residual", index) for index, _ in entries]
        nodes = [node for _, node in entries]
        if entries:
            found.append(_element(table, "along", graph, nodes, stores, loads, printer))
        if table.ir.role == "body":
            graph, entries = system.recursion.inertias[table.title]
            stores = [f"out[12*i_{table.ir.labels[0]} + {k}]" for (k,), _ in entries]
            nodes = [node for _, node in entries]
            found.append(_element(table, "inertia", graph, nodes, stores, [], printer))
    return found


def _element(
    table: TypeTable,
    what: str,
    graph: Graph,
    nodes: Sequence[int],
    targets: Sequence[str],
    more: Sequence[CodeLine],
    printer: Printer,
) -> ElementKernel:
    code = schedule(graph, nodes, printer)
    needed = set(code.inputs)
    loads = [
        replace(line, target=printer.variable(line.target))
        for line in [*loads_of(table), *more]
        if line.target in needed
    ]
    pairs = zip(targets, code.results, strict=True)
    stores = [CodeLine(at, text, add=True) for at, text in pairs if text != "0.0"]
    return ElementKernel(
        name=f"{table.title}_{what}",
        comment={"along": "the change of the residual along w", "inertia": "inertias"}[what],
        elements=element_names(table),
        header=table.header,
        n_columns=len(table.columns),
        n_links=len(table.ir.link_names()),
        n_scatter=0,
        links=tuple(used_links(table, loads, stores)),
        loads=tuple(loads),
        body=tuple(CodeLine(n, e) for n, e in code.assignments),
        stores=tuple(stores),
        sums=(),
        operations=code.operations,
        scattered=False,
        crowded=False,
        places=None,
    )


def calls_by_kernel(elements: Sequence[ElementKernel]) -> dict[str, list[str]]:
    """Return the element functions of each kernel."""
    return {kernel: [e.name for e in elements if e.name.endswith(f"_{kernel}")] for kernel in WHAT}


def recursive_kernels(
    system: SystemIR, elements: Sequence[ElementKernel], printed: Sequence[PrintedBranch]
) -> list[SystemKernel]:
    """Return the kernels of the template, with their operations."""
    r = system.recursion
    assert r is not None
    counts = {f"{t.title}_{what}": len(t.instances) for t in system.types for what in WHAT}
    kinds = system.m[r.table : r.table + WIDTH * r.branches : WIDTH].tolist()

    def cost(what: str) -> int:
        return sum(counts[e.name] * e.operations for e in elements if e.name.endswith(f"_{what}"))

    place, wrench = (sum(getattr(printed[k], x).operations for k in kinds) for x in BLOCKS[:2])
    along = sum(sum(getattr(printed[k], x).operations for x in BLOCKS[2:]) for k in kinds)
    rows = place + cost("residual") + wrench + CARRIED * r.branches + 11 * r.rows
    change = along + cost("along") + 3 * CARRIED * r.branches + 23 * r.rows
    operations = {
        "residual": rows,
        "matrix": rows + (r.n_q + r.n_lam) * change,
        "rates": place + cost("rates") if r.n_lam else 16 * r.n_balls,
        "energies": place + cost("energies"),
        "outputs": place + cost("outputs"),
    }
    if system.roles.turns:
        operations["angles"] = place + cost("angles")
    if not r.n_lam:
        solved = rows + cost("inertia") + ARTICULATED * r.branches + ELIMINATED * r.rows
        operations |= {"consistent": solved, "accelerations": solved, "retract": 12 * r.n_balls}
        operations["power"] = operations["energies"]
    return [
        SystemKernel(name, RESULTS[name], "0", (), (), (), (), count)
        for name, count in operations.items()
    ]
