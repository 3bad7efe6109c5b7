"""Generated code is meant to be read: names, headings and comments that say what things are."""

import re

import pytest

from mbdgen.emit.module_header import placed
from mbdgen.emit.printer import Printer
from mbdgen.emit.python_printer import PythonPrinter
from mbdgen.emit.schedule import schedule
from mbdgen.language.read import read
from mbdgen.symbolic.ir.graph import GraphBuilder
from tests.unit.compiler.printed import text_of


def printed(roots: list[int], b: GraphBuilder, results: tuple[str, ...] = ()) -> str:
    code = schedule(b.finish(), roots, PythonPrinter(), results)
    return "\n".join([*(f"{n} = {e}" for n, e in code.assignments), *code.results])


def test_multiples_squares_and_products_name_themselves() -> None:
    b = GraphBuilder()
    x, y = b.input("q0"), b.input("q1")
    twice = b.mul(b.const(2.0), x)
    both, square = b.mul(twice, y), b.mul(x, x)
    text = printed([both, b.neg(both), square, b.neg(square), b.add(twice, y)], b)
    assert "two_q0 = 2.0*q0" in text
    assert "two_q0_q1 = q1*two_q0" in text
    assert "q0_squared = q0*q0" in text


def test_what_belongs_to_a_named_result_says_so() -> None:
    b = GraphBuilder()
    x, y = b.input("x"), b.input("y")
    inner = b.add(b.mul(x, y), b.call("sin", x))
    whole = b.add(inner, b.mul(inner, inner))
    b.label(whole, "moment_x")
    text = printed([whole, b.neg(whole)], b)
    assert "moment_x_part = x*y + math.sin(x)" in text.replace("x_ ", "x ")
    assert "moment_x = " in text


def test_a_result_that_needs_a_line_has_the_name_of_its_row() -> None:
    b = GraphBuilder()
    root = b.call("sin", b.input("y"))
    text = printed([root, b.neg(root)], b, ("rod_moment_1", ""))
    assert text.startswith("rod_moment_1 = math.sin(y)")


@pytest.mark.parametrize(
    ("make", "written"),
    [
        (lambda b, x, y: b.sub(x, b.const(-2.0)), "x + 2.0"),
        (lambda b, x, y: b.add(b.const(-2.0), x), "x - 2.0"),
        (lambda b, x, y: b.mul(x, b.const(2.0)), "2.0*x"),
        (lambda b, x, y: b.add(x, b.sub(y, b.const(1.0))), "y - 1.0 + x"),
        (lambda b, x, y: b.sub(x, b.add(y, b.const(1.0))), "x - (1.0 + y)"),
    ],
)
def test_sums_and_products_are_written_as_people_do(make, written: str) -> None:
    b = GraphBuilder()
    root = make(b, b.input("x"), b.input("y"))
    allowed = {written, written.replace("1.0 + y", "y + 1.0")}
    assert schedule(b.finish(), [root], PythonPrinter()).results[0] in allowed


def test_numbers_keep_their_bits() -> None:
    assert Printer().number(-0.1).opposite.text == "0.1"


def test_flat_code_of_the_pendulum_reads_like_its_equations() -> None:
    text = text_of(read("pendulum"), layout="flat")
    for line in (
        "    # revolute 'pin'",
        "    rod_R_1_y = two_rod_q0_rod_q3 + two_rod_q1_rod_q2",
        "    pin_arm_b_y = pin_s_b_x*rod_R_1_y",
        "    out[0] = rod_x_ddot*rod_m - lam_pin_0  # rod: force x",
        "    out[7] = rod_x + pin_arm_b_x  # pin: equation 0",
        "    out[42] = -1.0  # rod: force x by pin[0]",
        '    "L": 1.0,  # m',
        "        L,  # pin: s_b_x",
        "    M(q) a = f(t, q, v) + G(q)^T lam,    phi(t, q) = 0,    H = dphi/dq",
    ):
        assert line in text.split("\n"), line
    assert not re.search(r"out\[\d+\] = 0\.0$", text, re.MULTILINE)


def test_loops_say_for_what_they_are() -> None:
    text = text_of(read("andrews"), layout="loop")
    for part in (
        "Add -G^T lam to the rows of its bodies, phi to its own.",
        "Here: revolute O, B, A5, A7.",
        "s_b_x = p[j + 2]  # point of frame b in its body [m]",
        "  # b: moment z by theta_b",
        "# planar_body: m_a [kg], I_a [kg m^2], g_x [m/s^2], g_y [m/s^2]",
        "0.04325, 2.194e-06, 0.0, 0.0,  # K1",
    ):
        assert part in text, part


def test_a_unit_cannot_end_a_comment() -> None:
    from mbdgen import Model

    model = Model("units")
    mass = model.parameter("mass", 1.0, unit='*/ """ \\\n x')
    ball = model.point_mass("ball", mass)
    model.output("height", ball.at().z, unit='*/ """ \\\n x')
    compile(text_of(model), "units.py", "exec")


def test_many_coordinates_of_a_body_take_several_lines() -> None:
    names = [f"{v}{end}_{c}" for end in (1, 2) for v in ("r", "rx", "ry", "rz") for c in "xyz"]
    lines = placed(24, "coupler_1", names)
    assert lines[0].startswith("  24.. coupler_1: r1_x, r1_y, ") and len(lines) == 3
    assert all(line.startswith(" " * 17) and len(line) <= 93 for line in lines[1:])
    assert ", ".join(names) in " ".join(line.strip() for line in lines)
