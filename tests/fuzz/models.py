"""Random models as Python text: mechanisms in odd units, and mistakes in some of them.

The text is what a user would write; a report prints it, and it runs by itself. A mechanism is sound
by its making (joints are closed where they are placed, numbers fit to the units of length, mass and
time that were drawn); then none, one or two of its values are replaced by hostile ones.
"""

from dataclasses import dataclass
from random import Random

from tests.fuzz import hostile
from tests.fuzz.loads import load
from tests.fuzz.mechanisms import SIMPLE, begin, bodies, tie
from tests.fuzz.writer import Writer

HEAD = """
from decimal import Decimal
from fractions import Fraction
import numpy as np
import sympy as sp
from mbdgen import Model, functions as f
"""
METHODS = (
    *("newmark",) * 6, *("rk4",) * 5, *("dopri5",) * 3, *("dop853",) * 3, "heun", "euler", "hht",
    "verlet", "generalized-alpha", "trapezoidal", "solve-ivp", "central-difference",
    "backward-euler", "bdf",
)  # fmt: skip
FORMULATIONS = (
    "index1",
    "index2",
    "index3",
    "baumgarte",
    "nullspace-qr",
    "projective",
    "penalty",
    "ggl",
)
OUTPUTS = (
    "{b}.at()", "{b}.at().velocity", "{b}.at().acceleration", "{b}.at().x**2", "{b}.at().x/{L}",
    "sp.sin({b}.at().y)", "sp.sqrt({b}.at().x**2 + {b}.at().y**2)", "{b}.origin.e1",
)  # fmt: skip
SINGULAR_OUTPUTS = (
    "sp.log({b}.at().x)", "1/({b}.at().x - {b}.at().x)", "sp.acos({b}.at().x)",
    "sp.sqrt({b}.at().y)", "1/{b}.at().vx", "{b}.at().x**{b}.at().y",
    "sp.exp(1e4*{b}.at().x**2 + 800)", "1/m.t",
)  # fmt: skip


@dataclass(frozen=True)
class Script:
    """A random model and what is to be done with it.

    Attributes
    ----------
    text : str
        Of the model, which is called ``m`` in it.
    load, run : dict of str
        Keywords of ``load`` and ``simulate``, as Python text.
    clean : bool
        Whether nothing hostile is in it.
    length, time : float
        Its units.
    """

    text: str
    load: dict[str, str]
    run: dict[str, str]
    clean: bool
    length: float
    time: float

    def __str__(self) -> str:
        keys = [", ".join(f"{k}={v}" for k, v in some.items()) for some in (self.load, self.run)]
        return (
            f"{self.text}\nfrom mbdgen import load, simulate\n"
            f"system = load(m, {keys[0]})\nresult = simulate(system, {keys[1]})\n"
        )


def outputs(w: Writer) -> None:
    for k, body in enumerate(w.kinds):
        w.add("output", f"o{k + 1}", f"{body}.at()")
    for k in range(w.random.choice((0, 0, 1, 2))):
        risky = w.random.random() < 0.2
        text = w.random.choice(SINGULAR_OUTPUTS if risky else OUTPUTS)
        body = w.random.choice([b for b, kind in w.kinds.items() if kind != "point"] or ["b1"])
        if "origin" in text and w.kinds[body] == "point":
            continue
        w.add("output", f"s{k + 1}", text.format(b=body, L=w.length))
    for joint, (kind, *_) in w.joints.items():
        if kind == "revolute" and w.random.random() < 0.4:
            w.add("output", f"a{joint}", f"{joint}.angle")
        elif kind in SIMPLE and w.random.random() < 0.2:
            w.add("output", f"a{joint}", f"{joint}.force")


def loading(w: Writer) -> dict[str, str]:
    given = {"backend": "'c'", "layout": repr(w.random.choice(("auto", "loop", "flat")))}
    if (draw := w.random.random()) < 0.05:
        given["reduced"] = "True"
    elif draw < 0.08:
        given["eliminate"] = "True"
    elif draw < 0.13:
        given["coordinates"] = repr(w.random.choice(("relative", "auto", "gibbs", "euler-zyx")))
    elif draw < 0.15:
        given["freeze"] = "['p1']"
    return given


def running(w: Writer) -> dict[str, str]:
    h = w.time * w.random.choice((1e-3, 1e-3, 1e-2, 1e-2, 3e-2, 0.1, 1.0))
    steps = w.random.choice((20, 50, 100, 100, 200))
    given = {
        "span": f"(0, {h * steps:.6g})",
        "h": f"{h:.6g}",
        "method": repr(w.random.choice(METHODS)),
    }
    if given["method"] == "'verlet'":
        pass
    elif (draw := w.random.random()) < 0.15:
        given["formulation"] = repr(w.random.choice(FORMULATIONS))
    elif draw < 0.2:
        given["projection"] = repr(
            w.random.choice(("none", "mass", "geometric", "mass-orthogonal"))
        )
    if given["method"] in ("'dopri5'", "'dop853'", "'solve-ivp'") and w.random.random() < 0.7:
        given["rtol"] = f"1e-{w.random.randint(3, 9)}"
        given["atol"] = f"{float(given['rtol']) * w.length:.3g}"
    if w.random.random() < 0.15:
        given["t_eval"] = f"np.linspace(0, {h * steps:.6g}, {w.random.choice((2, 7, 31))})"
    return given


def spoil(w: Writer, given: dict[str, str], run: dict[str, str]) -> None:
    """Replace one value by a hostile one: of an argument, a name, an option, or of the run."""
    draw = w.random.random()
    if draw < 0.12:
        key = w.random.choice(list(run))
        run[key] = (
            hostile.value(w.random) if w.random.random() < 0.7 else w.random.choice(hostile.WORDS)
        )
        if run[key] == "m.t":
            run[key] = "None"
        return
    if draw < 0.16:
        given[w.random.choice(("layout", "engine", "coordinates", "freeze"))] = w.random.choice(
            hostile.WORDS
        )
        return
    call = w.random.choice(w.calls)
    if draw < 0.28:
        call.arguments[0] = w.random.choice(hostile.NAMES)
    elif draw < 0.34:
        call.options[w.random.choice(("axis", "at", "mas", "radius", "fixed", "form", "unit"))] = (
            hostile.value(w.random)
        )
    elif call.options and draw < 0.85:
        call.options[w.random.choice(list(call.options))] = hostile.value(w.random)
    else:
        call.arguments[w.random.randrange(len(call.arguments))] = hostile.value(w.random)


def script(seed: int, number: int) -> Script:
    """Write the random model of a seed and a number."""
    random = Random(f"models {seed} {number}")
    w = Writer(random)
    begin(w)
    bodies(w)
    tie(w)
    for k in range(random.choice((0, 0, 1, 1, 2))):
        load(w, k)
    outputs(w)
    given, run = loading(w), running(w)
    mistakes = random.choice((0, 0, 0, 0, 0, 0, 1, 1, 1, 2))
    for _ in range(mistakes):
        spoil(w, given, run)
    text = HEAD + "\n".join(call.text for call in w.calls)
    return Script(text, given, run, mistakes == 0, w.length, w.time)
