"""Outcome of a command, as text for the page."""

from dataclasses import dataclass

from mbdgen.studio.run_bounds import RunBounds

DONE, FAILED, STOPPED, CANCELLED = "done", "failed", "stopped", "cancelled"
_ERROR, _REMEDY = "error: ", "       "


@dataclass(frozen=True)
class Outcome:
    """Outcome of a command.

    Attributes
    ----------
    state : str
        done, failed, stopped (by a limit) or cancelled (by the user).
    cause, remedy : str
        Message of a failure.
    """

    state: str
    cause: str = ""
    remedy: str = ""


def outcome(code: int, said: str, overdue: bool, cancelled: bool, limits: RunBounds) -> Outcome:
    """Return the outcome of a command.

    Parameters
    ----------
    code : int
        Exit code, or minus the number of the signal that ended it.
    said : str
        Text written to stderr.
    overdue, cancelled : bool
        Whether the studio ended it for its duration or on request.
    """
    if cancelled:
        return Outcome(CANCELLED, "The run was cancelled.")
    if overdue:
        return Outcome(
            STOPPED,
            f"The run was stopped: it took over {limits.seconds:g} s.",
            "Shorten the duration, lengthen the step, or start the studio with --seconds.",
        )
    if code == 0:
        return Outcome(DONE)
    if code < 0 or "MemoryError" in said:
        reason = "it needed too much memory" if code > 0 else f"a signal ({-code}) ended it"
        return Outcome(
            STOPPED,
            f"The run was stopped: {reason}; the memory limit is {limits.memory:g} GB.",
            "Make the model or the result smaller, or start the studio with --memory.",
        )
    cause, remedy = complaint(said)
    return Outcome(FAILED, cause or f"mbdgen ended with the exit code {code}.", remedy)


def complaint(said: str) -> tuple[str, str]:
    """Return cause and remedy of the last error message of a command."""
    lines = said.splitlines()
    found = [k for k, line in enumerate(lines) if line.startswith(_ERROR)]
    if not found:
        return "", ""
    after = lines[found[-1] + 1 :]
    cause, remedy = [lines[found[-1]].removeprefix(_ERROR)], ""
    for line in after:
        if line.startswith(_REMEDY):
            remedy = line.strip()
            break
        cause.append(line)
    return " ".join(cause).strip(), remedy
