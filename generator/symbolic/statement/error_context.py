"""Context of errors in user classes during the derivation: location and cause."""

from mbdgen.errors import BuildError
from mbdgen.topology.elements import ElementSpec
from mbdgen.usable import file_of, raised_at

_FUNCTIONS = ("to float", "ufunc", "cannot be evaluated")


def cannot_derive(spec: ElementSpec, error: Exception) -> BuildError:
    """Return the build error for an exception during the derivation of an element."""
    place = _place(spec, error)
    return BuildError(
        f"{spec.title} '{spec.name}' cannot be derived ({type(error).__name__}: {error})"
        f"{f', {place}' if place else ''}.",
        _remedy(str(error)),
    )


def _place(spec: ElementSpec, error: Exception) -> str:
    """Return the last traceback line in a class of the element, its own class first."""
    stated = [type(p.element) for p in spec.parts] + [type(b.kind) for b in spec.bodies]
    places = (raised_at(error, file_of(cls)) for cls in stated)
    return next((place for place in places if place), "")


def _remedy(text: str) -> str:
    # Messages of SymPy, symengine and NumPy for `if x > 0` and math.sin(x) of an expression.
    if "truth value" in text:
        return "Use Piecewise, Max or Min of mbdgen.geometry.functions, not `if`, max or min."
    if any(word in text for word in _FUNCTIONS):
        return "Use the functions of mbdgen.geometry.functions, not those of math or numpy."
    return "Check its expressions, or the class that states it."
