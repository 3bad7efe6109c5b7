"""All limits, from the parts that declare them."""

from mbdgen.emit.able import BACKEND_LIMITS
from mbdgen.grouping.load import BUILT_LIMITS
from mbdgen.mechanics.limits import ANALYSIS_LIMITS
from mbdgen.runtime.limits import (
    FORMULATION_LIMITS,
    MASS_LIMITS,
    PROJECTION_LIMITS,
    SCHEME_LIMITS,
)
from mbdgen.runtime.run_limits import (
    RUN_CONTROL_LIMITS,
    RUN_LIMITS,
    RUN_SCHEME_LIMITS,
    SCHEME_CONTROL_LIMITS,
)
from mbdgen.symbolic.build_limits import BUILD_LIMITS

LIMITS = (
    *FORMULATION_LIMITS,
    *PROJECTION_LIMITS,
    *SCHEME_LIMITS,
    *MASS_LIMITS,
    *RUN_SCHEME_LIMITS,
    *SCHEME_CONTROL_LIMITS,
    *RUN_CONTROL_LIMITS,
    *RUN_LIMITS,
    *BUILT_LIMITS,
    *ANALYSIS_LIMITS,
    *BUILD_LIMITS,
    *BACKEND_LIMITS,
)
