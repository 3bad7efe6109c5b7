"""Fields of each kind of element: names, types, aliases.

A field holds ``number``, ``vector`` (3), ``quaternion`` (4), ``matrix`` (3 x 3), ``list`` (of
numbers), ``text``, ``switch``, or a number of an element: ``body`` (0 is the ground), ``point``,
``vector1``, ``vector2``, ``funct``.
"""

from dataclasses import dataclass

COUNTED = ("body", "point", "vector1", "vector2", "funct")
"""Types of fields that hold the number of an element."""


@dataclass(frozen=True)
class FieldKind:
    """A field.

    Attributes
    ----------
    name : str
        Name.
    holds : str
        Type, see above.
    aliases : tuple of str
        Alternative spellings.
    """

    name: str
    holds: str
    aliases: tuple[str, ...] = ()


def _fields(**kinds: str) -> tuple[FieldKind, ...]:
    """Parse ``mass="number"`` and ``sPp="vector sP sp"``: the type, then alternative spellings."""
    parts = {name: text.split() for name, text in kinds.items()}
    return tuple(FieldKind(name, p[0], tuple(p[1:])) for name, p in parts.items())


BODY = _fields(
    **{"mass": "number m", "Jp": "matrix", "r": "vector", "p": "quaternion"},
    **{"r_dot": "vector", "w": "vector", "wp": "vector"},
    **{"radius": "number", "modulus": "number", "poisson": "number", "color": "text"},
)
POINT = _fields(Bindex="body", sPp="vector sP sp")
VECTOR1 = _fields(Bindex="body", sp="vector sP sPp")
VECTOR2 = _fields(iPindex="point", jPindex="point")
FUNCT = _fields(
    **{"type": "text", "coeff": "list", "x_start": "number", "x_max": "number"},
    **{"x_end": "number", "f_start": "number", "f_max": "number", "f_end": "number"},
)
JOINT = _fields(
    **{"type": "text", "disk": "text", "R": "number", "Ac": "matrix"},
    **{"iBindex": "body", "jBindex": "body", "iPindex": "point", "jPindex": "point"},
    **{"V2index": "vector2", "iVindex_a": "vector1 iBindex_a", "jVindex_a": "vector1 jBindex_a"},
    iFunct="funct",
)
FORCE = _fields(
    **{"type": "text", "gravity": "number", "wgt": "vector", "np": "vector"},
    **{"iBindex": "body Bi", "jBindex": "body Bj", "iPindex": "point Pi", "jPindex": "point Pj"},
    **{"V2index": "vector2 V2", "k": "number", "el_0": "number el el0", "c": "number"},
    **{"f_a": "number", "plane_normal_vector": "vector", "sphere_radius": "number"},
    **{"Ri": "number", "Rj": "number", "K": "number", "restitution": "number Cr c_r"},
    **{"force_model": "text F_model", "n_exponent": "number n", "friction": "switch"},
    **{"fric_model": "text", "mu": "number", "mus": "number", "vs": "number", "z": "number"},
    **{"sigma0": "number", "sigma1": "number", "sdw": "number"},
)
DERIVED = frozenset(
    "A M M_inv m_inv J J_inv Jp_inv f n p_dot r_dot2 w_dot wp_dot irc irv ira pts rP s "
    "sP_dot rP_dot rP_dot2 s_dot d d_dot".split()
)
"""Fields computed by the program; assignments to them have no effect."""


@dataclass(frozen=True)
class InputFile:
    """One of the nine files.

    Attributes
    ----------
    names : tuple of str
        Permitted names.
    struct : str
        Default that its elements are created from.
    outputs : tuple of str
        Permitted names of the array at its end.
    fields : tuple of FieldKind
        Fields of its elements.
    """

    names: tuple[str, ...]
    struct: str = ""
    outputs: tuple[str, ...] = ()
    fields: tuple[FieldKind, ...] = ()

    @property
    def name(self) -> str:
        """Main name."""
        return self.names[0]


FILES = {
    "bodies": InputFile(("inBodies",), "Body_struct", ("Bodies",), BODY),
    "points": InputFile(("inPoints",), "Point_struct", ("Points",), POINT),
    "drawn": InputFile(("inAnimate",), "Point_struct", ("Points_anim",), POINT),
    "vectors1": InputFile(("inVectors1",), "Vector1_struct", ("Vectors1",), VECTOR1),
    "vectors2": InputFile(("inVectors2",), "Vector2_struct", ("Vectors2",), VECTOR2),
    "forces": InputFile(("inForces",), "Force_struct", ("Forces",), FORCE),
    "joints": InputFile(("inJoints",), "Joint_struct", ("Joints",), JOINT),
    "functs": InputFile(
        ("inFuncts", "inFunctions", "inFunction"),
        "Funct_struct",
        ("Functs", "Funct", "Functions"),
        FUNCT,
    ),
    "solver": InputFile(("inSolver",)),
}
BOX = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "AZ", "EL")
SOLVER = ("correct_ic", "t_final", "dt", "method")
"""Plain variables of inAnimate and inSolver."""
