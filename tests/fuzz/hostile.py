"""Values that nobody should give, as Python text."""

from random import Random

NUMBERS = (
    "0", "0.0", "-0.0", "1", "-1.0", "1e-9", "1e9", "1e-300", "5e-324", "1e300", "1.7e308",
    "-1e300", "2**31", "2**63", "10**400", "True", "np.float32(0.1)", "np.int64(3)",
    "Fraction(1, 3)",
)  # fmt: skip
NO_NUMBERS = (
    "float('nan')", "float('inf')", "-float('inf')", "np.nan", "np.array([1.0, 2.0])",
    "np.array(2.0)", "None", "'1.0'", "''", "b'x'", "1j", "(1 + 1e-30j)", "[]", "()", "{}",
    "(1,)", "(1, 2)", "(1, 2, 3)", "(1, 2, 3, 4)", "[[1, 2], [3, 4]]",
    "((1, 0, 0), (0, 1, 0), (0, 0, 1))", "(1, 'a', None)", "(0, 0, 0)", "(1e-300, 0, 0)",
    "(float('nan'), 0, 0)", "np.eye(3)", "np.zeros((2, 2, 2))", "set()", "object()", "int", "len",
    "lambda: 1", "lambda *x: x[0]", "lambda x: 'a'", "Decimal('1.5')", "range(3)", "Ellipsis",
    "NotImplemented", "m", "m.ground", "m.ground.at()", "Model",
)  # fmt: skip
EXPRESSIONS = (
    "sp.nan", "sp.oo", "sp.zoo", "sp.I", "sp.pi", "sp.Symbol('zz')", "sp.Symbol('m')",
    "sp.sqrt(-1)", "m.t", "1/m.t", "sp.sqrt(m.t - 1)", "sp.log(m.t)", "sp.Heaviside(m.t)",
    "sp.DiracDelta(m.t - 0.01)", "sp.Piecewise((0, m.t < 0.01), (1, True))",
    "sp.Piecewise((m.t, m.t < 0.01))", "sp.floor(m.t)", "sp.Abs(m.t - 0.01)", "sp.gamma(m.t)",
    "sp.Function('g')(m.t)", "sp.Derivative(sp.sin(m.t), m.t)", "sp.Integral(m.t, m.t)",
    "sp.Matrix([1, 2])", "m.t > 0", "sp.true", "sp.erf(m.t)", "sp.exp(1e3*m.t)",
    "sp.tan(m.t*1e3)", "sp.Max(0, m.t)**(sp.Rational(3, 2))", "sp.sin(1/m.t)",
    "sp.Rational(10**400, 3)", "sp.Float('1e-400', 50)", "b1.at().x", "1/b1.at().x",
    "sp.sqrt(b1.at().x)", "b1.at().vx", "b1.at().ax", "b1.at().position", "sp.log(b1.at().y**2)",
    "b1.at().x**b1.at().y",
)  # fmt: skip
NAMES = (
    "''", "' '", "'a b'", "'1a'", "'é'", "'名'", "'lambda'", "'None'", "'__init__'", "'_x'", "'q'",
    "'t'", "'ground'", "'energy'", "'self'", "'print'", "'math'", "'np'", "'p'", "'out'", "'a.b'",
    "'a;b'", "'a\\nb'", "'a\"b'", "'../x'", "'/tmp/x'", "'con'", "'x' * 300", "'x' * 99",
    "'\\ud800'", "'\\0'", "'int'", "'double'", "'static'", "'main'", "'sin'", "'I'", "'E'",
    "'pi'", "'b1'", "'p1'", "'j1'", "None", "5", "b'b'", "[]", "'%s'", "'{x}'", "'<script>'",
    "'N'", "'S'", "'index'", "'values'", "'residual'", "'system'", "'numpy'", "'range'", "'len'",
    "'x'", "'y'", "'rod'", "'inf'", "'nan'",
)  # fmt: skip
WORDS = (
    "'no such word'",
    "''",
    "'auto'",
    "'none'",
    "'NEWMARK'",
    "'newmark '",
    "5",
    "None",
    "b'x'",
    "[]",
)


def value(random: Random) -> str:
    """Something in the place of a number, a vector, a function or a marker."""
    kind = random.choices((NUMBERS, NO_NUMBERS, EXPRESSIONS), (4, 3, 3))[0]
    text = random.choice(kind)
    if random.random() < 0.15:
        text = f"({', '.join([text] * random.choice((2, 3)))})"
    return text
