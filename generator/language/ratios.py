"""Ratios of lengths that are the same whatever their parameters are."""

from mbdgen.language.scalars import Defaults, Scalar, is_symbolic, value_of

_OTHER = (1.371, 2.093)  # factors that no mechanism is scaled by on purpose
_SAME = 1e-9


def ratio(x: Scalar, whole: Scalar, known: Defaults, what: str) -> float | None:
    """Return ``x/whole`` as a number, or None if it depends on parameters.

    SymPy does not cancel ``L`` and ``sqrt(L**2)``, so the ratio is compared for other values.
    """
    found = value_of(x, known, what) / value_of(whole, known, what)
    if not (is_symbolic(x) or is_symbolic(whole)):
        return found
    for factor in _OTHER:
        powers = (factor ** (1 + k) for k in range(len(known)))
        others = {s: value * f for (s, value), f in zip(known.items(), powers, strict=True)}
        again = value_of(x, others, what) / value_of(whole, others, what)
        if abs(again - found) > _SAME * max(1.0, abs(found)):
            return None
    return found
