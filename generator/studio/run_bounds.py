"""Resource limits of a run."""

from dataclasses import dataclass

from mbdgen.errors import OptionError

GIGABYTE = 1_000_000_000


@dataclass(frozen=True)
class RunBounds:
    """Resource limits of everything that the studio starts.

    Attributes
    ----------
    seconds : float
        Duration of a run.
    memory : float
        Address space of each process in gigabytes.
    file : float
        Size of any written file in gigabytes.
    steps : float
        Time steps of a run, counted before it starts.
    waiting : int
        Length of the queue.
    kept : int
        Number of finished runs whose results are kept.
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
                raise OptionError(f"{what} {value:g} is not a limit.", "Give a positive number.")
