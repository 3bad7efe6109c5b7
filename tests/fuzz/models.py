"""Random models as Python text: mechanisms in odd units, and mistakes in some of them.

The text is what a user would write; a report prints it, and it runs by itself. A mechanism is sound
by its making (joints are closed where they are placed, numbers fit to the units of length, mass and
time that were drawn); then none, one or two of its values are replaced by hostile ones.
"""

from dataclasses import dataclass, field
from math import sqrt
from random import Random

from tests.fuzz import hostile

HEAD = """
from decimal import Decimal
from fractions import Fraction
import numpy as np
import sympy as sp
from mbdgen import Model, functions as f
"""
SPATIAL = (
    "quaternion", "euler-zxz", "euler-xyz", "gibbs", "rotation-vector", "conformal",
    "reduced-euler-rodrigues", "direction-cosines", "natural-2p2v", "natural-1p3v",
)  # fmt: skip
PLANE = ("planar", "natural")
SIMPLE = ("revolute", "spherical", "prismatic", "cylindrical", "fixed", "distance")
MORE = (
    "universal", "planar", "common_point", "common_vector", "common_plane", "dot_product", "screw",
    "point_in_plane", "point_on_line", "constant_velocity", "bar_angle", "minimum_distance",
    "relative_angle", "knife_edge", "rolling_disc", "rolling_sphere", "relative_translation",
)  # fmt: skip
IN_PLANE = ("revolute", "prismatic", "fixed", "distance", "point_on_line", "revolute", "bar_angle")
DRIVERS = {
    "revolute": "rotation_driver",
    "cylindrical": "rotation_driver",
    "prismatic": "translation_driver",
}
FORCES = (
    "spring", "spring", "torsion_spring", "force", "force", "torque", "motor", "potential", "push", "stop",
    "bushing", "friction", "sphere_plane", "point_plane", "muscle", "sphere_sphere",
)  # fmt: skip
METHODS = (
    *("newmark",) * 6, *("rk4",) * 5, *("dopri5",) * 3, *("dop853",) * 3, "heun", "euler", "hht", "verlet",
    "generalized-alpha", "trapezoidal", "solve-ivp", "central-difference", "backward-euler", "bdf",
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
    "sp.log({b}.at().x)", "1/({b}.at().x - {b}.at().x)", "sp.acos({b}.at().x)", "sp.sqrt({b}.at().y)",
    "1/{b}.at().vx", "{b}.at().x**{b}.at().y", "sp.exp(1e4*{b}.at().x**2 + 800)", "1/m.t",
)  # fmt: skip
JUMPS = (
    "sp.Piecewise((0, m.t < {t}), (1, True))", "sp.Abs(m.t - {t})", "sp.floor(m.t/{t})", "sp.sign(m.t - {t})",
    "sp.sqrt({t} - m.t)", "1/({t} - m.t)", "sp.Heaviside(m.t - {t})", "sp.Piecewise((m.t, m.t < {t}), ({t}, True))",
    "sp.Max(0, m.t - {t})", "f.piecewise(f.polynomial(0), {t}, f.polynomial(1))(m.t)",
)  # fmt: skip


@dataclass
class Call:
    """One line of the text: ``name = function(arguments, key=value)``."""

    name: str
    function: str
    arguments: list[str]
    options: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        given = [*self.arguments, *(f"{key}={value}" for key, value in self.options.items())]
        return f"{self.name} = {self.function}({', '.join(given)})"


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


class Writer:
    """Writes one random model; all that it draws comes from one generator."""

    def __init__(self, random: Random) -> None:
        self.random = random
        usual = random.random() < 0.55
        self.length = 1.0 if usual else 10.0 ** random.choice((-9, -6, -3, -2, 2, 3, 6))
        self.mass = 1.0 if random.random() < 0.6 else 10.0 ** random.choice((-12, -9, -3, 3, 6))
        self.weight = random.choice((9.81, 9.81, 9.81, 0.0, 1.62, 1e-3, 1e4))
        self.time = sqrt(self.length / (self.weight or 10.0))
        self.plane = random.random() < 0.4
        self.calls: list[Call] = []
        self.kinds: dict[str, str] = {}
        self.joints: dict[str, tuple[str, str, str]] = {}

    # --- numbers --------------------------------------------------------------------------------

    def number(self, unit: float = 1.0, low: float = 0.2, high: float = 2.0) -> str:
        return f"{self.random.uniform(low, high) * unit:.4g}"

    def vector(self, unit: float = 1.0, plane: bool | None = None) -> str:
        flat = self.plane if plane is None else plane
        x, y, z = (f"{self.random.uniform(-1, 1) * unit:.4g}" for _ in range(3))
        return f"({x}, {y}, {'0.0' if flat else z})"

    def axis(self) -> str:
        if self.plane:
            return "(0, 0, 1)"
        return self.random.choice(("(0, 0, 1)", "(1, 0, 0)", "(0, 1, 0)", self.vector(1.0)))

    def wave(self, size: str) -> str:
        rate = f"{self.random.uniform(0.3, 3) / self.time:.4g}"
        return self.random.choice(
            (f"{size}*sp.sin({rate}*m.t)", f"{size}*sp.cos({rate}*m.t)**2", size)
        )

    # --- parts ----------------------------------------------------------------------------------

    def add(self, function: str, name: str, *arguments: str, **options: str) -> Call:
        made = Call(name, f"m.{function}", [repr(name), *arguments], options)
        self.calls.append(made)
        return made

    def model(self) -> None:
        down = f"(0, {-self.weight}, 0)" if self.plane else f"(0, 0, {-self.weight})"
        options = {"gravity": down}
        if not self.plane and self.random.random() < 0.12:
            options["coordinates"] = repr(self.random.choice((*SPATIAL, "relative", "auto")))
        self.calls.append(Call("m", "Model", ["'fuzzed'"], options))
        for k in range(self.random.choice((0, 0, 1, 2))):
            unit = self.random.choice((self.mass, self.length))
            self.add("parameter", f"p{k + 1}", self.number(unit))

    def bodies(self) -> None:
        kind = self.random.choice(PLANE if self.plane else (*SPATIAL[:1] * 6, *SPATIAL))
        for k in range(self.random.choice((1, 1, 2, 2, 2, 3, 4))):
            name = f"b{k + 1}"
            mass = self.number(self.mass)
            if self.random.random() < 0.12:
                self.kinds[name] = "point"
                self.add("point_mass", name, mass, position=self.vector(self.length))
                continue
            self.kinds[name] = kind
            unit = self.length * (1.0 if self.random.random() < 0.8 else 100.0)
            options = {"position": self.vector(unit)}
            inertia = self.mass * self.length**2
            if self.plane:
                moment = self.number(inertia)
                options |= {"coordinates": repr(kind), "angle": self.number(1.0, -4, 4)}
                if kind == "natural":
                    options["length"] = self.number(self.length)
            else:
                moment = f"({', '.join(self.number(inertia, 0.8, 1.3) for _ in range(3))})"
                if kind != "quaternion" and self.random.random() < 0.8:
                    options["coordinates"] = repr(kind)
                if self.random.random() < 0.5:
                    turn = [self.random.gauss(0, 1) for _ in range(4)]
                    size = sqrt(sum(x * x for x in turn))
                    options["orientation"] = repr(tuple(x / size for x in turn))
            if self.random.random() < 0.3:
                options["centre_of_mass"] = self.vector(0.3 * self.length)
            if self.random.random() < 0.4:
                options["velocity"] = self.vector(self.length / self.time)
            if self.random.random() < 0.4:
                rate = self.number(1 / self.time, -20, 20)
                options["angular_velocity"] = rate if self.plane else self.vector(5 / self.time)
            if self.random.random() < 0.15:
                options["radius"] = self.number(0.3 * self.length)
            self.add("body", name, mass, moment, **options)

    def tie(self) -> None:
        """Joints: mostly a tree, now and then loops that are redundant, locked or contradictory."""
        bodies = list(self.kinds)
        for k, body in enumerate(bodies):
            if self.random.random() < 0.8:
                self.joint(self.random.choice(["m.ground", *bodies[:k]]), body)
        if self.random.random() < 0.2:
            self.joint(*self.random.sample(["m.ground", *bodies], 2))
        if self.joints and self.random.random() < 0.06:  # the same one twice
            kind, a, b = self.joints[self.random.choice(list(self.joints))]
            self.joint(a, b, kind)

    def joint(self, a: str, b: str, kind: str = "") -> None:
        name = f"j{len(self.joints) + 1}"
        points = [x for x in (a, b) if self.kinds.get(x) == "point"]
        if points:
            kind = "distance"
        kinds = IN_PLANE if self.plane else (*SIMPLE * 3, *MORE)
        kind = kind or self.random.choice(kinds)
        options = {"at": self.vector(self.length), "axis": self.axis()}
        ends = [a, b]
        if kind in ("distance", "bar_angle", "minimum_distance"):
            ends = [x if x in points else self.place(x) for x in ends]
            options = {}
        elif kind in ("fixed", "spherical", "common_point"):
            del options["axis"]
        elif kind in ("universal", "dot_product"):
            options = {"at": options["at"], "axis_a": "(1, 0, 0)", "axis_b": "(0, 1, 0)"}
            if kind == "dot_product":
                del options["at"]
        elif kind in ("rolling_disc", "rolling_sphere"):
            options = {"radius": self.number(self.length)}
            ends = [f"m.ground.at({', '.join(['0'] * 3)}, axis=(0, 0, 1))", b]
        if kind == "prismatic" and self.plane:
            options["axis"] = self.vector()
        self.joints[name] = kind, a, b
        self.add(kind, name, *ends, **options)
        if kind in DRIVERS and self.random.random() < 0.2:
            self.driver(name, kind, a, b, options)

    def driver(self, joint: str, kind: str, a: str, b: str, options: dict[str, str]) -> None:
        axis = {"axis": options["axis"]}
        if self.random.random() < 0.25:
            motion = self.random.choice(JUMPS).format(
                t=f"{self.random.uniform(0.5, 9) * self.time:.3g}"
            )
        else:
            motion = f"{self.random.uniform(-3, 3) / self.time:.3g}*m.t"
        if kind == "prismatic":
            self.add(
                "translation_driver",
                f"d{joint[1:]}",
                a,
                b,
                **options,
                distance=f"{self.length}*({motion})",
            )
        else:
            self.add("rotation_driver", f"d{joint[1:]}", a, b, **axis, angle=motion)

    def place(self, body: str, **axes: str) -> str:
        if self.kinds.get(body) == "point":
            return f"{body}.at()"
        x, y, z = self.vector(0.5 * self.length).strip("()").split(", ")
        more = "".join(f", {key}={value}" for key, value in axes.items())
        return f"{body}.at({x}, {y}{'' if self.plane else ', ' + z}{more})"

    def load(self, k: int) -> None:
        bodies = list(self.kinds)
        b = self.random.choice(bodies)
        a = self.random.choice(["m.ground", *(x for x in bodies if x != b)])
        solid = self.kinds[b] != "point" and self.kinds.get(a) != "point"
        law, name = self.random.choice(FORCES), f"f{k + 1}"
        force = self.mass * self.length / self.time**2
        moment, stiffness = force * self.length, force / self.length
        stiff = 10.0 ** self.random.choice((0, 0, 1, 2, 4))
        damping = self.number(stiffness * self.time, 0, 0.3)
        contact = {"stiffness": self.number(stiffness * 100), "restitution": self.number(1, 0.1, 1)}
        sphere = {"radius": self.number(0.3 * self.length)}
        floor = (
            "m.ground.at(0, 0, 0, axis=(0, 1, 0))"
            if self.plane
            else "m.ground.at(0, 0, 0, axis=(0, 0, 1))"
        )
        if law == "spring":
            self.add(
                law,
                name,
                self.place(a),
                self.place(b),
                stiffness=self.number(stiffness * stiff),
                damping=damping,
            )
        elif law == "torsion_spring" and solid:
            size = self.number(moment * stiff)
            self.add(law, name, a, b, axis=self.axis(), stiffness=size)
        elif law == "force":
            pull = f"({self.wave(self.number(force))}, -{damping}*{b}.at().vy, 0)"
            self.add(law, name, self.place(b), force=pull)
        elif law == "torque" and solid:
            self.add(law, name, b, torque=f"(0, 0, {self.wave(self.number(moment))})")
        elif law == "motor" and solid:
            self.add(law, name, a, b, axis=self.axis(), torque=self.wave(self.number(moment)))
        elif law == "potential":
            x, y, size = f"{b}.at().x", f"{b}.at().y", self.number(force)
            energy = self.random.choice((
                f"{size}*{x}**2/{self.length}", f"-{size}*{self.length}**2/sp.sqrt({x}**2 + {y}**2)",
                f"{size}*sp.log({x}**2/{self.length}**2)*{self.length}", f"{size}*sp.sqrt({x})",
            ))  # fmt: skip
            self.add(law, name, energy=energy)
        elif law in ("push", "stop", "friction"):
            self.along(law, name, force, stiffness * stiff)
        elif law == "bushing" and solid:
            six = f"({', '.join([self.number(stiffness)] * 3 + [self.number(moment)] * 3)})"
            self.add(law, name, self.place(a), self.place(b), stiffness=six)
        elif law == "sphere_plane":
            self.add(law, name, f"{b}.at()", floor, **contact, **sphere)
        elif law == "point_plane":
            self.add(law, name, self.place(b), floor, **contact)
        elif law == "sphere_sphere" and a != "m.ground":
            radii = {"radius_a": sphere["radius"], "radius_b": sphere["radius"]}
            self.add(law, name, f"{a}.at()", f"{b}.at()", **contact, **radii)
        elif law == "muscle":
            self.add(law, name, self.place(a), self.place(b), strength=self.number(force))

    def along(self, law: str, name: str, force: float, stiffness: float) -> None:
        able = [j for j, (kind, *_) in self.joints.items() if kind in ("revolute", "prismatic")]
        if not able:
            return
        joint = self.random.choice(able)
        turns = self.joints[joint][0] == "revolute"
        unit = self.length if turns else 1.0
        measure = f"{joint}.{'angle' if turns else 'displacement'}"
        if law == "push":
            self.add(law, name, along=measure, force=f"-{self.number(stiffness * unit**2)}*{measure}")
        elif law == "stop":
            reach = {"upper": self.number(1.0 if turns else self.length)}
            self.add(law, name, along=measure, **reach, stiffness=self.number(100 * force * unit))
        else:
            self.add(law, name, along=measure, load=self.number(force * unit), coefficient="0.2")

    def outputs(self) -> None:
        for k, body in enumerate(self.kinds):
            self.add("output", f"o{k + 1}", f"{body}.at()")
        for k in range(self.random.choice((0, 0, 1, 2))):
            risky = self.random.random() < 0.2
            text = self.random.choice(SINGULAR_OUTPUTS if risky else OUTPUTS)
            body = self.random.choice(
                [b for b, kind in self.kinds.items() if kind != "point"] or ["b1"]
            )
            if "origin" in text and self.kinds[body] == "point":
                continue
            self.add("output", f"s{k + 1}", text.format(b=body, L=self.length))
        for joint, (kind, *_) in self.joints.items():
            if kind == "revolute" and self.random.random() < 0.4:
                self.add("output", f"a{joint}", f"{joint}.angle")
            elif kind in SIMPLE and self.random.random() < 0.2:
                self.add("output", f"a{joint}", f"{joint}.force")

    # --- what is done with it -------------------------------------------------------------------

    def loading(self) -> dict[str, str]:
        given = {"backend": "'c'", "layout": repr(self.random.choice(("auto", "loop", "flat")))}
        if (draw := self.random.random()) < 0.05:
            given["reduced"] = "True"
        elif draw < 0.08:
            given["eliminate"] = "True"
        elif draw < 0.13:
            given["coordinates"] = repr(
                self.random.choice(("relative", "auto", "gibbs", "euler-zyx"))
            )
        elif draw < 0.15:
            given["freeze"] = "['p1']"
        return given

    def running(self) -> dict[str, str]:
        h = self.time * self.random.choice((1e-3, 1e-3, 1e-2, 1e-2, 3e-2, 0.1, 1.0))
        steps = self.random.choice((20, 50, 100, 100, 200))
        given = {
            "span": f"(0, {h * steps:.6g})",
            "h": f"{h:.6g}",
            "method": repr(self.random.choice(METHODS)),
        }
        if given["method"] == "'verlet'":
            pass
        elif (draw := self.random.random()) < 0.15:
            given["formulation"] = repr(self.random.choice(FORMULATIONS))
        elif draw < 0.2:
            given["projection"] = repr(
                self.random.choice(("none", "mass", "geometric", "mass-orthogonal"))
            )
        if (
            given["method"] in ("'dopri5'", "'dop853'", "'solve-ivp'")
            and self.random.random() < 0.7
        ):
            given["rtol"] = f"1e-{self.random.randint(3, 9)}"
            given["atol"] = f"{float(given['rtol']) * self.length:.3g}"
        if self.random.random() < 0.15:
            given["t_eval"] = f"np.linspace(0, {h * steps:.6g}, {self.random.choice((2, 7, 31))})"
        return given

    def spoil(self, load: dict[str, str], run: dict[str, str]) -> None:
        """Replace one value by a hostile one: of an argument, a name, an option, or of the run."""
        draw = self.random.random()
        if draw < 0.12:
            key = self.random.choice(list(run))
            run[key] = (
                hostile.value(self.random)
                if self.random.random() < 0.7
                else self.random.choice(hostile.WORDS)
            )
            if run[key] == "m.t":
                run[key] = "None"
            return
        if draw < 0.16:
            load[self.random.choice(("layout", "engine", "coordinates", "freeze"))] = (
                self.random.choice(hostile.WORDS)
            )
            return
        call = self.random.choice(self.calls)
        if draw < 0.28:
            call.arguments[0] = self.random.choice(hostile.NAMES)
        elif draw < 0.34:
            call.options[
                self.random.choice(("axis", "at", "mas", "radius", "fixed", "form", "unit"))
            ] = hostile.value(self.random)
        elif call.options and draw < 0.85:
            call.options[self.random.choice(list(call.options))] = hostile.value(self.random)
        else:
            call.arguments[self.random.randrange(len(call.arguments))] = hostile.value(self.random)


def script(seed: int, number: int) -> Script:
    """Write the random model of a seed and a number."""
    random = Random(f"models {seed} {number}")
    w = Writer(random)
    w.model()
    w.bodies()
    w.tie()
    for k in range(random.choice((0, 0, 1, 1, 2))):
        w.load(k)
    w.outputs()
    load, run = w.loading(), w.running()
    mistakes = random.choice((0, 0, 0, 0, 0, 0, 1, 1, 1, 2))
    for _ in range(mistakes):
        w.spoil(load, run)
    text = HEAD + "\n".join(call.text for call in w.calls)
    return Script(text, load, run, mistakes == 0, w.length, w.time)
