"""Statement of an element in its symbols: the input of the derivation."""

from dataclasses import dataclass, field, replace
from typing import Any

from mbdgen.bodies.base import BodyKind
from mbdgen.forces.base import Force, FrameLoad, Push, Relation
from mbdgen.geometry.frames import BodySymbols, Frame, Load
from mbdgen.geometry.symbolic_vectors import AXES, Expr, Vec, stated_vector
from mbdgen.joints.base import Joint
from mbdgen.language.element import SectionQuantity
from mbdgen.returned import expression, expressions, is_expression, wrong
from mbdgen.symbolic.derive.virtual_work import added
from mbdgen.symbolic.statement.element_context import ElementContext
from mbdgen.topology.elements import gravity_column


@dataclass
class Statement:
    """Statement: contributions of an element, by local row.

    Attributes
    ----------
    inertia, applied : dict of row to expression
        ``M a`` with velocity-quadratic terms; applied forces.
    constraints : list of expression
        Position-level equations with multipliers; `intrinsic` for those of a body.
    velocities : list of expression
        Nonholonomic (velocity-level) equations with multipliers.
    norms : dict of row to expression
        Norm equations without multipliers.
    kinetic, potential, power : expression
        Energies, and power of non-potential forces.
    displacements, switched : list of expression
        Rates of a body's virtual displacements, if they are not rates of coordinates; and data for
        switching its orientation chart.
    centre : Frame or None
        Frame at the centre of mass of a body.
    outputs : list of expression
        Expressions of an output element.
    coordinates : list of expression
        Coordinates on which generalised forces act.
    quantities : list of Told
        Quantities at every quadrature point, if it is an integral.
    acts : list of relation
        Conditions for a force to act.
    conservative : bool
        Whether all rows are derivatives of the potential by coordinates, with symmetric
        derivatives.
    """

    inertia: dict[int, Expr] = field(default_factory=dict)
    applied: dict[int, Expr] = field(default_factory=dict)
    constraints: list[Expr] = field(default_factory=list)
    intrinsic: bool = False
    velocities: list[Expr] = field(default_factory=list)
    norms: dict[int, Expr] = field(default_factory=dict)
    kinetic: Expr = 0
    potential: Expr = 0
    power: Expr = 0
    displacements: list[Expr] = field(default_factory=list)
    switched: list[Expr] = field(default_factory=list)
    centre: Frame | None = None
    outputs: list[Expr] = field(default_factory=list)
    coordinates: list[Expr] = field(default_factory=list)
    quantities: list[SectionQuantity] = field(default_factory=list)
    acts: list[Relation] = field(default_factory=list)
    conservative: bool = False


def state(context: ElementContext) -> Statement:
    """Return the statement of the element of a context."""
    role = context.spec.role
    if role == "body":
        return _body(context)
    if role == "joint":
        return _joint(context)
    if role == "force":
        return _force(context)
    return Statement(outputs=[context.resolve(e) for e in context.spec.expressions])


def _body(context: ElementContext) -> Statement:
    (body,) = context.bodies
    kind: BodyKind = body.kind
    p = [body.parameter(name) for name in kind.parameters]
    weight = _weight(context, body, expression(kind, "mass", kind.mass(p)))
    point = stated_vector(kind, "centre_of_mass", kind.centre_of_mass(p))
    com = Frame("G", body, point, None, context.tape)
    heavy = com
    if kind.deformations:
        heavy = Frame("H", body, point + kind.shift(body, p), None, context.tape)
    load = Load(heavy.point, heavy.arm, weight, True)
    applied = context.work.generalised([(heavy, load)], [])
    elastic, power = _deformation(context, body, p, applied)
    n_u = len(kind.rows)
    constraints = expressions(kind, "constraints", kind.constraints(body, p))
    inertia = expressions(kind, "inertia", kind.inertia(body, p), n_u)
    norms = expressions(kind, "norms", kind.norms(body), len(body.q) - n_u)
    rates = kind.displacement_rates(body)
    expressions(kind, "displacement_rates", rates, n_u if rates else 0)
    return Statement(
        inertia=dict(enumerate(inertia)),
        applied=applied,
        constraints=constraints,
        intrinsic=bool(constraints),
        norms={n_u + k: e for k, e in enumerate(norms)},
        displacements=rates,
        switched=kind.switched(body),
        centre=com if kind.is_body else None,
        kinetic=expression(kind, "kinetic_energy", kind.kinetic_energy(body, p)),
        potential=elastic - weight.dot(heavy.r),
        power=power,
    )


def _deformation(
    context: ElementContext, body: BodySymbols, p: list[Expr], applied: dict[int, Expr]
) -> tuple[Expr, Expr]:
    """Add the forces of deformation to the rows; return their energy and the power of damping."""
    kind, tape = body.kind, context.tape
    energy = expression(kind, "strain_energy", kind.strain_energy(body, p))
    lost = expression(kind, "dissipation", kind.dissipation(body, p))
    power: Expr = 0
    for k in range(kind.deformations):
        damping = tape.derivative(lost, body.v[k])
        applied[k] = applied.get(k, 0) - tape.derivative(energy, body.q[k]) - damping
        power = power - damping * body.v[k]
    return energy, power


def _weight(context: ElementContext, body: BodySymbols, mass: Expr) -> Vec:
    gravity = (context.column(gravity_column(c)) * mass for c in AXES)
    return context.tape.vector(f"weight_{body.label}", gravity)


def _joint(context: ElementContext) -> Statement:
    part = context.spec.parts[0]
    joint: Joint = context.element(part)
    positions, velocities = context.joint_equations(joint, context.part_frames(part))
    return Statement(constraints=positions, velocities=velocities)


def _force(context: ElementContext) -> Statement:
    """Return the statement of a force: potential, dissipation and loads, as loads on frames."""
    part = context.spec.parts[0]
    force: Force = context.element(part)
    frames = context.part_frames(part)
    share = context.share()
    potential = expression(force, "potential", force.potential(*frames)) * share
    loads, direct = context.work.gradient(potential, -1), [context.work.by_numbers(potential, -1)]
    torques: list[tuple[Frame, Vec]] = []
    power: Expr = context.engine.convert(0)
    dissipation = context.engine.convert(
        expression(force, "dissipation", force.dissipation(*frames)) * share
    )
    pushes, turns = context.work.power_gradient(dissipation, frames, sign=-1)
    for frame, push in pushes:
        power = power + push.dot(frame.v)
        loads.append((frame, Load(frame.point, frame.arm, push, True)))
    for frame, turn in turns:
        power = power + turn.dot(frame.w)
        torques.append((frame, turn))
    stated = _loads(force, force.loads(*frames), share)
    for load in stated:
        if load.force is not None and load.frame.moves:
            _ = load.frame.r  # the frame's arm belongs to the load
            loads.append((load.frame, Load(load.frame.point, load.frame.arm, load.force, True)))
            power = power + (load.force.dot(load.frame.v) if load.works else 0)
        if load.torque is not None and load.frame.moves:
            torques.append((load.frame, load.torque))
            power = power + load.torque.dot(load.frame.w)
    pushed = _pushes(context, force, frames)
    for along in pushed:
        loads += context.work.gradient(along.coordinate, along.force)
        direct.append(context.work.by_numbers(along.coordinate, along.force))
        power = power + along.force * context.rate(along.coordinate)
    kinetic, inertia = _shared_inertia(context, force, frames)
    other = [*stated, *pushed, *(x for x in (dissipation, kinetic) if x != 0)]
    return Statement(
        inertia=inertia,
        applied=added(context.work.generalised(loads, torques), *direct),
        kinetic=kinetic,
        potential=potential,
        power=power,
        coordinates=[along.coordinate for along in pushed],
        quantities=list(force.section_quantities(*frames)) if force.distributed else [],
        acts=_relations(force, force.acts(*frames)),
        conservative=not other and all(body.kind.direct for body in context.bodies),
    )


def _relations(force: Force, stated: Any) -> list[Relation]:
    """Return the conditions for a force to act, or raise an error."""
    if not isinstance(stated, list | tuple) or any(
        is_expression(x) or isinstance(x, bool | str) for x in stated
    ):
        raise wrong(force, "acts", stated, "a list of relations, such as [depth > 0]")
    return list(stated)


def _pushes(context: ElementContext, force: Force, frames: list[Frame]) -> list[Push]:
    """Return generalised forces on coordinates, with named coordinate and force."""
    tape = context.tape
    stated = force.pushes(*frames, rate=context.rate)
    if not isinstance(stated, list | tuple) or not all(isinstance(x, Push) for x in stated):
        raise wrong(force, "pushes", stated, "a list of Push(coordinate, force)")
    named = []
    for push in stated:
        coordinate = expression(force, "coordinate of the pushes", push.coordinate)
        value = expression(force, "force of the pushes", push.force) * context.share()
        named.append(Push(tape.name("along", coordinate), tape.name("push", value)))
    return named


def _shared_inertia(
    context: ElementContext, force: Force, frames: list[Frame]
) -> tuple[Expr, dict[int, Expr]]:
    """Return a kinetic energy of several points, and the rates of its momenta by row."""
    kinetic = context.engine.convert(
        expression(force, "kinetic_energy", force.kinetic_energy(*frames))
    )
    if kinetic == 0:
        return kinetic, {}
    loads = []
    for frame in frames:
        if frame.moves and frame.velocity_used:
            momentum = Vec(*(context.work.partial(kinetic, c) for c in frame.v))
            rate = Vec(*(context.tape.rate(p, context.seeds) for p in momentum))
            _ = frame.r
            loads.append((frame, Load(frame.point, frame.arm, rate, True)))
    return kinetic, context.work.generalised(loads, [])


def _loads(force: Force, stated: Any, share: Expr) -> list[FrameLoad]:
    """Return the loads of a force law times a length, or raise an error."""
    whole = isinstance(stated, list | tuple) and all(isinstance(x, FrameLoad) for x in stated)
    if not whole or not all(isinstance(load.frame, Frame) for load in stated):
        raise wrong(force, "loads", stated, "a list of FrameLoad(frame, force=, torque=)")
    for load in stated:
        for name, value in (("force", load.force), ("torque", load.torque)):
            if value is not None:
                stated_vector(force, f"{name} of the loads", value)
    if share == 1:
        return list(stated)
    return [
        replace(
            load,
            force=None if load.force is None else load.force * share,
            torque=None if load.torque is None else load.torque * share,
        )
        for load in stated
    ]
