"""Errors of mbdgen: every message is one sentence of cause and one of remedy."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})


def meant(
    name: object, known: Collection[str], otherwise: str, also: Mapping[str, str] = _NOTHING
) -> str:
    """Return the remedy for a name that does not exist: ``Did you mean 'x' or 'y'?``.

    Parameters
    ----------
    known : collection of str
        Names that exist. Capitals and hyphens make no difference to what is close.
    otherwise : str
        What is said if none is close.
    also : mapping
        What other programs call the same: what is meant by each name, in lower case.
    """
    from difflib import get_close_matches

    plain = {_plain(other): other for other in reversed([*known])}
    wanted = _plain(str(name))
    if wanted in also:
        return f"Did you mean {also[wanted]}?"
    close = [plain[wanted]] if wanted in plain else []
    close = close or [plain[other] for other in get_close_matches(wanted, [*plain], 3, 0.8)]
    begins = [other for other in plain if len(min(other, wanted, key=len)) > 2]
    begins = [other for other in begins if other.startswith(wanted) or wanted.startswith(other)]
    close = close or [plain[other] for other in sorted(begins)[:3]]
    close = close or [plain[other] for other in get_close_matches(wanted, [*plain], 3, 0.65)]
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else otherwise


def _plain(name: str) -> str:
    return name.casefold().replace("_", "-")


class MbdgenError(Exception):
    """Base of every error that a user can cause and mend.

    Parameters
    ----------
    cause : str
        One sentence: what is wrong, with the names of the culprits.
    remedy : str
        One sentence: what to do about it.
    """

    def __init__(self, cause: str, remedy: str = "") -> None:
        super().__init__(f"{cause} {remedy}".strip())
        self.cause = cause
        self.remedy = remedy


class ModelError(MbdgenError):
    """The description of the mechanism is wrong or incomplete."""


class UnknownNameError(ModelError, AttributeError):
    """Nothing of a model, a joint or a force has this name; `hasattr` answers False."""


class BuildError(MbdgenError):
    """The model is fine, but its module could not be made, written or loaded."""


class AssemblyError(MbdgenError):
    """The constraints cannot all be fulfilled: wrong guess, contradiction or 0 DOF."""


class SingularSystemError(MbdgenError):
    """Accelerations are not determined: a motion without inertia."""


class EquilibriumError(MbdgenError):
    """No static equilibrium was found: loads that nothing holds, or a start too far away."""


class AssemblyWarning(UserWarning):
    """Initial values that assembly had to change by more than a few per cent of what was stated."""


class AccuracyWarning(UserWarning):
    """A simulation ended, but its errors are large: see `Result.accuracy`."""


class OptionError(MbdgenError):
    """An argument of a function or command is not acceptable."""
