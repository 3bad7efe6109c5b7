"""Contacts, which runs write to between steps: who knows nothing of that."""

from mbdgen.errors import OptionError
from mbdgen.runtime.scheme import Scheme
from mbdgen.runtime.system import System


def require_no_contacts(system: System, what: str, remedy: str) -> None:
    """Refuse a system with contacts where nothing opens and closes them."""
    if len(system.data.contacts):
        raise OptionError(
            f"'{system.data.model}' has contacts, which {what} cannot open and close.", remedy
        )


def require_own_steps(system: System, scheme: Scheme) -> None:
    """Refuse integrators of libraries, which make steps that nobody sees."""
    if scheme.method.library:
        remedy = "Choose a method of mbdgen, such as 'rk4' or 'newmark', with rtol= or h=."
        require_no_contacts(system, f"the library's method '{scheme.method.name}'", remedy)
