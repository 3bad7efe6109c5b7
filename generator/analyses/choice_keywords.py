"""Keywords of `analyse` that are choices of analyses.

Written by ``python tasks.py methods``: change the classes that state it instead.
"""

from typing import TypedDict


class Choices(TypedDict, total=False):
    """Choices of analyses."""

    force: str
    """Of centre_of_pressure."""
    height: float
    """Of centre_of_pressure."""
    on: str
    """Of centre_of_pressure."""
    series: str
    """Of spectrum."""
    t: float
    """Of modes."""
    torque: str
    """Of centre_of_pressure."""
    x: float
    """Of centre_of_pressure."""
    y: float
    """Of centre_of_pressure."""
    z: float
    """Of centre_of_pressure."""
