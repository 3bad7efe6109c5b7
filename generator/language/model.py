"""The model: a description of a mechanism. It holds data and does no algebra.

`Model` is long because every method is a word of the model language, with what users read of it;
what a word does stands in a file of its own.
"""

from collections import ChainMap
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import BuildError, ModelError, UnknownNameError, meant
from mbdgen.language.along import spread
from mbdgen.language.attach import attach
from mbdgen.language.attached import Attached
from mbdgen.language.beam import Beam, beam, joints_of
from mbdgen.language.body import Body
from mbdgen.language.bounds import Bound
from mbdgen.language.crowd import Crowd, crowd
from mbdgen.language.describe import describe, known_kind, options
from mbdgen.language.drawing import Shape, View, as_view
from mbdgen.language.element import Element
from mbdgen.language.names import checked_name
from mbdgen.language.orientation import IDENTITY
from mbdgen.language.output import Output, as_output, reported
from mbdgen.language.path import Path
from mbdgen.language.pose import Motion
from mbdgen.language.quantities import QuantityBook
from mbdgen.language.registry import elements, unfinished_elements
from mbdgen.language.scalars import Vec3, as_scalar, is_number, shown, space
from mbdgen.language.sharing import Shared, leave_out_repeated, shared
from mbdgen.language.suggestion import Suggestion, suggestion
from mbdgen.language.words import explains_arguments, require_known, require_options
from mbdgen.usable import require_usable, title

if TYPE_CHECKING:
    from mbdgen.language.flexible_body import FlexibleBody
    from mbdgen.language.floating_beam import FloatingBeam

_ZERO = (0.0, 0.0, 0.0)
_GROUND = Motion(
    "ground", 0.0, (_ZERO, _ZERO, _ZERO), True, _ZERO, _ZERO, IDENTITY, 0.0, _ZERO, _ZERO, 1.0
)
JOINT_COORDINATES = ("relative", "auto")
"""Coordinates that belong to joints, not to bodies: those of all joints that give places, or the
ones that suit the mechanism."""


@dataclass(frozen=True)
class Parameter:
    """A named number that stays changeable after the build."""

    name: str
    symbol: Any
    value: float
    unit: str


@explains_arguments
class Model:
    """A mechanism: bodies, joints, forces, parameters and outputs.

    Joints, forces and kinds of outputs are methods named after them (``m.revolute(...)``,
    ``m.spring(...)``, ``m.angle_between(...)``); see `mbdgen.joints`, `mbdgen.forces` and
    `mbdgen.outputs`. Their signature is ``(name, a, b, ...)`` with markers, or with bodies and
    ``at=`` (an initial global point).

    Parameters
    ----------
    name : str
        Name of the generated module.
    gravity : 2 or 3 scalars
        Acceleration of gravity in global axes, m/s2.
    coordinates : str or class
        Body kind used where `body` does not name one (or a class of your own, as there), or
        "relative" (coordinates of joints instead), or "auto".
    """

    def __init__(
        self,
        name: str,
        gravity: Any = (0.0, 0.0, -9.81),
        coordinates: str | type[Any] = "quaternion",
    ) -> None:
        self.name = checked_name(name, "model")
        self.joint_coordinates = coordinates if coordinates in JOINT_COORDINATES else ""
        self.coordinates = "quaternion" if self.joint_coordinates else coordinates
        known_kind(self.coordinates, f"Model '{name}'", JOINT_COORDINATES)
        self.book = QuantityBook()
        self.parameters: dict[str, Parameter] = {}
        self.bodies: dict[str, Body] = {}
        self.attached: dict[str, Attached] = {}
        self.crowds: dict[str, Crowd] = {}
        self.beams: dict[str, Beam] = {}
        self.floating: dict[str, FloatingBeam | FlexibleBody] = {}
        self.paths: dict[str, Path] = {}
        self.outputs: dict[str, Output] = {}
        self.shared: list[Shared] = []
        self.bounds: list[Bound] = []
        self.suggested = Suggestion()
        self.drawn: list[Shape] = []
        self.seen = View()
        self.ground = Body(self, None, _GROUND)
        self.gravity = gravity
        _require_own_names({*vars(Model), *vars(self)})

    @property
    def gravity(self) -> Vec3:
        """Acceleration of gravity; parameters may appear in it."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        self._gravity = space(value, f"gravity of model '{self.name}'")

    def with_joint_coordinates(self, wanted: str) -> "Model":
        """Return the same model with other coordinates: one of `JOINT_COORDINATES`."""
        other = copy(self)
        other.joint_coordinates = wanted
        return other

    def suggest(
        self,
        t: Any = None,
        h: Any = None,
        method: Any = None,
        formulation: Any = None,
        statics: Any = None,
        at: Any = None,
    ) -> None:
        """Say what ``mbdgen run`` and the studio take where their user says nothing.

        The end ``t`` of the time span, the step ``h``, names that ``mbdgen methods`` lists,
        whether the motion begins at rest in a static equilibrium, and at which instant
        ``mbdgen statics`` looks for one.
        """
        self.suggested = suggestion(t, h, method, formulation, statics, at)

    @property
    def t(self) -> Any:
        """Time, as a symbol for functions of time."""
        import sympy

        return sympy.Symbol("t", real=True)

    @property
    def joints(self) -> list[Attached]:
        """The constraints, in the order of their making."""
        return [e for e in self.attached.values() if e.is_joint]

    @property
    def forces(self) -> list[Attached]:
        """The forces, in the order of their making."""
        return [e for e in self.attached.values() if not e.is_joint]

    @property
    def parameter_defaults(self) -> dict[Any, float]:
        """Default value of every parameter, by symbol."""
        return {p.symbol: p.value for p in self.parameters.values()}

    def parameter(self, name: str, value: Any, unit: str = "") -> Any:
        """Declare a named parameter and return the symbol that stands for it."""
        import sympy

        name = checked_name(name, "parameter", self._taken())
        number = as_scalar(value, f"parameter '{name}'")
        if not is_number(number):
            raise ModelError(
                f"parameter '{name}' is the expression {number}.",
                "Give a number, and use the expression itself where it is needed.",
            )
        _check_unit(unit, f"parameter '{name}'")
        symbol = sympy.Symbol(name, real=True)
        self.parameters[name] = Parameter(name, symbol, number, unit)
        return symbol

    def body(self, name: str, mass: Any = None, inertia: Any = None, **description: Any) -> Body:
        """Add a body; see `mbdgen.language.describe.describe` for what can be said of it."""
        name = checked_name(name, "body", self._taken())
        require_known(f"Body '{name}'", description, ("mass", "inertia", *options()))
        body = describe(self, name, mass, inertia, **description)
        self.bodies[name] = body
        return body

    def planar_body(self, name: str, mass: Any = None, inertia: Any = None, **more: Any) -> Body:
        """Add a body that moves in the plane z = 0, with coordinates x, y and theta."""
        return self.body(name, mass, inertia, **{"coordinates": "planar", **more})

    def point_mass(self, name: str, mass: Any = None, **more: Any) -> Body:
        """Add a point mass."""
        return self.body(name, mass, **{"coordinates": "point", **more})

    def share(self, a: Body, of_a: str, b: Body, of_b: str) -> None:
        """Let two bodies have a point or vector in common, such as ``share(crank, "B", rod, "A")``.

        It has the same coordinates in both: a spherical joint there, or a revolute joint about a
        common vector, needs no equations.
        """
        self.shared.append(shared(self, a, of_a, b, of_b))
        leave_out_repeated(self)

    def view(
        self,
        azimuth: Any = None,
        elevation: Any = None,
        x: Any = None,
        y: Any = None,
        z: Any = None,
    ) -> None:
        """Say where pictures are seen from, and which box they show; see `View`.

        Parameters
        ----------
        azimuth, elevation : scalar, optional
            In degrees.
        x, y, z : pairs of scalars, optional
            Limits of the box.
        """
        limits = {"x": x, "y": y, "z": z}
        what = f"view of model '{self.name}'"
        self.seen = as_view(azimuth, elevation, limits, self.parameter_defaults, what)

    def beam(
        self,
        name: str,
        points: Any = None,
        section: Any = None,
        material: Any = None,
        **options: Any,
    ) -> Beam:
        """Add a flexible beam: see `mbdgen.language.beam.beam`.

        It returns a beam whose ``start``, ``end``, ``node(k)`` and ``at(s)`` are markers.
        """
        name = checked_name(name, "beam", self._taken())
        require_options(f"beam '{name}'", options, beam)
        made = beam(self, name, points, section, material, **options)
        for body in made.elements:
            called = f"beam, whose elements are called {name}_1 to {name}_{len(made.elements)},"
            self.bodies[checked_name(body.name, called, self._taken())] = body
        self.shared += joints_of(made)
        self.beams[name] = made
        return made

    def flexible_body(self, name: str, *, interface: Any = (), **options: Any) -> "FlexibleBody":
        """Add a flexible body by its matrices: see `mbdgen.language.flexible_body`.

        It returns a body whose ``node(name)`` are markers, for the nodes of its `interface`.
        """
        name = checked_name(name, "flexible body", self._taken())
        from mbdgen.language.flexible_body import flexible_body  # which needs SciPy

        given = {**options, "interface": interface}
        require_options(f"flexible body '{name}'", given, flexible_body, describe)
        made = flexible_body(self, name, interface=interface, **options)
        self.bodies[name], self.floating[name] = made.body, made
        return made

    def floating_beam(
        self,
        name: str,
        points: Any = None,
        section: Any = None,
        material: Any = None,
        **options: Any,
    ) -> "FloatingBeam":
        """Add a planar beam in a floating frame: see `mbdgen.language.floating_beam`."""
        name = checked_name(name, "floating beam", self._taken())
        from mbdgen.language.floating_beam import floating_beam  # which needs SciPy

        require_options(f"floating beam '{name}'", options, floating_beam, describe)
        made = floating_beam(self, name, points, section, material, **options)
        self.bodies[name], self.floating[name] = made.body, made
        return made

    def add(self, name: str, element: type[Element], *ends: Any, **given: Any) -> Any:
        """Add a joint, force or output by its class; methods named after elements end here.

        What is stated per length may be attached to a whole beam: that is an `Along`.
        """
        if not (isinstance(element, type) and issubclass(element, Element) and element.role):
            raise ModelError(
                f"'{name}' is not a joint or force but {shown(element)}.",
                "Give a class derived from Joint, Force or OutputKind, or call a method such as "
                "m.revolute.",
            )
        require_usable(element)
        if element.role == "output":
            name = checked_name(name, element.name, self.outputs)
            attached = attach(self, name, element, ends, given)
            self.output(name, attached.value)
            return attached
        name = checked_name(name, element.name, self._taken())
        if element.distributed and ends and isinstance(ends[0], Beam):
            return spread(self, name, element, ends, given)
        if element.reports:
            checked_name(name, element.name, self.outputs)
        attached = attach(self, name, element, ends, given)
        common = attached.element.shares(f"{element.name} '{name}'", *attached.markers)
        self.attached[name] = attached
        if common:
            self.shared += common
            leave_out_repeated(self)
        if element.reports:
            self.report(name, attached, element.reports)
        return attached

    def contacts(
        self, name: str, bodies: Any, planes: Any = None, skin: Any = None, **law: Any
    ) -> Crowd:
        """Let many spheres touch each other, or planes: see `mbdgen.language.crowd`.

        Parameters
        ----------
        bodies : list of bodies
            All with a ``radius``.
        planes : list of markers, optional
            On the ground, ``e3`` pointing to the spheres, which touch these and not each other.
        skin : scalar, optional
            Gap up to which a run keeps two of them in its list of pairs.
        **law : scalars and strings
            Options of ``sphere_sphere``, or of ``sphere_plane``.
        """
        name = checked_name(name, "contacts", self._taken())
        element = elements()["sphere_sphere" if planes is None else "sphere_plane"]
        self.crowds[name] = crowd(self, name, bodies, planes, element, skin, law)
        return self.crowds[name]

    def output(self, name: str, what: Any, unit: str = "") -> None:
        """Name a result: a marker (its position), a placeholder, a vector or an expression."""
        name = checked_name(name, "output", self.outputs)
        _check_unit(unit, f"output '{name}'")
        self.outputs[name] = as_output(self, name, what, unit)

    def report(self, name: str, source: Attached, measures: Sequence[str]) -> None:
        """Add measures of a joint or force as the outputs ``NAME.MEASURE``."""
        name = checked_name(name, "output", self.outputs)
        known = source.measures()
        for what in measures:
            if what not in known:
                raise ModelError(
                    f"'{source.name}' ({source.element.name}) has no measure {shown(what)}.",
                    f"It offers: {', '.join(sorted(known)) or 'nothing'}.",
                )
        self.outputs[name] = reported(name, source, measures)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        known = elements()
        if name not in known:
            public = [other for other in dir(type(self)) if not other.startswith("_")]
            listed = f"Joints, forces and outputs: {', '.join(sorted(known))}."
            hint = meant(name, [*known, *public, *vars(self)], listed)
            raise UnknownNameError(
                f"A model has no {name!r}.", f"{hint} {unfinished_elements()}".rstrip()
            )

        def add(label: Any = None, *ends: Any, **given: Any) -> Any:
            return self.add(label, known[name], *ends, **given)

        return add

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *elements()})

    def __repr__(self) -> str:
        return (
            f"<model '{self.name}': {len(self.bodies)} bodies, {len(self.joints)} joints, "
            f"{len(self.forces)} forces, {len(self.outputs)} outputs>"
        )

    def _taken(self) -> Collection[str]:
        return ChainMap[str, Any](self.bodies, self.attached, self.crowds, self.parameters)


def _require_own_names(taken: Collection[str]) -> None:
    """Refuse an element called like something else of a model: its method would be hidden."""
    for name in sorted({*elements()} & {*taken}):
        raise BuildError(
            f"{title(elements()[name])} is called {name!r}, which is an attribute of every model.",
            "Give it another name.",
        )


def _check_unit(unit: object, what: str) -> None:
    if not isinstance(unit, str):
        raise ModelError(f"The unit of {what} is {shown(unit)}.", 'Give a string such as "m/s".')
    try:
        unit.encode()
    except UnicodeEncodeError as error:
        raise ModelError(
            f"The unit of {what} contains {unit[error.start]!r}, which is no letter.",
            'Give a string such as "m/s".',
        ) from error


__all__ = ["Attached", "Model", "Parameter"]
