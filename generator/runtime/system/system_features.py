"""Features of a compiled system that not all methods and analyses support."""

from typing import TYPE_CHECKING

from mbdgen.limits import Facts, quoted

if TYPE_CHECKING:
    from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis
    from mbdgen.runtime.system.system import System


def features_of(system: "System", diagnosis: "Diagnosis | None" = None) -> Facts:
    """Return the features of a system, for `mbdgen.limits.require`.

    Parameters
    ----------
    diagnosis : Diagnosis, optional
        Diagnosis at the start of the motion; with it redundant constraints are known.
    """
    data, names = system.data, system.names
    owners, displaced = names.row_owners, data.displaced
    failing = [body for body in displaced if body.attitude >= 0]
    others = [f"body '{owners[b.first]}' with coordinates '{b.kind}'" for b in displaced]
    depths = [names.outputs[depth].rpartition(".")[0] for depth, *_ in data.contacts]
    gone = [names.outputs[k].rpartition("[")[0] for k in data.moved]
    rolling = [owners[row] for row in data.velocity_rows]
    paths = [names.coordinates[coordinate] for coordinate, *_ in data.ranges]
    facts = Facts.of(
        data.model,
        [
            ("contacts", len(data.contacts) > 0, quoted(depths)),
            ("crowds", len(data.crowds) > 0, ()),
            ("reactions", data.reads, ()),
            ("rolling", bool(rolling), quoted(rolling)),
            ("displacements", bool(displaced), others),
            ("charts", bool(failing), [f"'{b.kind}' of body '{owners[b.first]}'" for b in failing]),
            ("paths", bool(paths), quoted(paths)),
            ("eliminated-drivers", bool(gone), quoted(gone)),
            ("turns", len(data.turns) > 0, ()),
        ],
    )
    if diagnosis is not None and diagnosis.redundant:
        facts = facts.having("redundant", diagnosis.messages()[:1])
    return facts
