"""Base classes of analyses: options (choices), and a result table for a mechanism or a motion.

To add one, write a file in this folder with a subclass of `SystemAnalysis` (analyses a mechanism:
frequencies, loads, ranges) or of `MotionAnalysis` (analyses a result, also a saved one). It is
found automatically: ``mbdgen.analyse(subject, NAME, ...)`` and ``mbdgen analyse MODEL NAME`` accept
its name.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mbdgen.analyses.analysis_choices import checked, kinds
from mbdgen.analyses.analysis_table import Table
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System


@dataclass(frozen=True)
class Analysis(ABC):
    """Base class of all analyses.

    The dataclass fields are the choices: names of series, numbers, or options, of type `str`,
    `float`, `int` or `bool`; a field without default is required. Numbers and booleans may also be
    given as strings, from a command line.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        for key, kind in kinds(type(self)).items():
            value = checked(getattr(self, key), kind, f"'{key}' of the analysis '{self.name}'")
            object.__setattr__(self, key, value)


@dataclass(frozen=True)
class SystemAnalysis(Analysis):
    """Analysis of a mechanism with its current parameters and initial values."""

    @abstractmethod
    def of(self, system: System) -> Table:
        """Return the result table; ``system`` must not be modified."""


@dataclass(frozen=True)
class MotionAnalysis(Analysis):
    """Analysis of a simulated motion."""

    @abstractmethod
    def of(self, result: Result) -> Table:
        """Return the result table."""
