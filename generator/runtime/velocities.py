"""Equations of velocities: which methods know them."""

from mbdgen.errors import OptionError
from mbdgen.runtime.scheme import Scheme
from mbdgen.runtime.system import System


def require_velocities(system: System, scheme: Scheme) -> None:
    """Refuse equations of velocities where a method treats constraints itself and knows none.

    Raises
    ------
    OptionError
        Naming the joints and methods that can.
    """
    rows, method = system.work.velocity_rows, scheme.method
    if len(rows) == 0 or not scheme.alone or method.velocities:
        return
    owners = ", ".join(dict.fromkeys(f"'{system.names.row_owners[row]}'" for row in rows))
    takes = method.needs != "nothing"
    remedy = f"Give '{method.name}' a formulation (index1), or take" if takes else "Take"
    raise OptionError(
        f"Method '{method.name}' closes positions, but {owners} constrains velocities.",
        f"{remedy} newmark, generalized-alpha, rk4, dopri5, radau, bdf or dimcd.",
    )
