"""Base of contacts of two bodies: contact law, friction law, internal state; not the geometry."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from mbdgen.contact_laws.base import ContactLaw, Pair, contact_laws
from mbdgen.errors import ModelError
from mbdgen.forces.base import Force, FrameLoad
from mbdgen.forces.meeting import WITHOUT, Meeting, Touch
from mbdgen.friction_laws.base import friction_laws, is_bristle_law
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.interval import NOT_NEGATIVE, Interval
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import Scalar, is_number, is_symbolic, sqrt
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class Contact(Force):
    r"""Base of contacts; a subclass defines the contact geometry.

    Attributes
    ----------
    stiffness : scalar, optional
        Factor K of the elastic force; that of Hertz by default.
    restitution : scalar
        Coefficient of restitution that the law is given.
    law : str
        Contact law of the energy loss: a file of `mbdgen.contact_laws`.
    exponent : scalar, optional
        Exponent n of the elastic force; that of the law by default.
    damping : scalar, optional
        Factor of the law; by default it follows from the restitution.
    clip : bool
        Whether the normal force never pulls.
    slow : scalar
        Smallest approach velocity of the law, m/s.
    mass : scalar, optional
        Effective mass, for the step size during contact.
    friction : str
        Law of friction: a file of `mbdgen.friction_laws`.
    coefficient : scalar
        Coefficient of kinetic friction, :math:`\mu`.
    static : scalar, optional
        Coefficient of static friction, :math:`\mu_s`; the same by default.
    creep : scalar
        Regularisation velocity :math:`v_0`, m/s, below which friction is about proportional to the
        velocity.
    fade : scalar
        Stribeck velocity :math:`v_s`, m/s.
    bristle_stiffness : scalar
        Stiffness :math:`\sigma_0` of the bristles, 1/m.
    bristle_damping : scalar
        Damping :math:`\sigma_1` of the bristles, s/m.
    viscous : scalar
        Viscous friction :math:`\sigma_2`, s/m.
    divisions : scalar
        Number of steps during an impact.
    events : bool
        Whether runs locate the events of contact and separation; otherwise the depth determines
        contact.
    closed, approach, calm : scalar
        Written by runs: whether bodies are in contact, the initial approach velocity, and the
        factor by which steps may be longer than in an impact.
    """

    positive = frozenset({"stiffness", "exponent", "mass", "slow", "creep", "fade", "divisions"})
    choices = {"law": tuple(contact_laws()), "friction": (WITHOUT, *friction_laws())}
    measures = {
        **{"depth": 1, "speed": 1, "force": 1, "slip": 1, "friction": 3},
        **{"energy": 1, "step": 1},
    }
    units = {
        **{"depth": "m", "speed": "m/s", "force": "N", "slip": "m/s", "friction": "N"},
        **{"energy": "J", "step": "s"},
    }
    memory = ("closed", "approach", "calm")
    of_first_order = True
    reports = ("depth", "speed", "force", "slip", "friction", "step")

    stiffness: Any = None
    restitution: Any = 1.0
    law: str = "hunt-crossley"
    exponent: Any = None
    damping: Any = None
    clip: bool = True
    slow: Any = 1e-3
    mass: Any = None
    friction: str = WITHOUT
    coefficient: Any = 0.0
    static: Any = None
    creep: Any = 1e-2
    fade: Any = 0.1
    bristle_stiffness: Any = 1e4
    bristle_damping: Any = 1.0
    viscous: Any = 0.0
    divisions: Any = 60.0
    events: bool = True
    closed: Any = 1.0
    approach: Any = 0.0
    calm: Any = 1.0

    @abstractmethod
    def touch(self, *frames: Frame) -> Touch:
        """Return the gap, normal and contact point of the surfaces."""

    @abstractmethod
    def curvature(self, *markers: Marker) -> Scalar:
        """Return ``1/R_a + 1/R_b``, for the Hertz stiffness."""

    def owned(self) -> dict[str, Any]:
        """Return the bristle deflections along the global axes, if there are bristles."""
        return dict.fromkeys(("bend_x", "bend_y", "bend_z"), 0.0) if self._bristles() else {}

    def _bristles(self) -> bool:
        return is_bristle_law(self.friction)

    def potential(self, *frames: Frame) -> Expr:
        """Energy of the elastic force."""
        return Meeting(self, *frames).potential

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return the dissipative normal force and friction."""
        return Meeting(self, *frames).loads()

    def measure(self, name: str, *frames: Any) -> Any:
        """Return a measure of the contact; the depth is negative during separation."""
        meeting = Meeting(self, *frames)
        if name == "depth":
            return -meeting.touch.gap
        other_names = {"slip": "slip_speed", "energy": "potential"}
        return getattr(meeting, other_names.get(name, name))

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the Hertz stiffness, the factor of the law, the effective mass."""
        law: ContactLaw = contact_laws()[self.law]()
        exponent = law.exponent if self.exponent is None else self.exponent
        stiffness = self._hertz(exponent, markers) if self.stiffness is None else self.stiffness
        mass = self.moving_mass(*markers) if self.mass is None else self.mass
        pair = Pair(self.restitution, stiffness, exponent, mass)
        return {
            "stiffness": stiffness,
            "exponent": exponent,
            "damping": law.factor(pair) if self.damping is None else self.damping,
            "mass": mass,
            "static": self.coefficient,
        }

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject invalid values."""
        given = [
            Bound(getattr(self, field), f"{field} of {what}", NOT_NEGATIVE)
            for field in ("coefficient", "static", "damping", "bristle_damping", "viscous")
            if getattr(self, field) is not None
        ]
        bounce = Bound(self.restitution, f"restitution of {what}", Interval(0.0, 1.0, "(]"))
        check_bounds(markers[0].body.model, bounce, *given)
        rough = not is_number(self.coefficient) or self.coefficient != 0.0
        if self.friction != WITHOUT and not rough:
            raise ModelError(
                f"{what} has the friction '{self.friction}', but its coefficient is 0.",
                "Give coefficient=, the coefficient of motion, or leave friction= out.",
            )
        if self.friction == WITHOUT and rough:
            raise ModelError(
                f"{what} has the coefficient {self.coefficient}, but no law of friction.",
                "Give friction=, such as 'coulomb', or leave coefficient= out.",
            )

    def moving_mass(self, *markers: Marker) -> Scalar:
        """Return the effective (reduced) mass of two bodies."""
        moving = [marker.body.motion.mass for marker in markers if not marker.body.is_ground]
        if len(moving) < 2:
            return moving[0]
        first, second = moving
        return first * second / (first + second)

    def _hertz(self, exponent: Any, markers: tuple[Marker, ...]) -> Scalar:
        r""":math:`K = \frac43 E^* R^{1/2}`, `E*` by both materials; a body without one is rigid."""
        if is_symbolic(exponent) or exponent != 1.5:
            raise ModelError(
                f"The stiffness by Hertz belongs to the exponent 1.5, not {exponent}.",
                "Give stiffness=, in N/m^exponent.",
            )
        known = [m.body.surface.compliance() for m in markers]
        soft = [c for c in known if c is not None]
        if not soft:
            names = " and ".join(f"'{m.body.name}'" for m in markers)
            raise ModelError(
                f"Neither a stiffness nor Young's modulus is known for the contact of {names}.",
                "Give stiffness=, or young= (and poisson=) of one of the bodies.",
            )
        return 4 / (3 * sum(soft) * sqrt(self.curvature(*markers)))
