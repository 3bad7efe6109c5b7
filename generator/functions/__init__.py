"""Functions of time, or of any other variable, with exact derivatives: one file each."""

from mbdgen.functions.base import TimeFunction
from mbdgen.functions.cycloid import cycloid
from mbdgen.functions.formula import formula
from mbdgen.functions.gaussian import gaussian
from mbdgen.functions.harmonic import harmonic
from mbdgen.functions.piecewise import piecewise
from mbdgen.functions.polynomial import polynomial
from mbdgen.functions.quintic import quintic
from mbdgen.functions.ramp import ramp
from mbdgen.functions.rise_and_return import rise_and_return
from mbdgen.functions.septic import septic
from mbdgen.functions.spin_up import spin_up
from mbdgen.functions.table import table
from mbdgen.functions.versine import versine

__all__ = [
    "TimeFunction",
    "cycloid",
    "formula",
    "gaussian",
    "harmonic",
    "piecewise",
    "polynomial",
    "quintic",
    "ramp",
    "rise_and_return",
    "septic",
    "spin_up",
    "table",
    "versine",
]
