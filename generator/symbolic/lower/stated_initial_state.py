"""Initial conditions stated for bodies, in systems with other coordinates than theirs."""

from collections.abc import Iterable
from dataclasses import dataclass

from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import initial_of
from mbdgen.language.bodies.held_coordinates import ANGULAR_VELOCITY, VELOCITY, orientation_of
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.model import Model
from mbdgen.symbolic.ir.system_ir import StatedIR
from mbdgen.symbolic.lower.numbering import Numbering

Numbers = list[tuple[str, Scalar]]


@dataclass(frozen=True)
class StatedPlace:
    """Body with its indices: among moving bodies, and of its coordinates."""

    body: Body
    number: int
    coordinates: list[int]


def places(model: Model, numbering: Numbering) -> dict[str, StatedPlace]:
    """Return the indices of all bodies with a position, by name."""
    moving = [b for b in model.bodies.values() if b.kind is not None and b.kind.is_body]
    return {b.name: StatedPlace(b, k, list(numbering.coordinates(b))) for k, b in enumerate(moving)}


def stated_words(model: Model, numbering: Numbering) -> StatedIR:
    """Return fixed initial values of bodies whose coordinates are not those of the system."""
    pairs: list[tuple[int, int]] = []
    for place in places(model, numbering).values():
        pairs += _twists(place, place.body.fixed_velocity)
    return StatedIR(twists=tuple(pairs))


def stated_of(
    model: Model, numbering: Numbering, given: Iterable[str], first: int
) -> tuple[StatedIR, Numbers]:
    """Return the stated initial data of some bodies, and their values, appended to ``p``.

    Parameters
    ----------
    given : names
        Bodies whose coordinates follow from those of the system.
    first : int
        Index of the first of these values.
    """
    chosen, known = set(given), places(model, numbering)
    coordinates: list[tuple[int, int, int]] = []
    inertias: list[tuple[int, int]] = []
    held: list[int] = []
    held_velocity: list[int] = []
    pairs: list[tuple[int, int]] = []
    numbers: Numbers = []
    for body in model.bodies.values():
        if body.name not in chosen or body.kind is None:
            continue
        at, names = list(numbering.coordinates(body)), body.kind.coordinates
        held += [k for k, c in zip(at, names, strict=True) if c in body.fixed]
        rates, turning = set(body.fixed_velocity), orientation_of(body.kind)
        place = known.get(body.name)
        if place is not None:
            if turning and turning <= rates:
                rates = (rates - turning) | {ANGULAR_VELOCITY}
            pairs += _twists(place, rates)
        held_velocity += [k for k, c in zip(at, names, strict=True) if c in rates]
        if place is None or body.kind.flexible:
            continue
        q, v = initial_of(body.kind, body.motion)
        here, size = first + len(numbers), len(at)
        coordinates += [(k, here + j, here + size + j) for j, k in enumerate(at)]
        numbers += [(f"{body.name}: stated {c}", x) for c, x in zip(names, q, strict=True)]
        numbers += [(f"{body.name}: stated {c}.dot", x) for c, x in zip(names, v, strict=True)]
        inertias.append((place.number, first + len(numbers)))
        entries = [x for row in body.motion.inertia for x in row]
        numbers.append((f"{body.name}: mass", body.motion.mass))
        numbers += [(f"{body.name}: inertia {k}", x) for k, x in enumerate(entries)]
    found = StatedIR(
        tuple(coordinates),
        tuple(inertias),
        tuple(dict.fromkeys(held)),
        tuple(dict.fromkeys(held_velocity)),
        tuple(pairs),
    )
    return found, numbers


def _twists(place: StatedPlace, words: Iterable[str]) -> list[tuple[int, int]]:
    kinds = (VELOCITY, ANGULAR_VELOCITY)
    return [(place.number, k) for k, word in enumerate(kinds) if word in set(words)]
