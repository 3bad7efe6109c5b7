"""Forces of a random model, from weak to stiff for its units; some have singular places."""

from tests.fuzz.writer import Writer

FORCES = (
    "spring", "spring", "torsion_spring", "force", "force", "torque", "motor", "potential",
    "push", "stop", "bushing", "friction", "sphere_plane", "point_plane", "muscle",
    "sphere_sphere",
)  # fmt: skip


def load(w: Writer, k: int) -> None:
    bodies = list(w.kinds)
    b = w.random.choice(bodies)
    a = w.random.choice(["m.ground", *(x for x in bodies if x != b)])
    solid = w.kinds[b] != "point" and w.kinds.get(a) != "point"
    law, name = w.random.choice(FORCES), f"f{k + 1}"
    force = w.mass * w.length / w.time**2
    moment, stiffness = force * w.length, force / w.length
    stiff = 10.0 ** w.random.choice((0, 0, 1, 2, 4))
    damping = w.number(stiffness * w.time, 0, 0.3)
    contact = {"stiffness": w.number(stiffness * 100), "restitution": w.number(1, 0.1, 1)}
    sphere = {"radius": w.number(0.3 * w.length)}
    floor = (
        "m.ground.at(0, 0, 0, axis=(0, 1, 0))"
        if w.plane
        else "m.ground.at(0, 0, 0, axis=(0, 0, 1))"
    )
    if law == "spring":
        w.add(
            law,
            name,
            w.place(a),
            w.place(b),
            stiffness=w.number(stiffness * stiff),
            damping=damping,
        )
    elif law == "torsion_spring" and solid:
        size = w.number(moment * stiff)
        w.add(law, name, a, b, axis=w.axis(), stiffness=size)
    elif law == "force":
        pull = f"({w.wave(w.number(force))}, -{damping}*{b}.at().vy, 0)"
        w.add(law, name, w.place(b), force=pull)
    elif law == "torque" and solid:
        w.add(law, name, b, torque=f"(0, 0, {w.wave(w.number(moment))})")
    elif law == "motor" and solid:
        w.add(law, name, a, b, axis=w.axis(), torque=w.wave(w.number(moment)))
    elif law == "potential":
        x, y, size = f"{b}.at().x", f"{b}.at().y", w.number(force)
        energy = w.random.choice((
            f"{size}*{x}**2/{w.length}", f"-{size}*{w.length}**2/sp.sqrt({x}**2 + {y}**2)",
            f"{size}*sp.log({x}**2/{w.length}**2)*{w.length}", f"{size}*sp.sqrt({x})",
        ))  # fmt: skip
        w.add(law, name, energy=energy)
    elif law in ("push", "stop", "friction"):
        along(w, law, name, force, stiffness * stiff)
    elif law == "bushing" and solid:
        six = f"({', '.join([w.number(stiffness)] * 3 + [w.number(moment)] * 3)})"
        w.add(law, name, w.place(a), w.place(b), stiffness=six)
    elif law == "sphere_plane":
        w.add(law, name, f"{b}.at()", floor, **contact, **sphere)
    elif law == "point_plane":
        w.add(law, name, w.place(b), floor, **contact)
    elif law == "sphere_sphere" and a != "m.ground":
        radii = {"radius_a": sphere["radius"], "radius_b": sphere["radius"]}
        w.add(law, name, f"{a}.at()", f"{b}.at()", **contact, **radii)
    elif law == "muscle":
        w.add(law, name, w.place(a), w.place(b), strength=w.number(force))


def along(w: Writer, law: str, name: str, force: float, stiffness: float) -> None:
    able = [j for j, (kind, *_) in w.joints.items() if kind in ("revolute", "prismatic")]
    if not able:
        return
    joint = w.random.choice(able)
    turns = w.joints[joint][0] == "revolute"
    unit = w.length if turns else 1.0
    measure = f"{joint}.{'angle' if turns else 'displacement'}"
    if law == "push":
        w.add(law, name, along=measure, force=f"-{w.number(stiffness * unit**2)}*{measure}")
    elif law == "stop":
        reach = {"upper": w.number(1.0 if turns else w.length)}
        w.add(law, name, along=measure, **reach, stiffness=w.number(100 * force * unit))
    else:
        w.add(law, name, along=measure, load=w.number(force * unit), coefficient="0.2")
