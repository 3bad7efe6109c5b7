"""Methods of `Model` that add forces.

Written by ``python tasks.py methods``: change the classes that state it instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.methods.base import StatedMethods

if TYPE_CHECKING:
    from mbdgen.language.argument_types import End, FormulaLike, MatrixLike, ScalarLike, VectorLike
    from mbdgen.language.beams.beam import Beam
    from mbdgen.language.beams.forces_along import Along
    from mbdgen.language.methods.attached_types import (
        AttachedBeamDisc,
        AttachedBushing,
        AttachedDiscPlane,
        AttachedFriction,
        AttachedLineLoad,
        AttachedMotor,
        AttachedMovingLoad,
        AttachedMuscle,
        AttachedPointForce,
        AttachedPointPlane,
        AttachedPotential,
        AttachedPushAlong,
        AttachedRotatingFrame,
        AttachedSpherePlane,
        AttachedSphereSphere,
        AttachedSpring,
        AttachedStop,
        AttachedTorque,
        AttachedTorsionSpring,
    )


@explains_arguments
class ForceMethods(StatedMethods):
    """Methods of `Model` that add forces."""

    @overload
    def beam_disc(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        radius: ScalarLike | None = None,
        stiffness: ScalarLike = 10000000.0,
        damping: ScalarLike = 0.0,
        coefficient: ScalarLike = 0.0,
        slope: ScalarLike = 100000.0,
        clip: bool = True,
        points: ScalarLike = 5.0,
    ) -> AttachedBeamDisc: ...

    @overload
    def beam_disc(
        self,
        name: str,
        a: Beam,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        radius: ScalarLike | None = None,
        stiffness: ScalarLike = 10000000.0,
        damping: ScalarLike = 0.0,
        coefficient: ScalarLike = 0.0,
        slope: ScalarLike = 100000.0,
        clip: bool = True,
        points: ScalarLike = 5.0,
    ) -> Along: ...

    def beam_disc(
        self,
        name: str,
        a: End | Beam,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        radius: ScalarLike | None = None,
        stiffness: ScalarLike = 10000000.0,
        damping: ScalarLike = 0.0,
        coefficient: ScalarLike = 0.0,
        slope: ScalarLike = 100000.0,
        clip: bool = True,
        points: ScalarLike = 5.0,
    ) -> AttachedBeamDisc | Along:
        r"""Contact of the midline of a beam in the plane with a disc about the point b.

        .. math::
            f_n = k d + c \dot d, \qquad |f_t| = \min(s |v_t|, \mu f_n), \qquad d = R - |r - r_b|

        Forces per length of the beam, where d is positive, integrated with `points` Gauss points on
        each element. `radius` is that of the body b, unless given here: it reaches to the midline
        of the beam. `slope` s is the friction per length and speed of sliding, `coefficient`
        :math:`\mu` its limit.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Beam, Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        radius : scalar, optional
            Radius of the disc, R, up to the midline of the beam; that of its body by default.
        stiffness : scalar, default 10000000.0
            k per length, N/m per metre.
        damping : scalar, default 0.0
            c per length, N s/m per metre.
        coefficient : scalar, default 0.0
            Coefficient of friction, :math:`\mu`.
        slope : scalar, default 100000.0
            Friction s per length and sliding speed, N s/m per metre.
        clip : bool, default True
            Whether the normal force never pulls.
        points : scalar, default 5.0
            Number of Gauss points on each element.

        Returns
        -------
        AttachedBeamDisc
            With the attributes `depth` (m), `normal` (N/m), `friction` (N/m), `slip` (m/s):
            placeholders for expressions.

        Attributes
        ----------
        radius : scalar, optional
            Radius of the disc, R, up to the midline of the beam; that of its body by default.
        stiffness : scalar
            k per length, N/m per metre.
        damping : scalar
            c per length, N s/m per metre.
        coefficient : scalar
            Coefficient of friction, :math:`\mu`.
        slope : scalar
            Friction s per length and sliding speed, N s/m per metre.
        clip : bool
            Whether the normal force never pulls.
        points : int
            Number of Gauss points on each element.
        """
        return self._attached(
            "beam_disc",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            radius=radius,
            stiffness=stiffness,
            damping=damping,
            coefficient=coefficient,
            slope=slope,
            clip=clip,
            points=points,
        )

    def bushing(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: MatrixLike | None = None,
        damping: MatrixLike | None = None,
        energy: FormulaLike | None = None,
        force: FormulaLike | None = None,
        small: bool = False,
    ) -> AttachedBushing:
        r"""Elastic joint: forces and moments by the deformation between frames, in the axes of a.

        It is unstressed where both frames coincide: give markers, or bodies with `at` and `axis`.

        .. math:: F = -K x - C \dot x - \frac{\partial U}{\partial x} + f(x)

        with the deformation :math:`x = (e_i \cdot (r_b - r_a), \theta_i)`. The rotations
        :math:`\theta_i` are the components of the rotation vector (its length is the angle, up to
        half a revolution), or for ``small=True`` those of its axis times the sine of the angle.
        `stiffness` and `damping` are 6 x 6 matrices, or their diagonals; the symmetric part of K is
        a potential, and so is ``energy=lambda x, y, z, rx, ry, rz: ...``; ``force=lambda ...``
        returns six nonconservative forces. Forces are conjugate to the deformation: they do the
        work :math:`F \cdot dx`.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : matrix, optional
            6 x 6 matrix K, or its diagonal.
        damping : matrix, optional
            6 x 6 matrix C, or its diagonal.
        energy : function, optional
            Additional potential U of the deformation.
        force : function, optional
            Six additional nonconservative forces f.
        small : bool, default False
            Whether rotations are small: sines instead of angles.

        Returns
        -------
        AttachedBushing
            With the attributes `x` (m), `y` (m), `z` (m), `rx` (rad), `ry` (rad), `rz` (rad):
            placeholders for expressions.

        Attributes
        ----------
        stiffness : matrix
            6 x 6 matrix K, or its diagonal.
        damping : matrix
            6 x 6 matrix C, or its diagonal.
        energy : function
            Additional potential U of the deformation.
        force : function
            Six additional nonconservative forces f.
        small : bool
            Whether rotations are small: sines instead of angles.
        """
        return self._attached(
            "bushing",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            damping=damping,
            energy=energy,
            force=force,
            small=small,
        )

    def disc_plane(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        normal: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: ScalarLike | None = None,
        restitution: ScalarLike = 1.0,
        law: Literal[
            "flores", "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh"
        ]
        | str = "hunt-crossley",
        exponent: ScalarLike | None = None,
        damping: ScalarLike | None = None,
        clip: bool = True,
        slow: ScalarLike = 0.001,
        mass: ScalarLike | None = None,
        friction: Literal["none", "bengisu-akay", "coulomb", "linear", "lugre", "stribeck"]
        | str = "none",
        coefficient: ScalarLike = 0.0,
        static: ScalarLike | None = None,
        creep: ScalarLike = 0.01,
        fade: ScalarLike = 0.1,
        bristle_stiffness: ScalarLike = 10000.0,
        bristle_damping: ScalarLike = 1.0,
        viscous: ScalarLike = 0.0,
        divisions: ScalarLike = 60.0,
        events: bool = True,
        moving: bool = False,
        radius: ScalarLike | None = None,
        rim: ScalarLike = 0.0,
    ) -> AttachedDiscPlane:
        r"""Contact of a disc about the point a with the plane through the point b.

        .. math:: \delta = R \sqrt{1 - (n \cdot u)^2} + \rho - n \cdot (r_a - r_b)

        u is the axis of the disc (`axis_a`), R its radius, by default that of the body, and
        :math:`\rho` the radius of a round `rim` about this circle. `normal` n points to the side of
        the disc. K is that of Hertz for the mean radius :math:`\sqrt{(R + \rho)\rho}` of a round
        rim; the edge of a thin disc needs a `stiffness`. A cylinder has one such contact at each
        end.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        normal : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : scalar, optional
            Factor K of the elastic force; that of Hertz by default.
        restitution : scalar, default 1.0
            Coefficient of restitution that the law is given.
        law : str, default 'hunt-crossley'
            Contact law of the energy loss: a file of `mbdgen.contact_laws`. One of "flores",
            "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh".
        exponent : scalar, optional
            Exponent n of the elastic force; that of the law by default.
        damping : scalar, optional
            Factor of the law; by default it follows from the restitution.
        clip : bool, default True
            Whether the normal force never pulls.
        slow : scalar, default 0.001
            Smallest approach velocity of the law, m/s.
        mass : scalar, optional
            Effective mass, for the step size during contact.
        friction : str, default 'none'
            Law of friction: a file of `mbdgen.friction_laws`. One of "none", "bengisu-akay",
            "coulomb", "linear", "lugre", "stribeck".
        coefficient : scalar, default 0.0
            Coefficient of kinetic friction, :math:`\mu`.
        static : scalar, optional
            Coefficient of static friction, :math:`\mu_s`; the same by default.
        creep : scalar, default 0.01
            Regularisation velocity :math:`v_0`, m/s, below which friction is about proportional to
            the velocity.
        fade : scalar, default 0.1
            Stribeck velocity :math:`v_s`, m/s.
        bristle_stiffness : scalar, default 10000.0
            Stiffness :math:`\sigma_0` of the bristles, 1/m.
        bristle_damping : scalar, default 1.0
            Damping :math:`\sigma_1` of the bristles, s/m.
        viscous : scalar, default 0.0
            Viscous friction :math:`\sigma_2`, s/m.
        divisions : scalar, default 60.0
            Number of steps during an impact.
        events : bool, default True
            Whether runs locate the events of contact and separation; otherwise the depth determines
            contact.
        moving : bool, default False
            Whether the plane may be on a body that moves.
        radius : scalar, optional
            Radius of the circle, R; that of the body by default.
        rim : scalar, default 0.0
            Radius :math:`\rho` of a round rim about it.

        Returns
        -------
        AttachedDiscPlane
            With the attributes `depth` (m), `speed` (m/s), `force` (N), `slip` (m/s), `friction`
            (N), `energy` (J), `step` (s): placeholders for expressions.

        Attributes
        ----------
        radius : scalar, optional
            Radius of the circle, R; that of the body by default.
        rim : scalar
            Radius :math:`\rho` of a round rim about it.
        """
        return self._attached(
            "disc_plane",
            name,
            (a, b),
            at=at,
            normal=normal,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            restitution=restitution,
            law=law,
            exponent=exponent,
            damping=damping,
            clip=clip,
            slow=slow,
            mass=mass,
            friction=friction,
            coefficient=coefficient,
            static=static,
            creep=creep,
            fade=fade,
            bristle_stiffness=bristle_stiffness,
            bristle_damping=bristle_damping,
            viscous=viscous,
            divisions=divisions,
            events=events,
            moving=moving,
            radius=radius,
            rim=rim,
        )

    def force(
        self,
        name: str,
        a: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        force: VectorLike = (0.0, 0.0, 0.0),
        axes: Literal["global", "body"] | str = "global",
    ) -> AttachedPointForce:
        r"""A force at a point, in global or body axes.

        .. math:: \delta W = F(t, q, v) \cdot \delta r_a

        Its components are numbers or expressions of time, parameters and placeholders.

        Parameters
        ----------
        name : str
            Of the force.
        a : Body or Marker
            Markers, or bodies with `at`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        force : 3 scalars, default (0.0, 0.0, 0.0)
            Its components F.
        axes : {"global", "body"}, default 'global'
            Axes of these components: global, or those of the body.

        Returns
        -------
        AttachedPointForce
            It has nothing that expressions could use.

        Attributes
        ----------
        force : 3 scalars
            Its components F.
        axes : str
            Axes of these components: global, or those of the body.
        """
        return self._attached(
            "force",
            name,
            (a,),
            at=at,
            axis=axis,
            reference=reference,
            force=force,
            axes=axes,
        )

    def friction(
        self,
        name: str,
        *,
        along: ScalarLike | VectorLike,
        load: ScalarLike = 0.0,
        coefficient: ScalarLike = 0.0,
        static: ScalarLike | None = None,
        fade: ScalarLike = 0.01,
        creep: ScalarLike = 0.001,
        viscous: ScalarLike = 0.0,
        radius: ScalarLike = 1.0,
        law: Literal["bengisu-akay", "coulomb", "linear", "stribeck"] | str = "stribeck",
    ) -> AttachedFriction:
        r"""Coulomb's, Stribeck's and viscous friction along a coordinate x of a joint.

        .. math::
            F = -\rho N \left(\mu + (\mu_s - \mu) e^{-(\rho v/v_s)^2}\right)
                \tanh\frac{\rho v}{v_0} - c v, \qquad v = \dot x

        `along` is x, a measure of a joint, such as ``slide.displacement`` or ``pin.angle``; `load`
        is N, any expression: ``slide.load``, the reaction across the axis, or a number. For an
        angle `radius` is the friction radius :math:`\rho`, and F is a moment; for a curve parameter
        it is the length per unit of the parameter. `static` is :math:`\mu_s`, by default the
        `coefficient` :math:`\mu`. Below the speed `creep`, :math:`v_0`, friction is proportional to
        the speed: sticking contacts creep at a fraction of it. Implicit steps must not change a
        speed by much more than that, or Newton's method may fail at the transition from slip to
        stick. `law` is that of Stribeck, as above, or another friction law of contacts.

        Parameters
        ----------
        name : str
            Of the force.
        along : scalar
            Coordinate x, a measure of a joint.
        load : scalar, default 0.0
            Normal force N, or an expression for it such as ``slide.load``.
        coefficient : scalar, default 0.0
            Coefficient of kinetic friction, :math:`\mu`.
        static : scalar, optional
            Coefficient of static friction, :math:`\mu_s`; the same by default.
        fade : scalar, default 0.01
            Stribeck velocity :math:`v_s`.
        creep : scalar, default 0.001
            Speed :math:`v_0` below which friction is proportional to it.
        viscous : scalar, default 0.0
            Viscous damping c.
        radius : scalar, default 1.0
            Lever :math:`\rho` of the load where x is an angle.
        law : {"bengisu-akay", "coulomb", "linear", "stribeck"}, default 'stribeck'
            Friction law.

        Returns
        -------
        AttachedFriction
            With the attributes `push`, `power` (W): placeholders for expressions.

        Attributes
        ----------
        along : scalar
            Coordinate x, a measure of a joint.
        load : scalar
            Normal force N, or an expression for it such as ``slide.load``.
        coefficient : scalar
            Coefficient of kinetic friction, :math:`\mu`.
        static : scalar, optional
            Coefficient of static friction, :math:`\mu_s`; the same by default.
        fade : scalar
            Stribeck velocity :math:`v_s`.
        creep : scalar
            Speed :math:`v_0` below which friction is proportional to it.
        viscous : scalar
            Viscous damping c.
        radius : scalar
            Lever :math:`\rho` of the load where x is an angle.
        law : str
            Friction law.
        """
        return self._attached(
            "friction",
            name,
            (),
            along=along,
            load=load,
            coefficient=coefficient,
            static=static,
            fade=fade,
            creep=creep,
            viscous=viscous,
            radius=radius,
            law=law,
        )

    @overload
    def line_load(
        self,
        name: str,
        a: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        force: VectorLike = (0.0, 0.0, 0.0),
        torque: VectorLike = (0.0, 0.0, 0.0),
        axes: Literal["global", "body"] | str = "global",
    ) -> AttachedLineLoad: ...

    @overload
    def line_load(
        self,
        name: str,
        a: Beam,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        force: VectorLike = (0.0, 0.0, 0.0),
        torque: VectorLike = (0.0, 0.0, 0.0),
        axes: Literal["global", "body"] | str = "global",
    ) -> Along: ...

    def line_load(
        self,
        name: str,
        a: End | Beam,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        force: VectorLike = (0.0, 0.0, 0.0),
        torque: VectorLike = (0.0, 0.0, 0.0),
        axes: Literal["global", "body"] | str = "global",
    ) -> AttachedLineLoad | Along:
        r"""A force and a moment per natural length of an element of a beam.

        .. math:: \delta W = \int (f \cdot \delta r + m \cdot \delta \theta)\, ds

        `Beam.line_load` attaches it to all elements of a beam.

        Parameters
        ----------
        name : str
            Of the force.
        a : Beam, Body or Marker
            Markers, or bodies with `at`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        force : 3 scalars, default (0.0, 0.0, 0.0)
            Force f per length.
        torque : 3 scalars, default (0.0, 0.0, 0.0)
            Moment m per length.
        axes : {"global", "body"}, default 'global'
            Axes of both: global, or those of the sections.

        Returns
        -------
        AttachedLineLoad
            It has nothing that expressions could use.

        Attributes
        ----------
        force : 3 scalars
            Force f per length.
        torque : 3 scalars
            Moment m per length.
        axes : str
            Axes of both: global, or those of the sections.
        """
        return self._attached(
            "line_load",
            name,
            (a,),
            at=at,
            axis=axis,
            reference=reference,
            force=force,
            torque=torque,
            axes=axes,
        )

    def motor(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        torque: ScalarLike = 0.0,
    ) -> AttachedMotor:
        r"""A torque about axis e3 of a, acting on b and, reversed, on a.

        .. math:: \delta W = M(t, q, v)\, a_3 \cdot (\delta \theta_b - \delta \theta_a)

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        torque : scalar, default 0.0
            Torque M, an expression of time, parameters and placeholders.

        Returns
        -------
        AttachedMotor
            With the attributes `power` (W): placeholders for expressions.

        Attributes
        ----------
        torque : scalar
            Torque M, an expression of time, parameters and placeholders.
        """
        return self._attached(
            "motor",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            torque=torque,
        )

    def moving_load(
        self,
        name: str,
        a: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        place: ScalarLike = 0.0,
        begin: ScalarLike = 0.0,
        end: ScalarLike = 0.0,
        force: VectorLike = (0.0, 0.0, 0.0),
    ) -> AttachedMovingLoad:
        r"""A force at a point moving along a beam; its own mass is not part of that of the beam.

        .. math:: \delta W = F \cdot \delta r(s(t)) \quad \text{for } s_1 \le s(t) < s_2

        `Beam.moving_load` attaches it to all elements of a beam: it acts on the one whose interval
        from `begin` to `end` contains it.

        Parameters
        ----------
        name : str
            Of the force.
        a : Body or Marker
            Markers, or bodies with `at`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        place : scalar, default 0.0
            Arc length s along the beam, an expression of time.
        begin : scalar, default 0.0
            Arc lengths of the ends of the element.
        end : scalar, default 0.0
            Arc lengths of the ends of the element.
        force : 3 scalars, default (0.0, 0.0, 0.0)
            Its components F, in global axes.

        Returns
        -------
        AttachedMovingLoad
            It has nothing that expressions could use.

        Attributes
        ----------
        place : scalar
            Arc length s along the beam, an expression of time.
        begin, end : scalar
            Arc lengths of the ends of the element.
        force : 3 scalars
            Its components F, in global axes.
        """
        return self._attached(
            "moving_load",
            name,
            (a,),
            at=at,
            axis=axis,
            reference=reference,
            place=place,
            begin=begin,
            end=end,
            force=force,
        )

    def muscle(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        activation: ScalarLike = 1.0,
        strength: ScalarLike = 1000.0,
        optimal_length: ScalarLike = 0.1,
        max_speed: ScalarLike = 1.0,
        width: ScalarLike = 0.45,
        curvature: ScalarLike = 0.25,
        eccentric: ScalarLike = 1.5,
        strain: ScalarLike = 0.6,
        toe: ScalarLike = 4.0,
    ) -> AttachedMuscle:
        r"""Hill-type muscle: contractile and parallel elastic element between two points.

        .. math::
            F = F_{max} (\alpha(t) f_l(x) f_v(u) + f_p(x)), \quad x = l/l_0, \; u = \dot l/v_{max}

        With the points pulled together by F, and u negative when the muscle shortens:

        - ``f_l = exp(-((x - 1)/width)^2)``
        - concentric, ``-1 < u < 0``: Hill's hyperbola ``f_v = (1 + u)/(1 - u/curvature)``; 0 beyond
        - eccentric, ``u > 0``: ``f_v = E - (E - 1)/(1 + s u)`` with ``E = eccentric``, the limit
          of fast lengthening, and ``s = (1 + 1/curvature)/(E - 1)``, so that the slope is
          continuous at 0
        - passive: with ``z = toe (x - 1)/strain``, for ``x > 1``
          ``f_p = (exp(z) - 1 - z)/(exp(toe) - 1 - toe)``: 1 at the elongation ``strain``, without
          slope at 0

        The passive part is a potential, the active one counts as work. Both are non-negative: a
        muscle does not push, and a negative activation counts as 0. The derivative of the law jumps
        at ``u = -1``.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        activation : scalar, default 1.0
            Part :math:`\alpha` that is active, from 0 to 1, an expression of time.
        strength : scalar, default 1000.0
            Isometric force :math:`F_{max}` at the optimal length.
        optimal_length : scalar, default 0.1
            Length :math:`l_0`.
        max_speed : scalar, default 1.0
            Speed :math:`v_{max}` of shortening without load, m/s.
        width : scalar, default 0.45
            Of the force-length curve, relative to the optimal length.
        curvature : scalar, default 0.25
            Ratio :math:`a/F_{max}` of Hill's hyperbola.
        eccentric : scalar, default 1.5
            Force of fast lengthening, relative to the strength.
        strain : scalar, default 0.6
            Elongation, relative to the optimal length, where the passive part is the strength.
        toe : scalar, default 4.0
            Exponent of the passive part.

        Returns
        -------
        AttachedMuscle
            With the attributes `length` (m), `speed` (m/s), `force` (N): placeholders for
            expressions.

        Attributes
        ----------
        activation : scalar
            Part :math:`\alpha` that is active, from 0 to 1, an expression of time.
        strength : scalar
            Isometric force :math:`F_{max}` at the optimal length.
        optimal_length : scalar
            Length :math:`l_0`.
        max_speed : scalar
            Speed :math:`v_{max}` of shortening without load, m/s.
        width : scalar
            Of the force-length curve, relative to the optimal length.
        curvature : scalar
            Ratio :math:`a/F_{max}` of Hill's hyperbola.
        eccentric : scalar
            Force of fast lengthening, relative to the strength.
        strain : scalar
            Elongation, relative to the optimal length, where the passive part is the strength.
        toe : scalar
            Exponent of the passive part.
        """
        return self._attached(
            "muscle",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            activation=activation,
            strength=strength,
            optimal_length=optimal_length,
            max_speed=max_speed,
            width=width,
            curvature=curvature,
            eccentric=eccentric,
            strain=strain,
            toe=toe,
        )

    def point_plane(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        normal: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: ScalarLike | None = None,
        restitution: ScalarLike = 1.0,
        law: Literal[
            "flores", "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh"
        ]
        | str = "hunt-crossley",
        exponent: ScalarLike | None = None,
        damping: ScalarLike | None = None,
        clip: bool = True,
        slow: ScalarLike = 0.001,
        mass: ScalarLike | None = None,
        friction: Literal["none", "bengisu-akay", "coulomb", "linear", "lugre", "stribeck"]
        | str = "none",
        coefficient: ScalarLike = 0.0,
        static: ScalarLike | None = None,
        creep: ScalarLike = 0.01,
        fade: ScalarLike = 0.1,
        bristle_stiffness: ScalarLike = 10000.0,
        bristle_damping: ScalarLike = 1.0,
        viscous: ScalarLike = 0.0,
        divisions: ScalarLike = 60.0,
        events: bool = True,
        moving: bool = False,
    ) -> AttachedPointPlane:
        r"""Contact of the point a, such as a corner, with the plane through the point b.

        .. math:: F = K\delta^n + R, \qquad \delta = -n \cdot (r_a - r_b)

        `normal` n points to the side of the body. A point has no Hertz stiffness: give one.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        normal : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : scalar, optional
            Factor K of the elastic force; that of Hertz by default.
        restitution : scalar, default 1.0
            Coefficient of restitution that the law is given.
        law : str, default 'hunt-crossley'
            Contact law of the energy loss: a file of `mbdgen.contact_laws`. One of "flores",
            "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh".
        exponent : scalar, optional
            Exponent n of the elastic force; that of the law by default.
        damping : scalar, optional
            Factor of the law; by default it follows from the restitution.
        clip : bool, default True
            Whether the normal force never pulls.
        slow : scalar, default 0.001
            Smallest approach velocity of the law, m/s.
        mass : scalar, optional
            Effective mass, for the step size during contact.
        friction : str, default 'none'
            Law of friction: a file of `mbdgen.friction_laws`. One of "none", "bengisu-akay",
            "coulomb", "linear", "lugre", "stribeck".
        coefficient : scalar, default 0.0
            Coefficient of kinetic friction, :math:`\mu`.
        static : scalar, optional
            Coefficient of static friction, :math:`\mu_s`; the same by default.
        creep : scalar, default 0.01
            Regularisation velocity :math:`v_0`, m/s, below which friction is about proportional to
            the velocity.
        fade : scalar, default 0.1
            Stribeck velocity :math:`v_s`, m/s.
        bristle_stiffness : scalar, default 10000.0
            Stiffness :math:`\sigma_0` of the bristles, 1/m.
        bristle_damping : scalar, default 1.0
            Damping :math:`\sigma_1` of the bristles, s/m.
        viscous : scalar, default 0.0
            Viscous friction :math:`\sigma_2`, s/m.
        divisions : scalar, default 60.0
            Number of steps during an impact.
        events : bool, default True
            Whether runs locate the events of contact and separation; otherwise the depth determines
            contact.
        moving : bool, default False
            Whether the plane may be on a body that moves.

        Returns
        -------
        AttachedPointPlane
            With the attributes `depth` (m), `speed` (m/s), `force` (N), `slip` (m/s), `friction`
            (N), `energy` (J), `step` (s): placeholders for expressions.
        """
        return self._attached(
            "point_plane",
            name,
            (a, b),
            at=at,
            normal=normal,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            restitution=restitution,
            law=law,
            exponent=exponent,
            damping=damping,
            clip=clip,
            slow=slow,
            mass=mass,
            friction=friction,
            coefficient=coefficient,
            static=static,
            creep=creep,
            fade=fade,
            bristle_stiffness=bristle_stiffness,
            bristle_damping=bristle_damping,
            viscous=viscous,
            divisions=divisions,
            events=events,
            moving=moving,
        )

    def potential(
        self,
        name: str,
        *,
        energy: ScalarLike = 0.0,
    ) -> AttachedPotential:
        r"""A potential energy: an expression of positions and axes, parameters and time.

        .. math:: \delta W = -\delta V(q, t)

        The forces on every body whose markers appear in it are derived.

        Parameters
        ----------
        name : str
            Of the force.
        energy : scalar, default 0.0
            Expression V of placeholders, parameters and time.

        Returns
        -------
        AttachedPotential
            It has nothing that expressions could use.

        Attributes
        ----------
        energy : scalar
            Expression V of placeholders, parameters and time.
        """
        return self._attached(
            "potential",
            name,
            (),
            energy=energy,
        )

    def push(
        self,
        name: str,
        *,
        along: ScalarLike | VectorLike,
        force: ScalarLike = 0.0,
    ) -> AttachedPushAlong:
        r"""A force along a measure or any other expression of positions and axes.

        .. math:: \delta W = F(t, q, v)\, \delta x

        Positive in the growing direction of `along`; a moment if that is an angle. The loads on
        bodies follow from virtual work.

        Parameters
        ----------
        name : str
            Of the force.
        along : scalar
            Coordinate x, an expression of placeholders.
        force : scalar, default 0.0
            Force F, or moment, an expression of time, parameters and placeholders.

        Returns
        -------
        AttachedPushAlong
            With the attributes `push`, `power` (W): placeholders for expressions.

        Attributes
        ----------
        along : scalar
            Coordinate x, an expression of placeholders.
        force : scalar
            Force F, or moment, an expression of time, parameters and placeholders.
        """
        return self._attached(
            "push",
            name,
            (),
            along=along,
            force=force,
        )

    @overload
    def rotating_frame(
        self,
        name: str,
        a: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        angle: ScalarLike = 0.0,
        about: VectorLike = (0.0, 0.0, 1.0),
        through: VectorLike = (0.0, 0.0, 0.0),
    ) -> AttachedRotatingFrame: ...

    @overload
    def rotating_frame(
        self,
        name: str,
        a: Beam,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        angle: ScalarLike = 0.0,
        about: VectorLike = (0.0, 0.0, 1.0),
        through: VectorLike = (0.0, 0.0, 0.0),
    ) -> Along: ...

    def rotating_frame(
        self,
        name: str,
        a: End | Beam,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        angle: ScalarLike = 0.0,
        about: VectorLike = (0.0, 0.0, 1.0),
        through: VectorLike = (0.0, 0.0, 0.0),
    ) -> AttachedRotatingFrame | Along:
        r"""Coriolis, Euler and centrifugal forces of an element of a beam in a rotating frame.

        .. math:: dQ = -\varrho \bigl(2 \omega \times \dot r + \dot\omega \times r
            + \omega \times (\omega \times r)\bigr)\, dV, \qquad \omega = \dot\varphi(t)\, e

        The whole model is described in the rotating frame: a steadily spinning beam is at rest in
        it, so that it has equilibria and modes.

        Parameters
        ----------
        name : str
            Of the force.
        a : Beam, Body or Marker
            Markers, or bodies with `at`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        angle : scalar, default 0.0
            Rotation angle :math:`\varphi` of the frame, an expression of time.
        about : 3 scalars, default (0.0, 0.0, 1.0)
            Direction e of its axis.
        through : 3 scalars, default (0.0, 0.0, 0.0)
            A point of its axis.

        Returns
        -------
        AttachedRotatingFrame
            It has nothing that expressions could use.

        Attributes
        ----------
        angle : scalar
            Rotation angle :math:`\varphi` of the frame, an expression of time.
        about : 3 scalars
            Direction e of its axis.
        through : 3 scalars
            A point of its axis.
        """
        return self._attached(
            "rotating_frame",
            name,
            (a,),
            at=at,
            axis=axis,
            reference=reference,
            angle=angle,
            about=about,
            through=through,
        )

    def sphere_plane(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        normal: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: ScalarLike | None = None,
        restitution: ScalarLike = 1.0,
        law: Literal[
            "flores", "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh"
        ]
        | str = "hunt-crossley",
        exponent: ScalarLike | None = None,
        damping: ScalarLike | None = None,
        clip: bool = True,
        slow: ScalarLike = 0.001,
        mass: ScalarLike | None = None,
        friction: Literal["none", "bengisu-akay", "coulomb", "linear", "lugre", "stribeck"]
        | str = "none",
        coefficient: ScalarLike = 0.0,
        static: ScalarLike | None = None,
        creep: ScalarLike = 0.01,
        fade: ScalarLike = 0.1,
        bristle_stiffness: ScalarLike = 10000.0,
        bristle_damping: ScalarLike = 1.0,
        viscous: ScalarLike = 0.0,
        divisions: ScalarLike = 60.0,
        events: bool = True,
        moving: bool = False,
        radius: ScalarLike | None = None,
    ) -> AttachedSpherePlane:
        r"""Contact of a sphere about the point a with the plane through the point b.

        .. math:: F = K\delta^n + R, \qquad \delta = R_a - n \cdot (r_a - r_b)

        `normal` n points to the side of the sphere. The `radius` is that of the body, unless given
        here. K is that of Hertz, :math:`\tfrac43 E^* R_a^{1/2}`, unless there is a `stiffness`.
        `law` and `restitution` determine the energy loss, `friction` the friction law: see the page
        on contacts.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        normal : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : scalar, optional
            Factor K of the elastic force; that of Hertz by default.
        restitution : scalar, default 1.0
            Coefficient of restitution that the law is given.
        law : str, default 'hunt-crossley'
            Contact law of the energy loss: a file of `mbdgen.contact_laws`. One of "flores",
            "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh".
        exponent : scalar, optional
            Exponent n of the elastic force; that of the law by default.
        damping : scalar, optional
            Factor of the law; by default it follows from the restitution.
        clip : bool, default True
            Whether the normal force never pulls.
        slow : scalar, default 0.001
            Smallest approach velocity of the law, m/s.
        mass : scalar, optional
            Effective mass, for the step size during contact.
        friction : str, default 'none'
            Law of friction: a file of `mbdgen.friction_laws`. One of "none", "bengisu-akay",
            "coulomb", "linear", "lugre", "stribeck".
        coefficient : scalar, default 0.0
            Coefficient of kinetic friction, :math:`\mu`.
        static : scalar, optional
            Coefficient of static friction, :math:`\mu_s`; the same by default.
        creep : scalar, default 0.01
            Regularisation velocity :math:`v_0`, m/s, below which friction is about proportional to
            the velocity.
        fade : scalar, default 0.1
            Stribeck velocity :math:`v_s`, m/s.
        bristle_stiffness : scalar, default 10000.0
            Stiffness :math:`\sigma_0` of the bristles, 1/m.
        bristle_damping : scalar, default 1.0
            Damping :math:`\sigma_1` of the bristles, s/m.
        viscous : scalar, default 0.0
            Viscous friction :math:`\sigma_2`, s/m.
        divisions : scalar, default 60.0
            Number of steps during an impact.
        events : bool, default True
            Whether runs locate the events of contact and separation; otherwise the depth determines
            contact.
        moving : bool, default False
            Whether the plane may be on a body that moves.
        radius : scalar, optional
            Radius of the sphere, :math:`R_a`; that of its body by default.

        Returns
        -------
        AttachedSpherePlane
            With the attributes `depth` (m), `speed` (m/s), `force` (N), `slip` (m/s), `friction`
            (N), `energy` (J), `step` (s): placeholders for expressions.

        Attributes
        ----------
        radius : scalar, optional
            Radius of the sphere, :math:`R_a`; that of its body by default.
        """
        return self._attached(
            "sphere_plane",
            name,
            (a, b),
            at=at,
            normal=normal,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            restitution=restitution,
            law=law,
            exponent=exponent,
            damping=damping,
            clip=clip,
            slow=slow,
            mass=mass,
            friction=friction,
            coefficient=coefficient,
            static=static,
            creep=creep,
            fade=fade,
            bristle_stiffness=bristle_stiffness,
            bristle_damping=bristle_damping,
            viscous=viscous,
            divisions=divisions,
            events=events,
            moving=moving,
            radius=radius,
        )

    def sphere_sphere(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: ScalarLike | None = None,
        restitution: ScalarLike = 1.0,
        law: Literal[
            "flores", "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh"
        ]
        | str = "hunt-crossley",
        exponent: ScalarLike | None = None,
        damping: ScalarLike | None = None,
        clip: bool = True,
        slow: ScalarLike = 0.001,
        mass: ScalarLike | None = None,
        friction: Literal["none", "bengisu-akay", "coulomb", "linear", "lugre", "stribeck"]
        | str = "none",
        coefficient: ScalarLike = 0.0,
        static: ScalarLike | None = None,
        creep: ScalarLike = 0.01,
        fade: ScalarLike = 0.1,
        bristle_stiffness: ScalarLike = 10000.0,
        bristle_damping: ScalarLike = 1.0,
        viscous: ScalarLike = 0.0,
        divisions: ScalarLike = 60.0,
        events: bool = True,
        radius_a: ScalarLike | None = None,
        radius_b: ScalarLike | None = None,
    ) -> AttachedSphereSphere:
        r"""Contact of two spheres about the points a and b.

        .. math:: F = K\delta^n + R, \qquad \delta = R_a + R_b - |r_a - r_b|

        The radii are those of the bodies, unless `radius_a` and `radius_b` are given. K is that of
        Hertz, :math:`\tfrac43 E^* (1/R_a + 1/R_b)^{-1/2}`, unless there is a `stiffness`.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : scalar, optional
            Factor K of the elastic force; that of Hertz by default.
        restitution : scalar, default 1.0
            Coefficient of restitution that the law is given.
        law : str, default 'hunt-crossley'
            Contact law of the energy loss: a file of `mbdgen.contact_laws`. One of "flores",
            "gonthier", "hertz", "hunt-crossley", "kelvin-voigt", "lankarani-nikravesh".
        exponent : scalar, optional
            Exponent n of the elastic force; that of the law by default.
        damping : scalar, optional
            Factor of the law; by default it follows from the restitution.
        clip : bool, default True
            Whether the normal force never pulls.
        slow : scalar, default 0.001
            Smallest approach velocity of the law, m/s.
        mass : scalar, optional
            Effective mass, for the step size during contact.
        friction : str, default 'none'
            Law of friction: a file of `mbdgen.friction_laws`. One of "none", "bengisu-akay",
            "coulomb", "linear", "lugre", "stribeck".
        coefficient : scalar, default 0.0
            Coefficient of kinetic friction, :math:`\mu`.
        static : scalar, optional
            Coefficient of static friction, :math:`\mu_s`; the same by default.
        creep : scalar, default 0.01
            Regularisation velocity :math:`v_0`, m/s, below which friction is about proportional to
            the velocity.
        fade : scalar, default 0.1
            Stribeck velocity :math:`v_s`, m/s.
        bristle_stiffness : scalar, default 10000.0
            Stiffness :math:`\sigma_0` of the bristles, 1/m.
        bristle_damping : scalar, default 1.0
            Damping :math:`\sigma_1` of the bristles, s/m.
        viscous : scalar, default 0.0
            Viscous friction :math:`\sigma_2`, s/m.
        divisions : scalar, default 60.0
            Number of steps during an impact.
        events : bool, default True
            Whether runs locate the events of contact and separation; otherwise the depth determines
            contact.
        radius_a : scalar, optional
            Radii of both spheres; those of their bodies by default.
        radius_b : scalar, optional
            Radii of both spheres; those of their bodies by default.

        Returns
        -------
        AttachedSphereSphere
            With the attributes `depth` (m), `speed` (m/s), `force` (N), `slip` (m/s), `friction`
            (N), `energy` (J), `step` (s): placeholders for expressions.

        Attributes
        ----------
        radius_a, radius_b : scalar, optional
            Radii of both spheres; those of their bodies by default.
        """
        return self._attached(
            "sphere_sphere",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            restitution=restitution,
            law=law,
            exponent=exponent,
            damping=damping,
            clip=clip,
            slow=slow,
            mass=mass,
            friction=friction,
            coefficient=coefficient,
            static=static,
            creep=creep,
            fade=fade,
            bristle_stiffness=bristle_stiffness,
            bristle_damping=bristle_damping,
            viscous=viscous,
            divisions=divisions,
            events=events,
            radius_a=radius_a,
            radius_b=radius_b,
        )

    def spring(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: ScalarLike = 0.0,
        length: ScalarLike | None = None,
        damping: ScalarLike = 0.0,
        force: ScalarLike = 0.0,
        law: FormulaLike | None = None,
    ) -> AttachedSpring:
        r"""Translational spring, damper and actuator between two points.

        .. math::
            V = \tfrac12 k (l - l_0)^2, \qquad
            F = k (l - l_0) + c \dot l + f(t) + L(l - l_0, \dot l)

        with the tension F pulling the points together. `force` may be any expression of time,
        parameters and placeholders, ``law=lambda x, v: ...`` any function of elongation and speed,
        whose power is counted as work; without `length` the spring is unstressed at the start.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : scalar, default 0.0
            Spring constant k.
        length : scalar, optional
            Unstressed length :math:`l_0`; that of the initial position by default.
        damping : scalar, default 0.0
            Damping constant c.
        force : scalar, default 0.0
            Additional tension f, an expression of time, parameters and placeholders.
        law : function, optional
            Additional tension L, ``lambda x, v: ...`` of elongation and speed.

        Returns
        -------
        AttachedSpring
            With the attributes `length` (m), `tension` (N), `energy` (J): placeholders for
            expressions.

        Attributes
        ----------
        stiffness : scalar
            Spring constant k.
        length : scalar, optional
            Unstressed length :math:`l_0`; that of the initial position by default.
        damping : scalar
            Damping constant c.
        force : scalar
            Additional tension f, an expression of time, parameters and placeholders.
        law : function
            Additional tension L, ``lambda x, v: ...`` of elongation and speed.
        """
        return self._attached(
            "spring",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            length=length,
            damping=damping,
            force=force,
            law=law,
        )

    def stop(
        self,
        name: str,
        *,
        along: ScalarLike | VectorLike,
        lower: ScalarLike = -1e300,
        upper: ScalarLike = 1e300,
        stiffness: ScalarLike = 100000.0,
        damping: ScalarLike = 0.0,
        law: Literal["hertz", "linear"] | str = "hertz",
    ) -> AttachedStop:
        r"""Unilateral springs and dampers that keep a coordinate x between two limits.

        .. math:: F = -k\,p^e \left(1 + d\,\dot p\right), \qquad p = \max(x - x_{max}, 0)

        and the same at the lower limit, with :math:`e = 3/2` (Hertz) or 1 by `law`. `along` is x,
        any measure: the angle of a hinge, a displacement, a distance. The elastic part is a
        potential; the damper is proportional to the pressure, so that the force is continuous at
        contact, and `damping` d, in s/m or s/rad, is :math:`3(1 - \epsilon^2)/(4 v)` for about the
        restitution :math:`\epsilon` at the impact velocity v. With the Hertz exponent the stiffness
        is continuous, too.

        Parameters
        ----------
        name : str
            Of the force.
        along : scalar
            Coordinate x, an expression of placeholders.
        lower : scalar, default -1e+300
            Its limits.
        upper : scalar, default 1e+300
            Its limits.
        stiffness : scalar, default 100000.0
            Stiffness of both springs, k.
        damping : scalar, default 0.0
            Factor d of the damping.
        law : {"hertz", "linear"}, default 'hertz'
            Law of the springs: Hertz (exponent 3/2) or linear (1).

        Returns
        -------
        AttachedStop
            With the attributes `force` (N), `energy` (J): placeholders for expressions.

        Attributes
        ----------
        along : scalar
            Coordinate x, an expression of placeholders.
        lower, upper : scalar
            Its limits.
        stiffness : scalar
            Stiffness of both springs, k.
        damping : scalar
            Factor d of the damping.
        law : str
            Law of the springs: Hertz (exponent 3/2) or linear (1).
        """
        return self._attached(
            "stop",
            name,
            (),
            along=along,
            lower=lower,
            upper=upper,
            stiffness=stiffness,
            damping=damping,
            law=law,
        )

    def torque(
        self,
        name: str,
        a: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        reference: VectorLike | None = None,
        torque: VectorLike = (0.0, 0.0, 0.0),
        axes: Literal["global", "body"] | str = "global",
    ) -> AttachedTorque:
        r"""A torque on a body, in global or body axes.

        .. math:: \delta W = M(t, q, v) \cdot \delta \theta_a

        Its components are numbers or expressions of time, parameters and placeholders.

        Parameters
        ----------
        name : str
            Of the force.
        a : Body or Marker
            Markers, or bodies with `at`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        torque : 3 scalars, default (0.0, 0.0, 0.0)
            Its components M.
        axes : {"global", "body"}, default 'global'
            Axes of these components: global, or those of the body.

        Returns
        -------
        AttachedTorque
            It has nothing that expressions could use.

        Attributes
        ----------
        torque : 3 scalars
            Its components M.
        axes : str
            Axes of these components: global, or those of the body.
        """
        return self._attached(
            "torque",
            name,
            (a,),
            at=at,
            axis=axis,
            reference=reference,
            torque=torque,
            axes=axes,
        )

    def torsion_spring(
        self,
        name: str,
        a: End,
        b: End,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        axis_a: VectorLike | None = None,
        axis_b: VectorLike | None = None,
        reference: VectorLike | None = None,
        stiffness: ScalarLike = 0.0,
        rest: ScalarLike = 0.0,
        turns: ScalarLike = 0,
        damping: ScalarLike = 0.0,
        moment: ScalarLike = 0.0,
        law: FormulaLike | None = None,
    ) -> AttachedTorsionSpring:
        r"""Rotational spring, damper and motor about axis e3 of a.

        .. math::
            V = \tfrac12 k (\theta - \theta_0)^2, \qquad
            M = -k (\theta - \theta_0) - c \dot\theta - L(\theta - \theta_0, \dot\theta) + m(t)

        where :math:`\theta` is the unwrapped angle from a's e1 to b's e1, and M acts on b.
        Initially it is within half a revolution of `rest`, plus the `turns` by which the spring is
        wound. The law L is ``law=lambda x, v: ...``; its power is counted as work. Combine it with
        a joint that aligns the axes.

        Parameters
        ----------
        name : str
            Of the force.
        a, b : Body or Marker
            Markers, or bodies with `at`. Equations call their points :math:`r_a, r_b`, and their
            axes e1, e2, e3 :math:`a_i, b_i`.
        at : 3 scalars, optional
            Initial global point of the ends, where these are bodies; by default their origins.
        axis : 3 scalars, optional
            Direction of e3 of the ends, in global axes, where these are bodies.
        axis_a : 3 scalars, optional
            The same of the end a alone.
        axis_b : 3 scalars, optional
            The same of the end b alone.
        reference : 3 scalars, optional
            Direction that e1 comes closest to.
        stiffness : scalar, default 0.0
            Spring constant k.
        rest : scalar, default 0.0
            Unstressed angle :math:`\theta_0`.
        turns : scalar, default 0
            Integer revolutions by which it is wound initially.
        damping : scalar, default 0.0
            Damping constant c.
        moment : scalar, default 0.0
            Additional moment m, an expression of time, parameters and placeholders.
        law : function, optional
            Additional moment L, ``lambda x, v: ...`` of the angle and its rate.

        Returns
        -------
        AttachedTorsionSpring
            With the attributes `angle` (rad), `moment` (N m), `energy` (J): placeholders for
            expressions.

        Attributes
        ----------
        stiffness : scalar
            Spring constant k.
        rest : scalar
            Unstressed angle :math:`\theta_0`.
        turns : scalar
            Integer revolutions by which it is wound initially.
        damping : scalar
            Damping constant c.
        moment : scalar
            Additional moment m, an expression of time, parameters and placeholders.
        law : function
            Additional moment L, ``lambda x, v: ...`` of the angle and its rate.
        """
        return self._attached(
            "torsion_spring",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            stiffness=stiffness,
            rest=rest,
            turns=turns,
            damping=damping,
            moment=moment,
            law=law,
        )
