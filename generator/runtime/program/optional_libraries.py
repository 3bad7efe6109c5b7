"""Optional libraries, imported where they are needed."""

from importlib import import_module
from typing import Any

from mbdgen.errors import OptionError


def require(module: str, extra: str) -> Any:
    """Import an optional library, or name the extra of mbdgen that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise OptionError(
            f"This needs {module}, which is not installed.",
            f"Install it by: pip install 'mbdgen[{extra}]'.",
        ) from error
