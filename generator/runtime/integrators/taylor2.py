"""The Taylor polynomial of second order, with exact jerks ``j``.

``q+ = q + h v + h^2/2 a``,  ``v+ = v + h a + h^2/2 j``
"""

from mbdgen.runtime.integrators.base import Method

METHOD = Method(
    name="taylor2",
    formulation="index1",
    order=2,
    general="mbdgen.runtime.steps.taylor2_step",
    needs="jerk",
    kernels=("jerks",),
    rows=2,
    text="explicit, one evaluation of the exact second derivative",
    source="E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, "
    "2nd ed., Springer 1993, section I.8.",
)
