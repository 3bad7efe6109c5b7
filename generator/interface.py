"""Interface of generated code: kernels, their arguments and results, reserved variable names.

Defined once, for the stage that builds kernels (`mbdgen.symbolic`), the one that prints them
(`mbdgen.emit`) and the loops that call them (`mbdgen.runtime.program.kernel_abi`, which adds the C
signature).
"""

STATE = ("q", "v", "a", "lam")
"""Arrays of the state: generalised coordinates, velocities, accelerations, Lagrange multipliers."""

LEVELS = STATE[:3]
"""Generalised coordinates, velocities and accelerations."""

WEIGHTS = ("c_q", "c_v", "c_a")
"""First entries of ``w``: weights of ``dr/dq``, ``dr/dv``, ``dr/da`` in the iteration matrix."""

INDEX_1 = (0.0, 0.0, 1.0)
"""Weights of the index-1 (acceleration level) matrix ``[M, -G^T; H, eps]``."""

QUADRATURE = ("xi", "weight")
"""Abscissa, from 0 to 1, and weight of a quadrature point, for integrals along an element."""

EPS = len(WEIGHTS)
"""Index in ``w`` of the regularisation of every multiplier, which fused kernels read."""

ARGUMENTS = ("t", *STATE, "w", "p", "m", "out")
"""Arguments of every kernel, in order; ``p`` and ``m`` are the tables of floats and of integers."""

LOCALS = frozenset((*ARGUMENTS, "e", "g", "i", "j", "k", "c", "o", "s", "row", *QUADRATURE))
"""Variables that templates use in functions: the arguments, counters, offsets into the tables, and
links of an instance. No other variable of a function may have these names."""

CONDITIONS = "conditions"
"""Conditions under which an element is active (`mbdgen.symbolic.statement.active_conditions`)."""

ELEMENT_KERNELS = ("residual", "matrix", "rates", "energies", "outputs")
"""Kernels that sum the contributions of the elements of the same name (see `element_ir`)."""

SECOND_KERNELS = ("slopes", "jerks")
"""Kernels of second derivatives, sums over elements too; present only on request."""

VARIATION_KERNELS = (
    *("residual_variation", "mass_variation", "rates_variation"),
    *("energies_variation", "outputs_variation"),
)
"""Directional derivatives (variations) of the results of other kernels, for given variations of the
state and of the parameters; present only if sensitivities are requested. They read the variations
of ``q``, ``v``, ``a`` and ``lam`` behind these in the same arrays, and those of ``p`` from
``w``."""
DISPLACEMENTS = "displacements"
"""Kernel of systems with bodies whose virtual displacements are not variations of coordinates."""

DISPLACEMENT_ROOM = 16
"""Entries for each coordinate in the result of that kernel."""

ANGLES = "angles"
"""Kernel of systems with unwrapped angles (full turns counted): the angles that a run unwraps."""

MOTION = "motion"
"""Function (no kernel) of every body type: position, orientation, velocity and acceleration."""

MOTION_PARTS = {
    "r": "position of the centre of mass",
    "R": "body axes, one after the other",
    "v": "velocity",
    "w": "angular velocity",
    "a": "acceleration",
    "alpha": "angular acceleration",
}
"""Its results, all in global components."""

ALONG = "along"
"""Function (no kernel) of elements that are integrals: quantities at every quadrature point."""

FUSED_KERNELS = (
    *("newton", "consistent", "finish", "accelerations", "retract"),
    *("power", "expand", "gather"),
)
"""Fused kernels: they evaluate, factorise and solve in straight-line code; the power of a state;
the conversion between reduced and full state. Only small systems have them."""

KERNELS = (
    *(*ELEMENT_KERNELS, "mass", *FUSED_KERNELS, *SECOND_KERNELS, *VARIATION_KERNELS),
    DISPLACEMENTS,
    ANGLES,
)

RESULTS = {
    "residual": "r: M a - f - G^T lam in dynamics rows, phi(t, q) in constraint rows",
    "matrix": "A = [c_q dr/dq + c_v dr/dv + c_a dr/da, -G^T; H, 0], values of the sparse pattern",
    "mass": "[M, -G^T; H, 0] in the places of the matrix, which it is for c_q = c_v = 0, c_a = 1",
    "rates": "phi_dot = H v + phi_t in n rows, then phi_ddot = H a - gamma in n rows",
    "energies": "kinetic energy, potential energy, power of loads and drivers",
    "outputs": "named results",
    "newton": "x of [c_q r_q + c_v r_v + r_a, -G^T; H, eps] x = -[r; phi/c_q], then max |phi|",
    "consistent": "v on phi_dot = 0, a, lam, max |phi|, factors of [M, -G^T; H, eps]",
    "accelerations": "a of [M, -G^T; H, 0] [a; lam] = [f; gamma], then factors for retract",
    "retract": "d of [M, -G^T; H, eps] [d; mu] = [0; -phi], then max |phi|; in the place of a it "
    "reads what accelerations wrote behind its result",
    "finish": "what consistent writes but max |phi|; v is first corrected along the reactions of "
    "an earlier state: in the place of a it reads what consistent or finish wrote there",
    "power": "power of loads and drivers",
    "expand": "all coordinates, velocities, accelerations and multipliers of the mechanism",
    "gather": "the reduced coordinates, velocities, accelerations and multipliers of a whole state",
    "slopes": "H_dot = d phi_dot/dq in the places of H in the matrix, then H_ddot = d phi_ddot/dq "
    "in the same places of a second matrix",
    DISPLACEMENTS: "for each such body, from 16 times its first coordinate on: B of du/dt = B "
    "dq/dt by rows, the rates of du/dt, and what switches its coordinates: the rotation matrix by "
    "columns, or other coordinates",
    ANGLES: "angles with all their turns, each with its rate behind it",
    "jerks": "r_t + r_q v + r_v a in dynamics rows, phi_dddot in constraint rows, both for "
    "a_dot = lam_dot = 0",
    "residual_variation": "changes of r where q, v, a, lam and p change",
    "mass_variation": "changes of the values of [M, -G^T; H, 0]",
    "rates_variation": "changes of phi_dot and of phi_ddot",
    "energies_variation": "changes of kinetic energy, potential energy, power",
    "outputs_variation": "changes of named results",
}
"""Contents of ``out`` for each kernel, as documented in generated code."""

TURNS = ("near", "speed")
"""Data that a run stores for each unwrapped angle after each step: the line ``near + speed t`` has
the value and rate of the angle there; of all angles that differ by full turns the one nearest to it
is taken."""

MEMORY = ("closed", "approach", "calm")
"""Data that a run stores for a contact: fields of the element."""
LOOKED_AT = ("depth", "speed", "step")
"""Data that a run reads of a contact: measures of the element."""

CROWD = (
    *("members", "width", "kinds", "tables", "planes", "numbers", "stiffness", "exponent"),
    *("capacity", "needed", "renewals", "reference", "buckets", "heads", "next"),
)
"""Integers in the header of the table of many contacts: counts, offset of its parameters in ``p``
(skin, radius of each kind, point and normal of each plane, mass of each kind), and the indices of
stiffness and exponent among the parameters of a law. A run writes the others: capacity for pairs,
pairs needed, number of neighbour searches (renewals), and offsets of its workspace."""
CROWD_TABLE = ("header", "links")
"""Behind them, for each table of pairs: offset of its type in ``m``, and number of links of a pair.
Then for each pair of kinds the offset of the parameters of its law in ``p``, and for each member
its kind and the first coordinates of its blocks."""
