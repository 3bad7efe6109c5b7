"""Errors of mbdgen: every message is one sentence of cause and one of remedy."""


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


class AccuracyWarning(UserWarning):
    """A simulation ended, but its errors are large: see `Result.accuracy`."""


class OptionError(MbdgenError):
    """An argument of a function or command is not acceptable."""
