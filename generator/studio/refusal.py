"""What the studio answers to a request that it does not obey."""

from mbdgen.errors import MbdgenError


class Refusal(MbdgenError):
    """A request that is refused.

    Parameters
    ----------
    status : int
        Of HTTP, 4xx.
    cause, remedy : str
        As of any error.
    """

    def __init__(self, status: int, cause: str, remedy: str = "") -> None:
        super().__init__(cause, remedy)
        self.status = status
