"""What is shown is what is computed: shown equations are read again and compared with kernels."""

import re
from collections.abc import Callable, Iterable

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.language.read import read
from mbdgen.show.document import EquationLine, EquationSection, aligned_at_equals
from mbdgen.show.equations_text import equation_sections, equations_text
from mbdgen.topology.specify import specify
from tests.unit.compiler.printed import call, plain_module, text_of
from tests.unit.compiler.states import Motion

TIME = 0.37


def everything() -> Model:
    """A driver, a spring with damping and actuator, a force that follows, three kinds of bodies."""
    m = Model("everything", gravity=(0.3, -9.81, 0.2))
    k = m.parameter("k", 30.0)
    crank = m.body("crank", 2.0, 0.3, coordinates="planar", position=(0.5, 0, 0))
    m.revolute("hinge", m.ground.at(), crank.at(-0.5))
    m.rotation_driver("drive", m.ground.at(), crank.at(), angle=0.2 * m.t**2)
    ball = m.point_mass("ball", 1.5, position=(1.0, 0.8, 0.1))
    m.spring("coil", crank.at(0.4), ball.at(), stiffness=k, length=0.3, damping=0.7, force=m.t)
    bar = m.body("bar", 1.1, 0.2, coordinates="natural", position=(0.1, 1.0, 0))
    m.force("push", bar.at(0.1), force=(1.0, 2.0, 0))
    return m


def top() -> Model:
    """A body with a full inertia tensor on a spherical joint and a torsion spring."""
    m = Model("top", gravity=(0, 0, -9.81))
    tensor = ((0.4, 0.02, 0.01), (0.02, 0.5, 0.03), (0.01, 0.03, 0.3))
    body = m.body("body", 1.3, tensor, position=(0.1, 0.2, 0.7))
    m.spherical("tip", m.ground.at(), body.at(-0.1, -0.2, -0.7))
    m.torque("turn", body.at(), torque=(0.1, 0.2, m.t))
    return m


def clashing() -> Model:
    """Parameters that are called like coordinates."""
    m = Model("clashing", gravity=(0, -9.81, 0))
    x, x_a = m.parameter("x", 1.7), m.parameter("x_a", 0.4)
    disk = m.body("disk", x, 0.2, coordinates="planar", position=(x_a, 0, 0))
    m.revolute("hinge", m.ground.at(), disk.at(-x_a))
    return m


MODELS: dict[str, Callable[[], Model]] = {
    "pendulum": lambda: read("pendulum"),
    "n_four_bar": lambda: read("n_four_bar", {"n": 1}),
    "slider_crank": lambda: read("slider_crank"),
    "double_pendulum": lambda: read("double_pendulum"),
    "everything": everything,
    "top": top,
    "clashing": clashing,
}


def state(model: Model) -> Motion:
    """The kernels at a state that is nowhere zero by chance."""
    motion = Motion(plain_module(text_of(model, layout="loop")), TIME)
    rng = np.random.default_rng(3)
    motion.q = motion.q + rng.uniform(-0.2, 0.2, len(motion.q))
    motion.v = motion.v + rng.uniform(-1.0, 1.0, len(motion.v))
    return motion


class Reader:
    """Reads shown lines: names get numbers, and definitions are read before they are needed."""

    def __init__(self, lines: Iterable[EquationLine], known: dict[str, float]) -> None:
        self.lines = list(lines)
        self.known = dict(known)
        self.definitions = {
            line.text.partition(" = ")[0]: line.text.partition(" = ")[2]
            for line in self.lines
            if line.title in ("with", "numbers")
        }

    def value(self, text: str) -> float:
        names = set(re.findall(r"\b[A-Za-z_]\w*\b(?!\()", text))
        for name in sorted(names):
            if name not in self.known and name in self.definitions:
                self.known[name] = self.value(self.definitions[name])
        numbers = {name: sympy.Float(self.known[name], 17) for name in names}
        return float(sympy.sympify(text, locals=numbers))


def section(sections: list[EquationSection], title: str) -> EquationSection:
    (found,) = (s for s in sections if s.title == title)
    return found


def parameters(motion: Motion) -> dict[str, float]:
    return {**motion.system.parameters, "t": TIME}


@pytest.fixture(scope="module", params=MODELS)
def shown(request: pytest.FixtureRequest) -> tuple[Model, Motion, list[EquationSection]]:
    model = MODELS[request.param]()
    return model, state(model), equation_sections(model, specify(model), "sympy", (), True)


@pytest.mark.slow
def test_every_entry_is_that_of_the_kernels(
    shown: tuple[Model, Motion, list[EquationSection]],
) -> None:
    _, motion, sections = shown
    system = motion.system
    names = system.names
    constraints = system.data.constraint_rows
    dynamics = [k for k in range(system.n_q) if k not in set(constraints)]
    rows = [names.rows[k] for k in dynamics]
    motion_lines = section(sections, "Equations of motion and constraints").lines
    entries = section(sections, "Entries").lines
    q = entries[0].text.removeprefix("q = (").removesuffix(")").split(", ")
    lam = entries[1].text.removeprefix("lam = (").removesuffix(")").split(", ")
    lam = lam if lam != [""] else []
    known = parameters(motion) | dict(zip(q, motion.q, strict=True))
    known |= {f"{x}_dot": v for x, v in zip(q, motion.v, strict=True)}
    reader = Reader(motion_lines, known)
    places = {
        "M": (rows, q),
        "f": (rows, [""]),
        "G": (lam, rows),
        "H": ([names.rows[k] for k in constraints], q),
    }
    found = {x: np.zeros((len(a), len(b))) for x, (a, b) in places.items()}
    for line in entries:
        if match := re.fullmatch(r"([MfGH])\[(.*)\] = (.*)", line.text):
            letter, place, text = match.groups()
            row, _, column = place.rpartition(", ") if letter != "f" else (place, "", "")
            at = places[letter][0].index(row), places[letter][1].index(column)
            found[letter][at] = reader.value(text)
    dense = motion.dense((0, 0, 1))
    zero = np.zeros(system.n_q)
    residual = motion.residual(motion.v, zero, np.zeros(system.n_lam))
    wanted = {
        "M": dense[np.ix_(dynamics, range(system.n_q))],
        "f": -residual[dynamics][:, None],
        "G": -dense[dynamics, system.n_q :].T,
        "H": dense[np.ix_(constraints, range(system.n_q))],
    }
    assert len(dynamics) and np.abs(wanted["M"]).max() > 0
    for letter, values in wanted.items():
        np.testing.assert_allclose(found[letter], values, rtol=1e-12, atol=1e-12, err_msg=letter)


@pytest.mark.representatives(shown=["pendulum"])
def test_every_row_is_that_of_the_kernels(
    shown: tuple[Model, Motion, list[EquationSection]],
) -> None:
    """Left minus right of each shown equation is the residual, whatever accelerations and lam."""
    _, motion, sections = shown
    system = motion.system
    lines = section(sections, "Equations of motion and constraints").lines
    entries = section(sections, "Entries").lines
    q = entries[0].text.removeprefix("q = (").removesuffix(")").split(", ")
    names = entries[1].text.removeprefix("lam = (").removesuffix(")").split(", ")
    rng = np.random.default_rng(5)
    a, lam = rng.uniform(-1, 1, system.n_q), rng.uniform(-1, 1, system.n_lam)
    known = parameters(motion) | dict(zip(q, motion.q, strict=True))
    known |= {f"{x}_dot": v for x, v in zip(q, motion.v, strict=True)}
    known |= {f"{x}_ddot": v for x, v in zip(q, a, strict=True)}
    known |= dict(zip(names, lam, strict=False))
    reader = Reader(lines, known)
    residual = dict(zip(system.names.rows, motion.residual(motion.v, a, lam), strict=True))
    rows = [line for line in lines if line.title != "with"]
    assert {line.title for line in rows} == set(residual)
    for line in rows:
        left, _, right = line.text.partition(" = ")
        value = reader.value(left) - reader.value(right)
        assert value == pytest.approx(residual[line.title], rel=1e-11, abs=1e-11), line.title


def lonely(kind: str) -> Model:
    m = Model("lonely", gravity=(0.3, -9.81, 0.2))
    if kind == "point":
        m.point_mass("it", 1.5, position=(1, 2, 3))
    elif kind == "quaternion":
        m.body("it", 1.5, ((0.4, 0.02, 0.01), (0.02, 0.5, 0.03), (0.01, 0.03, 0.3)))
    else:
        m.body("it", 1.5, 0.4, coordinates=kind, position=(1, 2, 0))
    return m


@pytest.mark.parametrize("kind", ["point", "quaternion", "planar", "natural"])
def test_energies_and_terms_of_a_body_are_those_of_its_kernels(kind: str) -> None:
    model = lonely(kind)
    motion = state(model)
    system = motion.system
    lines = equation_sections(model, specify(model), "sympy", ("it",))[0].lines
    q = [name.partition(".")[2] for name in system.names.coordinates]
    rng = np.random.default_rng(2)
    a, lam = rng.uniform(-1, 1, system.n_q), np.zeros(system.n_lam)
    known = {"t": TIME}
    for tail, values in (("", motion.q), ("_dot", motion.v), ("_ddot", a)):
        known |= {f"{c}_a{tail}": x for c, x in zip(q, values, strict=True)}
    reader = Reader(lines, known)
    arguments = [TIME, motion.q, motion.v, a, lam, np.zeros(3)]
    energies = call(motion.module, "energies", arguments)
    texts = {line.text.partition(" = ")[0]: line.text.partition(" = ")[2] for line in lines}
    assert reader.value(texts["T"]) == pytest.approx(energies[0], rel=1e-12)
    assert reader.value(texts["V"]) == pytest.approx(energies[1], rel=1e-12)
    mass = motion.dense((0, 0, 1))
    forces = -motion.residual(motion.v, np.zeros(system.n_q), lam)
    residual = dict(zip(system.names.rows, motion.residual(motion.v, a, lam), strict=True))
    checked = 0
    for line in lines:
        left, _, right = line.text.partition(" = ")
        if match := re.fullmatch(r"M\[(\d+),(\d+)\]", left):
            i, j = map(int, match.groups())
            assert reader.value(right) == pytest.approx(mass[i, j], abs=1e-12)
        elif match := re.fullmatch(r"f\[(\d+)\]", left):
            assert reader.value(right) == pytest.approx(forces[int(match.group(1))], abs=1e-12)
        elif f"it: {line.title}" in residual:
            value = reader.value(left) - reader.value(right)
            assert value == pytest.approx(residual[f"it: {line.title}"], rel=1e-11, abs=1e-11)
            checked += 1
    assert checked == len([x for x in residual if "equation" not in x and "norm" not in x])


# --- LaTeX ----------------------------------------------------------------------------------------

KNOWN = set(
    "documentclass usepackage allowdisplaybreaks setcounter begin end section subsection tag quad "
    "frac sqrt left right cdot times dot ddot mathrm mathbf mathit boldsymbol partial lambda phi "
    "omega alpha beta gamma delta theta mu tau sin cos tan operatorname log exp".split()
)


def check_latex(text: str) -> None:
    """Braces, environments and brackets are closed in order, and all commands are known."""
    commands = set(re.findall(r"\\([A-Za-z]+)", text))
    assert commands <= KNOWN, commands - KNOWN
    opened: list[str] = []
    pieces = (
        r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|(\\left)(?![a-z])|(\\right)(?![a-z])|(?<!\\)([{}])"
    )
    for begin, end, left, right, brace in re.findall(pieces, text):
        if begin or left or brace == "{":
            opened.append(begin or left or brace)
        else:
            closing = {"\\right": "\\left", "}": "{"}.get(right or brace, end)
            assert opened.pop() == closing
    assert not opened


@pytest.mark.slow
@pytest.mark.parametrize("name", [*MODELS, "andrews", "bricard"])
def test_latex_is_a_document(name: str) -> None:
    model = MODELS[name]() if name in MODELS else read(name)
    text = equations_text(model, specify(model), "sympy", in_latex=True)
    check_latex(text)
    inside = re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", text, re.DOTALL)
    assert len(inside) >= 3
    for environment in inside:
        for row in re.sub(r"\\begin\{bmatrix\}.*?\\end\{bmatrix\}", "X", environment).split(
            "\\\\\n"
        ):
            assert row.count("&") == 1, row


@pytest.mark.slow
def test_formulas_are_set_by_matplotlib() -> None:
    """A second opinion on everything but matrices."""
    mathtext = pytest.importorskip("matplotlib.mathtext")
    parser = mathtext.MathTextParser("path")
    sections = equation_sections(everything(), specify(everything()), "sympy")
    formulas = [x.latex for s in sections for x in s.lines if x.latex and len(x.latex) < 200]
    chosen = [x for x in formulas if "bmatrix" not in x][::3]
    assert len(chosen) > 20
    for formula in chosen:
        parser.parse(f"${formula}$")


def test_sums_break_between_their_terms_only() -> None:
    term = r"\left(a + b\right) \left|\mathbf{r}_b - \mathbf{r}_a\right|^{2 + n}"
    rows = aligned_at_equals(f"V = {' + '.join([term] * 6)}")
    assert len(rows) > 1 and all(row.count("&") == 1 for row in rows)
    for row in rows:
        check_latex(row)
    joined = " ".join(row.replace(r"&\quad ", "") for row in rows)
    assert joined == f"V & = {' + '.join([term] * 6)}"


def test_large_models_are_shown_by_element() -> None:
    model = read("andrews")
    text = equations_text(model, specify(model), "sympy", assembled=True)
    assert "M_K1 a_K1 = f_K1 + f_motor + G_O,K1^T lam_O + G_F,K1^T lam_F" in text
    assert "More than 14 coordinates: entries by element only." in text
    assert "Entries" not in text


def test_text_is_the_same_each_time() -> None:
    model = everything()
    names = ("crank", "coil", "hinge")
    one, two = (equations_text(model, specify(model), "sympy", names) for _ in range(2))
    assert one == two
