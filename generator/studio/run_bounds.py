"""What a run may take."""

from dataclasses import dataclass

from mbdgen.errors import OptionError

GIGABYTE = 1_000_000_000


@dataclass(frozen=True)
class RunBounds:
    """Bounds of everything that the studio starts.

    Attributes
    ----------
    seconds : float
        From start to end, of a run.
    memory : float
        Gigabytes of addresses of each of its processes.
    file : float
        Gigabytes of any file that it writes.
    steps : float
        Of a run, counted before it starts.
    waiting : int
        Runs that may wait for their turn.
    kept : int
        Finished runs whose results are kept.
    """

    seconds: float = 300.0
    memory: float = 4.0
    file: float = 1.0
    steps: float = 2e7
    waiting: int = 3
    kept: int = 8

    def __post_init__(self) -> None:
        for what, value in (("--seconds", self.seconds), ("--memory", self.memory)):
            if not 0.0 < value < 1e6:
                raise OptionError(f"{what} {value:g} is no bound.", "Give a positive number.")
