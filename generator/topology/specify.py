"""Structural analysis of a model: its elements with their structure and data."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

from mbdgen.errors import ModelError
from mbdgen.geometry.symbolic_vectors import AXES
from mbdgen.language.attached import Attached
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.crowd import Crowd
from mbdgen.language.model import Model
from mbdgen.language.output import Output
from mbdgen.topology.collect import Collector
from mbdgen.topology.elements import ElementSpec, gravity_column
from mbdgen.topology.planar_frames import check_loads, warn_of_gravity

T = TypeVar("T", Attached, Output)


def specify(model: Model) -> list[ElementSpec]:
    """Return the elements of a model: bodies, joints and forces, and outputs, in model order."""
    if not model.bodies:
        raise ModelError(f"Model '{model.name}' has no bodies.", "Add one with model.body(...).")
    warn_of_gravity(model)
    check_loads(model)
    bodies = [spec for b in model.bodies.values() for spec in _bodies(model, b)]
    attached = [s for e in model.attached.values() for s in _everywhere(_attached, model, e)]
    outputs = [s for o in model.outputs.values() for s in _everywhere(_output, model, o)]
    _check_held(model, attached)
    crowds = [e for crowd in model.crowds.values() for e in _crowd(model, crowd)]
    return bodies + attached + crowds + outputs


def _check_held(model: Model, attached: Sequence[ElementSpec]) -> None:
    """Reject moving points along a path that no joint or force uses: they would be undetermined."""
    held = {b for spec in attached for b in spec.bodies}
    for name, path in model.paths.items():
        if path.number not in held:
            raise ModelError(
                f"Nothing is attached at the point '{name}', which moves along a path.",
                "Let a joint have it as one of its ends, or leave it out.",
            )


def _everywhere(
    specified: Callable[[Collector, T], ElementSpec], model: Model, what: T
) -> Iterator[ElementSpec]:
    """Yield an element for every piece of the paths that its frames move along."""
    first = Collector(model)
    yield _shallow(specified, first, what)
    counts = {name: len(path.pieces) for name, path in first.paths.items()}
    for chosen in product(*map(range, counts.values())):
        if any(chosen):
            pieces = dict(zip(counts, chosen, strict=True))
            yield specified(Collector(model, pieces), what)


def _shallow(
    specified: Callable[[Collector, T], ElementSpec], collector: Collector, what: T
) -> ElementSpec:
    """Raise a model error if an expression is nested too deeply for SymPy's recursion."""
    try:
        return specified(collector, what)
    except RecursionError as error:
        raise ModelError(
            f"'{what.name}' has an expression that is nested too deeply.",
            "Write it with fewer levels.",
        ) from error


def _body(model: Model, body: Body) -> ElementSpec:
    c = Collector(model)
    c.body(body, "a")
    c.columns |= {gravity_column(x): g for x, g in zip(AXES, model.gravity, strict=True)}
    assert body.kind is not None
    return c.finish(body.name, "body", f"{body.kind.name} body", ())


def _bodies(model: Model, body: Body) -> Iterator[ElementSpec]:
    """Yield the element of a body, and those that it states per unit length."""
    yield _body(model, body)
    assert body.kind is not None
    for element in body.kind.integrals():
        c = Collector(model)
        c.part(Attached(model, body.name, element, (body.origin,)), main=True)
        yield c.finish(f"{body.name}_{element.name}", element.role, element.name, ())


def _attached(c: Collector, attached: Attached) -> ElementSpec:
    what = f"{attached.element.name} '{attached.name}'"
    attached.element.check_complete(what, *attached.markers)
    c.part(attached, main=True)
    if not c.bodies:
        raise ModelError(
            f"{attached.element.name} '{attached.name}' acts on no body.",
            "Write its expression with placeholders such as body.at(0, 0, 0).x.",
        )
    return c.finish(attached.name, attached.element.role, attached.element.name, ())


def _crowd(model: Model, crowd: Crowd) -> Iterator[ElementSpec]:
    """Yield the contact laws of many contacts, one for each pair of kinds of members."""
    for k, table in enumerate(crowd.tables):
        first = None
        for kinds, law in table.laws:
            spec = _shallow(_attached, Collector(model), law)
            first = first or spec
            if spec.key != first.key:
                names = " and ".join(f"'{b.name}'" for b in (*first.bodies, *spec.bodies))
                raise ModelError(
                    f"The members {names} of contacts '{crowd.name}' have different coordinates.",
                    "Give all members the same.",
                )
            name = "_".join(map(str, (crowd.name, k, *kinds)))
            yield replace(spec, name=name, crowd=(crowd.name, k))


def _output(c: Collector, output: Output) -> ElementSpec:
    where = f"output '{output.name}'"
    expressions = [c.localise(e, where) for _, e in output.components]
    return c.finish(output.name, "output", "output", expressions)
