"""Bodies and joints of a random model: closed where they are placed, some redundant or locked."""

from math import sqrt

from tests.fuzz.writer import Call, Writer

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
JUMPS = (
    "sp.Piecewise((0, m.t < {t}), (1, True))", "sp.Abs(m.t - {t})", "sp.floor(m.t/{t})",
    "sp.sign(m.t - {t})", "sp.sqrt({t} - m.t)", "1/({t} - m.t)", "sp.Heaviside(m.t - {t})",
    "sp.Piecewise((m.t, m.t < {t}), ({t}, True))", "sp.Max(0, m.t - {t})",
    "f.piecewise(f.polynomial(0), {t}, f.polynomial(1))(m.t)",
)  # fmt: skip


def begin(w: Writer) -> None:
    down = f"(0, {-w.weight}, 0)" if w.plane else f"(0, 0, {-w.weight})"
    options = {"gravity": down}
    if not w.plane and w.random.random() < 0.12:
        options["coordinates"] = repr(w.random.choice((*SPATIAL, "relative", "auto")))
    w.calls.append(Call("m", "Model", ["'fuzzed'"], options))
    for k in range(w.random.choice((0, 0, 1, 2))):
        unit = w.random.choice((w.mass, w.length))
        w.add("parameter", f"p{k + 1}", w.number(unit))


def bodies(w: Writer) -> None:
    kind = w.random.choice(PLANE if w.plane else (*SPATIAL[:1] * 6, *SPATIAL))
    for k in range(w.random.choice((1, 1, 2, 2, 2, 3, 4))):
        name = f"b{k + 1}"
        mass = w.number(w.mass)
        if w.random.random() < 0.12:
            w.kinds[name] = "point"
            w.add("point_mass", name, mass, position=w.vector(w.length))
            continue
        w.kinds[name] = kind
        unit = w.length * (1.0 if w.random.random() < 0.8 else 100.0)
        options = {"position": w.vector(unit)}
        inertia = w.mass * w.length**2
        if w.plane:
            moment = w.number(inertia)
            options |= {"coordinates": repr(kind), "angle": w.number(1.0, -4, 4)}
            if kind == "natural":
                options["length"] = w.number(w.length)
        else:
            moment = f"({', '.join(w.number(inertia, 0.8, 1.3) for _ in range(3))})"
            if kind != "quaternion" and w.random.random() < 0.8:
                options["coordinates"] = repr(kind)
            if w.random.random() < 0.5:
                turn = [w.random.gauss(0, 1) for _ in range(4)]
                size = sqrt(sum(x * x for x in turn))
                options["orientation"] = repr(tuple(x / size for x in turn))
        if w.random.random() < 0.3:
            options["centre_of_mass"] = w.vector(0.3 * w.length)
        if w.random.random() < 0.4:
            options["velocity"] = w.vector(w.length / w.time)
        if w.random.random() < 0.4:
            rate = w.number(1 / w.time, -20, 20)
            options["angular_velocity"] = rate if w.plane else w.vector(5 / w.time)
        if w.random.random() < 0.15:
            options["radius"] = w.number(0.3 * w.length)
        w.add("body", name, mass, moment, **options)


def tie(w: Writer) -> None:
    """Joints: mostly a tree, now and then loops that are redundant, locked or contradictory."""
    bodies = list(w.kinds)
    for k, body in enumerate(bodies):
        if w.random.random() < 0.8:
            joint(w, w.random.choice(["m.ground", *bodies[:k]]), body)
    if w.random.random() < 0.2:
        joint(w, *w.random.sample(["m.ground", *bodies], 2))
    if w.joints and w.random.random() < 0.06:  # the same one twice
        kind, a, b = w.joints[w.random.choice(list(w.joints))]
        joint(w, a, b, kind)


def joint(w: Writer, a: str, b: str, kind: str = "") -> None:
    name = f"j{len(w.joints) + 1}"
    points = [x for x in (a, b) if w.kinds.get(x) == "point"]
    if points:
        kind = "distance"
    kinds = IN_PLANE if w.plane else (*SIMPLE * 3, *MORE)
    kind = kind or w.random.choice(kinds)
    options = {"at": w.vector(w.length), "axis": w.axis()}
    ends = [a, b]
    if kind in ("distance", "bar_angle", "minimum_distance"):
        ends = [x if x in points else w.place(x) for x in ends]
        options = {}
    elif kind in ("fixed", "spherical", "common_point"):
        del options["axis"]
    elif kind in ("universal", "dot_product"):
        options = {"at": options["at"], "axis_a": "(1, 0, 0)", "axis_b": "(0, 1, 0)"}
        if kind == "dot_product":
            del options["at"]
    elif kind in ("rolling_disc", "rolling_sphere"):
        options = {"radius": w.number(w.length)}
        ends = [f"m.ground.at({', '.join(['0'] * 3)}, axis=(0, 0, 1))", b]
    if kind == "prismatic" and w.plane:
        options["axis"] = w.vector()
    w.joints[name] = kind, a, b
    w.add(kind, name, *ends, **options)
    if kind in DRIVERS and w.random.random() < 0.2:
        driver(w, name, kind, a, b, options)


def driver(w: Writer, joint: str, kind: str, a: str, b: str, options: dict[str, str]) -> None:
    axis = {"axis": options["axis"]}
    if w.random.random() < 0.25:
        motion = w.random.choice(JUMPS).format(t=f"{w.random.uniform(0.5, 9) * w.time:.3g}")
    else:
        motion = f"{w.random.uniform(-3, 3) / w.time:.3g}*m.t"
    if kind == "prismatic":
        w.add(
            "translation_driver",
            f"d{joint[1:]}",
            a,
            b,
            **options,
            distance=f"{w.length}*({motion})",
        )
    else:
        w.add("rotation_driver", f"d{joint[1:]}", a, b, **axis, angle=motion)
