"""All capability limits, from the parts that declare them."""

from mbdgen.emit.backend_capabilities import BACKEND_LIMITS, INTEGRATOR_LIMITS, PYTHON_LIMITS
from mbdgen.grouping.group_loading import BUILT_LIMITS
from mbdgen.mechanics.analysis_limits import ANALYSIS_LIMITS
from mbdgen.runtime.methods.method_limits import (
    FORMULATION_LIMITS,
    MASS_LIMITS,
    PROJECTION_LIMITS,
    SCHEME_LIMITS,
)
from mbdgen.runtime.methods.run_limits import (
    RUN_CONTROL_LIMITS,
    RUN_LIMITS,
    RUN_SCHEME_LIMITS,
    SCHEME_CONTROL_LIMITS,
)
from mbdgen.symbolic.lower.build_limits import BUILD_LIMITS

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
    *INTEGRATOR_LIMITS,
    *PYTHON_LIMITS,
)
