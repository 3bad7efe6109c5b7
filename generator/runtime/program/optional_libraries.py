"""Optional libraries, imported where they are needed."""

from importlib import import_module
from typing import Any

from mbdgen.errors import OptionError


def import_optional(module: str, extra: str, what: str = "This", instead: str = "") -> Any:
    """Import an optional library, or name the extra of mbdgen that installs it.

    Parameters
    ----------
    what : str
        What needs it, for the message.
    instead : str
        What to do without it, at the end of the remedy.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise OptionError(
            f"{what} needs {module}, which is not installed.",
            f"Install it by: pip install 'mbdgen[{extra}]'{instead}.",
        ) from error
