"""The interface of generated code: its kernels, what they read, and names of their variables.

Stated once, for the stage that makes kernels (`mbdgen.symbolic`), the one that prints them
(`mbdgen.emit`) and the loops that call them (`mbdgen.runtime.program.kernel_abi`, which adds the C
signature).
"""

STATE = ("q", "v", "a", "lam")
"""Arrays of the state: coordinates, velocities, accelerations, multipliers."""

LEVELS = STATE[:3]
"""The coordinates and their rates."""

WEIGHTS = ("c_q", "c_v", "c_a")
"""How the array ``w`` begins: weights of ``dr/dq``, ``dr/dv``, ``dr/da`` in the matrix."""

INDEX_1 = (0.0, 0.0, 1.0)
"""The weights with which the matrix is ``[M, -G^T; H, eps]``."""

QUADRATURE = ("xi", "weight")
"""What integrals along an element read at every place: where it is, from 0 to 1, and its share."""

EPS = len(WEIGHTS)
"""Where ``w`` goes on with the regularisation of every multiplier, which fused kernels read."""

ARGUMENTS = ("t", *STATE, "w", "p", "m", "out")
"""Of every kernel, in order; ``p`` and ``m`` are the tables of real numbers and of integers."""

LOCALS = frozenset((*ARGUMENTS, "e", "g", "i", "j", "k", "c", "o", "s", "row", *QUADRATURE))
"""Variables that templates use in functions: the arguments, counters, offsets into the tables, and
links of an instance. No other variable of a function may have these names."""

CONDITIONS = "conditions"
"""What must hold for an element to count (`mbdgen.symbolic.statement.active_conditions`)."""

ELEMENT_KERNELS = ("residual", "matrix", "rates", "energies", "outputs")
"""Sums of what the elements state, each under the same name (see `element_ir`)."""

SECOND_KERNELS = ("slopes", "jerks")
"""Second derivatives, sums over elements too; only modules that are asked for them have them."""

VARIATION_KERNELS = (
    *("residual_variation", "mass_variation", "rates_variation"),
    *("energies_variation", "outputs_variation"),
)
"""Changes of what other kernels write, for given changes of the state and of the parameters: only
modules that are asked for sensitivities have them. They find the changes of ``q``, ``v``, ``a`` and
``lam`` behind these in the same arrays, and those of ``p`` in the place of ``w``."""
DISPLACEMENTS = "displacements"
"""Of systems with bodies whose virtual displacements are no changes of coordinates."""

DISPLACEMENT_ROOM = 16
"""Numbers for each coordinate in what that kernel writes."""

ANGLES = "angles"
"""Of systems in which something reads an angle with all its turns: what a run counts them by."""

MOTION = "motion"
"""What every type of body knows of the place of its bodies: no kernel but a function of arrays."""

MOTION_PARTS = {
    "r": "position of the centre of mass",
    "R": "body axes, one after the other",
    "v": "velocity",
    "w": "angular velocity",
    "a": "acceleration",
    "alpha": "angular acceleration",
}
"""What it writes, all in global components."""

ALONG = "along"
"""What elements that are integrals tell of every place of their body: likewise."""

FUSED_KERNELS = (
    *("newton", "consistent", "finish", "accelerations", "retract"),
    *("power", "expand", "gather"),
)
"""What fused steps call: kernels that evaluate, factorise and solve in one straight line, the power
of a state, and the exchange between the reduced and the whole state. Small systems have them."""

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
"""What each kernel writes to ``out``, as generated code says it."""

TURNS = ("near", "speed")
"""What a run writes of an angle after each step: ``near + speed t`` goes through the angle there
and has its rate, so that of all angles that differ by whole turns the nearest one is meant."""

MEMORY = ("closed", "approach", "calm")
"""What a run writes of a contact: fields of the element."""
LOOKED_AT = ("depth", "speed", "step")
"""What a run looks at of a contact: measures of the element."""

CROWD = (
    *("members", "width", "kinds", "tables", "planes", "numbers", "stiffness", "exponent"),
    *("capacity", "needed", "renewals", "reference", "buckets", "heads", "next"),
)
"""Integers at the head of the table of many contacts: counts, where its numbers begin in ``p``
(skin, radius of each kind, point and normal of each plane, mass of each kind), and which numbers of
a law are stiffness and exponent. A run writes the others: pairs that
there is room for and that were needed, how often pairs were sought, and where its room begins."""
CROWD_TABLE = ("header", "links")
"""Behind them, for each table of pairs: where its type stands in ``m``, and links of a pair. Then
for each pair of kinds where the numbers of its law begin in ``p``, and of each member its kind and
the first coordinates of its blocks."""
