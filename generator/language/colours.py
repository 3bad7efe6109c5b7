"""Colours of bodies and shapes, by name or as ``#rrggbb``."""

import re

from mbdgen.errors import ModelError, meant
from mbdgen.language.expressions.scalars import shown

COLOURS = {
    "black": "#1a1a1a",
    "white": "#f5f5f5",
    "grey": "#8a8f98",
    "silver": "#c0c4cc",
    "red": "#d62f2f",
    "green": "#2f9e44",
    "blue": "#2467c9",
    "cyan": "#17a2b8",
    "magenta": "#c2378f",
    "yellow": "#e6c229",
    "orange": "#e8731a",
    "purple": "#7a4fc9",
    "violet": "#9b6dd6",
    "brown": "#8c5a3c",
    "pink": "#e884a8",
    "gold": "#c9a227",
    "olive": "#808a2a",
    "lime": "#86c232",
    "teal": "#138d83",
    "turquoise": "#35c4b5",
    "navy": "#1f3a6e",
    "maroon": "#84243a",
    "salmon": "#f08a70",
    "beige": "#d9cbb0",
}
"""Colours of similar brightness, visible on light and dark backgrounds."""

SHORT = {"k": "black", "w": "white", "r": "red", "g": "green", "b": "blue"}
SHORT |= {"c": "cyan", "m": "magenta", "y": "yellow", "gray": "grey"}

_HEX = re.compile(r"#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}")


def as_colour(given: object, what: str) -> str:
    """Return a colour as ``#rrggbb``; the empty string if none is given.

    Parameters
    ----------
    given : str or None
        A name of `COLOURS`, one of the letters of MATLAB (``k``, ``r``, ...), ``#rgb`` or
        ``#rrggbb``.
    what : str
        Owner of the colour, for the message.

    Raises
    ------
    ModelError
        If it is none of these; with names that are close.
    """
    if given is None:
        return ""
    text = given.strip().lower() if isinstance(given, str) else ""
    text = SHORT.get(text, text)
    if text in COLOURS:
        return COLOURS[text]
    if _HEX.fullmatch(text):
        return text if len(text) == 7 else "#" + "".join(2 * digit for digit in text[1:])
    listed = f"Use #rrggbb or one of: {', '.join(COLOURS)}."
    hint = meant(text, COLOURS, listed) if text else listed
    raise ModelError(f"The color {what} is {shown(given)}, which is unknown.", hint)
