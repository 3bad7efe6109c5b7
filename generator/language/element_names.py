"""Names of the elements of a model, used by generated code: validation."""

import keyword
from collections.abc import Collection

from mbdgen.errors import ModelError

RESERVED = {
    "ground": "it is that of the body at rest",
    "energy": "results call the energies of the mechanism so",
    "t": "it is that of the time",
    "q": "results call the coordinates so",
    "v": "results call the velocities so",
    "a": "results call the accelerations so",
    "lam": "results call the Lagrange multipliers so",
}
# Names called in the generated parameter function.
RESERVED_PARAMETERS = frozenset({"math", "abs", "float", "max", "min"})
LONGEST = 100  # file systems end names at 255 bytes, and file names get suffixes


def checked_name(name: object, what: str, taken: Collection[str] = ()) -> str:
    """Return a usable name.

    Raises
    ------
    ModelError
        If it is not a Python identifier, is a keyword or reserved, or is taken already.
    """
    if not isinstance(name, str):
        raise ModelError(f"The name of the {what} is {name!r}.", "Give a string as first argument.")
    if not name.isidentifier() or not name.isascii():
        raise ModelError(
            f"The name {name!r} of the {what} cannot be used in generated code.",
            "Use letters, digits and underscores, and begin with a letter.",
        )
    if len(name) > LONGEST:
        raise ModelError(
            f"The name '{name[:20]}...' of the {what} has {len(name)} characters.",
            f"Use at most {LONGEST}.",
        )
    if reason := _reserved(name, what):
        raise ModelError(
            f"The name {name!r} of the {what} is reserved: {reason}.", "Choose another name."
        )
    if name in taken:
        raise ModelError(f"The name {name!r} is used twice.", f"Give the {what} another name.")
    return name


def _reserved(name: str, what: str) -> str:
    """Return the existing meaning of a name; empty if it is free."""
    if keyword.iskeyword(name):
        return "it is a word of Python, in which code is generated"
    if name.startswith("__"):
        return "such names belong to Python"
    if what == "parameter" and name in RESERVED_PARAMETERS:
        return "generated code calls a function of that name"
    return RESERVED.get(name, "")
