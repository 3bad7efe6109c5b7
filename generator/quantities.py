"""The vocabulary: one table of names used by code, documents, LaTeX and generated comments."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """A quantity of the mathematical notation.

    Attributes
    ----------
    name : str
        Name in code and in generated modules.
    symbol : str
        LaTeX symbol, without dollar signs.
    meaning : str
        Description in one phrase.
    shape : str
        Shape in terms of ``n_q`` (coordinates), ``n_u`` (virtual displacements and dynamics rows),
        ``n_lam`` (multipliers), ``n_phi`` (constraint equations, with norm rows) and ``n = n_q +
        n_lam`` (rows and unknowns); empty for a scalar.
    unit : str
        SI unit; empty if it differs from component to component.
    """

    name: str
    symbol: str
    meaning: str
    shape: str = ""
    unit: str = ""


QUANTITIES: tuple[Quantity, ...] = (
    Quantity("t", "t", "time", unit="s"),
    Quantity("q", "q", "coordinates", "n_q"),
    Quantity("v", "v", "velocities `dq/dt`", "n_q"),
    Quantity("a", "a", "accelerations `dv/dt`", "n_q"),
    Quantity("u", "u", "independent or quasi velocities, `v = T(q) u`", "n_u"),
    Quantity("T", "T", "map from quasi velocities to coordinate rates", "n_q x n_u"),
    Quantity("M", "M", "mass matrix, in `M a = f + G^T lam`", "n_u x n_q"),
    Quantity("f", "f", "applied and inertia forces `f(t, q, v)`", "n_u"),
    Quantity("K", "K", "tangent stiffness `d(M a - f)/dq`", "n_u x n_q"),
    Quantity("C", "C", "tangent damping `-df/dv`", "n_u x n_q"),
    Quantity("phi", r"\phi", "all constraint equations `phi(t, q) = 0`", "n_phi"),
    Quantity("phi_t", r"\phi_t", "partial derivative of `phi` by time (rheonomic term)", "n_phi"),
    Quantity("phi_dot", r"\dot\phi", "velocity level `H v + phi_t`", "n_phi"),
    Quantity("phi_ddot", r"\ddot\phi", "acceleration level `H a - gamma`", "n_phi"),
    Quantity("H", "H", "coordinate Jacobian `d phi/dq`, with norm rows", "n_phi x n_q"),
    Quantity("gamma", r"\gamma", "right-hand side of `H a = gamma`", "n_phi"),
    Quantity("G", "G", "reaction directions `H T` of the joint rows", "n_lam x n_u"),
    Quantity("lam", r"\lambda", "multipliers (reactions)", "n_lam"),
    Quantity("W", "W", "geometric stiffness of the reactions, `d(G^T lam)/dq`", "n_u x n_q"),
    Quantity("r", "r", "residual: dynamics rows `M a - f - G^T lam`, constraint rows `phi`", "n"),
    Quantity(
        "A", "A", "iteration matrix: `c_q dr/dq + c_v dr/dv + c_a dr/da`, `-G^T`; `H`", "n x n"
    ),
    Quantity("c_q", "c_q", "weight of the coordinates in `A`"),
    Quantity("c_v", "c_v", "weight of the velocities in `A`"),
    Quantity("c_a", "c_a", "weight of the accelerations in `A`"),
    Quantity("h", "h", "step size", unit="s"),
    Quantity("p", "p", "table of real parameters of all elements", "n_p"),
    Quantity("m", "m", "table of integers: connectivity and scatter maps", "n_m"),
)


def quantity(name: str) -> Quantity:
    """Look up one entry of the vocabulary.

    Parameters
    ----------
    name : str
        Name in code, for example ``"lam"``.
    """
    for entry in QUANTITIES:
        if entry.name == name:
            return entry
    raise KeyError(name)


def comment(name: str) -> str:
    """Return a line of comment for generated code: ``lam (n_lam): multipliers (reactions)``."""
    entry = quantity(name)
    shape = f" ({entry.shape})" if entry.shape else ""
    unit = f" [{entry.unit}]" if entry.unit else ""
    return f"{entry.name}{shape}: {entry.meaning.replace('`', '')}{unit}"


def markdown_table() -> str:
    """Return the vocabulary as a Markdown table, one row per quantity, ending in a newline."""
    lines = ["| name | symbol | meaning | shape | unit |", "|---|---|---|---|---|"]
    for entry in QUANTITIES:
        shape = f"`{entry.shape}`" if entry.shape else ""
        cells = (f"`{entry.name}`", f"${entry.symbol}$", entry.meaning, shape, entry.unit)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
