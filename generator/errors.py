"""Exceptions and warnings of mbdgen: every message is a sentence of cause and one of remedy."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})


def meant(
    name: object, known: Collection[str], otherwise: str, also: Mapping[str, str] = _NOTHING
) -> str:
    """Return the suggestion for an unknown name: ``Did you mean 'x' or 'y'?``.

    Parameters
    ----------
    known : collection of str
        Existing names. Close matches ignore case and hyphens.
    otherwise : str
        Returned if there is no close match.
    also : mapping
        Synonyms of other programs: the name in mbdgen by the synonym in lower case.
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
    """Base class of all errors that a user can cause and fix.

    Parameters
    ----------
    cause : str
        One sentence: what is wrong, with the names of the parts concerned.
    remedy : str
        One sentence: how to fix it.
    """

    def __init__(self, cause: str, remedy: str = "") -> None:
        super().__init__(f"{cause} {remedy}".strip())
        self.cause = cause
        self.remedy = remedy


class ModelError(MbdgenError):
    """The description of the mechanism is wrong or incomplete."""


class UnknownNameError(ModelError, AttributeError):
    """Unknown name of a part or attribute of a model, joint or force; `hasattr` returns False."""


class BuildError(MbdgenError):
    """The model is valid, but its module could not be generated, written or loaded."""


class AssemblyError(MbdgenError):
    """Assembly failed: poor initial guess, inconsistent constraints or no degrees of freedom."""


class SingularSystemError(MbdgenError):
    """Singular system: accelerations are not determined, as of a motion without inertia."""


class EquilibriumError(MbdgenError):
    """No static equilibrium was found: unbalanced loads, or an initial guess too far away."""


class AssemblyWarning(UserWarning):
    """Assembly changed initial conditions by more than a few per cent of their stated values."""


class AccuracyWarning(UserWarning):
    """A simulation completed with large errors: see `Result.accuracy`."""


class OptionError(MbdgenError):
    """An argument of a function or an option of a command is invalid."""
