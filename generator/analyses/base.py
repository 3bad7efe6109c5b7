"""What an analysis is: choices, and a table that comes of a mechanism or of a motion.

To add one write one file in this folder with one subclass of `SystemAnalysis` (it looks at a
mechanism: frequencies, loads, ranges) or of `MotionAnalysis` (it looks at a result, also at one
that was saved). It is found by itself: ``mbdgen.analyse(subject, NAME, ...)`` and ``mbdgen analyse
MODEL NAME`` know it.
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
    """Base of all analyses.

    The dataclass fields are the choices: names of series, numbers, or options. Their types say what
    is accepted, `str`, `float`, `int` or `bool`; a field without default must be given. Numbers
    and truth values may also come as texts, from a command line.
    """

    name: ClassVar[str]

    def __post_init__(self) -> None:
        for key, kind in kinds(type(self)).items():
            value = checked(getattr(self, key), kind, f"'{key}' of the analysis '{self.name}'")
            object.__setattr__(self, key, value)


@dataclass(frozen=True)
class SystemAnalysis(Analysis):
    """An analysis of a mechanism with its present parameters and initial values."""

    @abstractmethod
    def of(self, system: System) -> Table:
        """Return what was found; ``system`` must be left as it was."""


@dataclass(frozen=True)
class MotionAnalysis(Analysis):
    """An analysis of a motion that has been simulated."""

    @abstractmethod
    def of(self, result: Result) -> Table:
        """Return what was found."""
