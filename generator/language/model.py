"""The model: a description of a mechanism. It holds data and does no algebra.

The methods that add bodies, joints, forces and outputs are generated from the element classes: see
`mbdgen.language.methods`.
"""

from collections import ChainMap
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from mbdgen.errors import BuildError, ModelError, UnknownNameError, meant
from mbdgen.language.argument_types import End, VectorLike
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.attach import attach
from mbdgen.language.attached import Attached
from mbdgen.language.beams.beam import Beam, beam, joints_of
from mbdgen.language.beams.forces_along import spread
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.body_builder import describe, known_kind
from mbdgen.language.bodies.crowd import Crowd, crowd
from mbdgen.language.bodies.orientation import IDENTITY
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.bodies.sharing import Shared, leave_out_repeated, shared
from mbdgen.language.drawing import Shape, View, as_view
from mbdgen.language.element import Element
from mbdgen.language.element_names import checked_name
from mbdgen.language.expressions.bounds import Bound
from mbdgen.language.expressions.placeholders import QuantityBook
from mbdgen.language.expressions.scalars import Vec3, as_scalar, is_number, shown, space
from mbdgen.language.markers.path import Path
from mbdgen.language.methods.base import method_of
from mbdgen.language.methods.body_methods import BodyMethods
from mbdgen.language.methods.force_methods import ForceMethods
from mbdgen.language.methods.joint_methods import JointMethods
from mbdgen.language.methods.output_methods import OutputMethods
from mbdgen.language.output import Output, as_output, reported
from mbdgen.language.registry import elements, unfinished_elements
from mbdgen.language.run_defaults import Suggestion, suggestion
from mbdgen.usable import check_usable, title

if TYPE_CHECKING:
    from mbdgen.language.flexible.flexible_body import FlexibleBody
    from mbdgen.language.flexible.floating_beam import FloatingBeam

_ZERO = (0.0, 0.0, 0.0)
_GROUND = Motion(
    "ground", 0.0, (_ZERO, _ZERO, _ZERO), True, _ZERO, _ZERO, IDENTITY, 0.0, _ZERO, _ZERO, 1.0
)
JOINT_COORDINATES = ("relative", "auto")
"""Joint (relative) coordinates: those of all joints, or those chosen for the mechanism."""


@dataclass(frozen=True)
class Parameter:
    """A named parameter whose value can be changed after code generation."""

    name: str
    symbol: Any
    value: float
    unit: str


@explains_arguments
class Model(BodyMethods, JointMethods, ForceMethods, OutputMethods):
    """A mechanism: bodies, joints, forces, parameters and outputs.

    Bodies, joints, forces and kinds of outputs are methods named after them (``m.body(...)``,
    ``m.revolute(...)``, ``m.spring(...)``, ``m.angle_between(...)``): ``help(m.revolute)`` shows
    its equations and arguments. Joints are attached to markers, or to bodies and ``at=`` (an
    initial global point).

    Parameters
    ----------
    name : str
        Name of the generated module.
    gravity : 2 or 3 scalars
        Acceleration of gravity in global axes, m/s2.
    coordinates : str or class
        Default body kind: a name or a class of your own, as in `body`; or
        "relative" (joint coordinates instead), or "auto".
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
        _check_own_names({*vars(Model), *vars(BodyMethods), *vars(self)})

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
        """Set the default run options of ``mbdgen run`` and the studio.

        The end ``t`` of the time span, the step ``h``, names that ``mbdgen methods`` lists,
        whether the motion begins at rest in a static equilibrium, and the instant at which ``mbdgen
        statics`` seeks one.
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
        """Declare a named parameter and return its symbol."""
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

    def _body(self, name: str, mass: Any, inertia: Any = None, **description: Any) -> Body:
        name = checked_name(name, "body", self._taken())
        body = describe(self, name, mass, inertia, **description)
        self.bodies[name] = body
        return body

    def share(self, a: Body, of_a: str, b: Body, of_b: str) -> None:
        """Share a basic point or unit vector between two bodies: ``share(crank, "B", rod, "A")``.

        Both bodies use the same natural coordinates for it, so that a spherical joint there, or a
        revolute joint about a common vector, needs no constraint equations.
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
        """Set the viewpoint and the box of pictures; see `View`.

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

    def _beam(self, name: str, points: Any, section: Any, material: Any, **options: Any) -> Beam:
        name = checked_name(name, "beam", self._taken())
        made = beam(self, name, points, section, material, **options)
        for body in made.elements:
            called = f"beam, whose elements are called {name}_1 to {name}_{len(made.elements)},"
            self.bodies[checked_name(body.name, called, self._taken())] = body
        self.shared += joints_of(made)
        self.beams[name] = made
        return made

    def _flexible_body(self, name: str, **options: Any) -> "FlexibleBody":
        name = checked_name(name, "flexible body", self._taken())
        from mbdgen.language.flexible.flexible_body import flexible_body  # which needs SciPy

        made = flexible_body(self, name, **options)
        self.bodies[name], self.floating[name] = made.body, made
        return made

    def _floating_beam(
        self, name: str, points: Any, section: Any, material: Any, **options: Any
    ) -> "FloatingBeam":
        name = checked_name(name, "floating beam", self._taken())
        from mbdgen.language.flexible.floating_beam import floating_beam  # which needs SciPy

        made = floating_beam(self, name, points, section, material, **options)
        self.bodies[name], self.floating[name] = made.body, made
        return made

    @overload
    def add(
        self,
        name: str,
        element: Element,
        *ends: "End | Beam",
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
    ) -> Any: ...

    @overload
    def add(self, name: str, element: type[Element], *ends: "End | Beam", **given: Any) -> Any: ...

    def add(self, name: str, element: Any, *ends: Any, **given: Any) -> Any:
        """Add a joint, force or output of a user-defined class; generated methods call this one.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        element : class or object
            Derived from `Joint`, `Force` or `OutputKind`. An object has its fields already, and
            type checkers know these: ``m.add("stop", Stop(stiffness=2.0), a, b)``.
        *ends : Body or Marker
            One for each end. An element stated per length may be attached to a whole beam.
        **given
            Its fields, if it is a class, and its initial position and axes: `at` (initial global
            point), `axis`, `axis_a`, `axis_b`, `reference` (directions in global axes).

        Returns
        -------
        Attached
            With its measures as attributes; an `Along` of a beam.
        """
        if isinstance(element, Element):
            settings = element.settings()
            if twice := sorted({*given} & {*element.field_names()}):
                raise ModelError(
                    f"{element.name} '{name}' is given {', '.join(twice)} beside an object, which "
                    "has its fields.",
                    f"Give them to the object: {type(element).__name__}({twice[0]}=...).",
                )
            given = {**given, **settings}
            if "axis" in given:
                given[element.axis_name] = given.pop("axis")
            element = type(element)
        if not (isinstance(element, type) and issubclass(element, Element) and element.role):
            raise ModelError(
                f"'{name}' is not a joint or force but {shown(element)}.",
                "Give a class derived from Joint, Force or OutputKind, or call a method such as "
                "m.revolute.",
            )
        check_usable(element)
        if element.role == "output":
            name = checked_name(name, element.name, self.outputs)
            attached = attach(self, name, element, ends, given)
            self.output(name, attached.measured("value"))
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

    def _contacts(self, name: str, bodies: Any, planes: Any, skin: Any, **law: Any) -> Crowd:
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

    if not TYPE_CHECKING:  # they know the methods and suggest corrections

        def __getattr__(self, name: str) -> Callable[..., Any]:
            if name.startswith("_"):
                raise AttributeError(name)
            known = elements()
            if name in known:  # a class for which no method has been generated
                return method_of(self, known[name])
            public = [other for other in dir(type(self)) if not other.startswith("_")]
            listed = f"Joints, forces and outputs: {', '.join(sorted(known))}."
            hint = meant(name, [*known, *public, *vars(self)], listed)
            raise UnknownNameError(
                f"A model has no {name!r}.", f"{hint} {unfinished_elements()}".rstrip()
            )

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *elements()})

    def __repr__(self) -> str:
        return (
            f"<model '{self.name}': {len(self.bodies)} bodies, {len(self.joints)} joints, "
            f"{len(self.forces)} forces, {len(self.outputs)} outputs>"
        )

    def _taken(self) -> Collection[str]:
        return ChainMap[str, Any](self.bodies, self.attached, self.crowds, self.parameters)


def _check_own_names(taken: Collection[str]) -> None:
    """Reject an element whose name equals an attribute of the model: its method would be hidden."""
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
