"""What users say of modes: damping ratios, and amplitudes at the start."""

from collections.abc import Sequence
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.modal import Row
from mbdgen.language.scalars import Scalar, as_scalar, entries, is_number, sqrt


def damping_of(ratios: Any, stiffness: Row, viscous: Sequence[Scalar], what: str) -> Row:
    r"""Return :math:`2 \zeta_i \omega_i + \gamma_i \omega_i^2` of every mode."""
    given = entries(ratios)
    listed = [ratios] * len(stiffness) if given is None else list(given)
    if len(listed) != len(stiffness):
        raise ModelError(
            f"{what} has {len(stiffness)} modes, but {len(listed)} damping ratios.",
            "Give one for each mode, or one for all.",
        )
    found = []
    for x, k, law in zip(listed, stiffness, viscous, strict=True):
        ratio = as_scalar(x, f"damping of {what}")
        if is_number(ratio) and ratio < 0:
            raise ModelError(f"A damping ratio of {what} is {ratio:g}.", "Give zero or more.")
        found.append(2 * ratio * sqrt(k) + law * k)
    return tuple(found)


def amplitudes_of(given: Any, count: int, what: str) -> Row:
    """Return one scalar for each mode; none for a body at rest."""
    if given is None:
        return ()
    listed = entries(given)
    if listed is None or len(listed) != count:
        raise ModelError(f"The {what} do not fit its {count} modes.", "Give one for each mode.")
    return tuple(as_scalar(x, what) for x in listed)
