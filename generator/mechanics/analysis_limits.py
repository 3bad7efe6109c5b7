"""Analyses as kinds of runs, and their capability limits."""

from mbdgen.limits import Limit, is_one_of
from mbdgen.mechanics.given_motion import REMEDY
from mbdgen.runtime.methods.method_limits import PAIRS_UNKNOWN

STATICS, LINEAR, MODES = "statics", "linear model", "modes"
KINEMATICS, INVERSE, MOBILITY = "kinematics", "inverse dynamics", "mobility"
DRIVER_INPUTS = "linear model with drivers as inputs"
ANALYSES = (STATICS, LINEAR, MODES, KINEMATICS, INVERSE, MOBILITY, DRIVER_INPUTS)


def _of_drivers(run: str, what: str) -> Limit:
    cause = f"{what} of {{model}} is not known: its drivers {{names}} have been eliminated."
    return Limit(("run",), is_one_of(run), "missing", cause, REMEDY, "eliminated-drivers")


ANALYSIS_LIMITS = (
    Limit(
        ("run",),
        is_one_of(STATICS, LINEAR, MODES, DRIVER_INPUTS),
        "missing",
        "Contacts of {model} find their pairs while they run, so that there is no tangent of "
        "stiffness and damping for {run}.",
        PAIRS_UNKNOWN,
        "crowds",
    ),
    Limit(
        ("run",),
        is_one_of(KINEMATICS, INVERSE),
        "theory",
        "Positions of {model} do not follow from its drivers: {names} constrains velocities.",
        "Integrate the motion: simulate, mbdgen run.",
        "rolling",
    ),
    _of_drivers(MOBILITY, "Mobility"),
    _of_drivers(DRIVER_INPUTS, "Driver {names} as an input"),
)
