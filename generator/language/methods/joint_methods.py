"""Methods of `Model` that add joints.

Written by ``python tasks.py methods``: change the classes that state it instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.methods.base import StatedMethods

if TYPE_CHECKING:
    from mbdgen.language.argument_types import End, FormulaLike, ScalarLike, VectorLike
    from mbdgen.language.methods.attached_types import (
        AttachedBarAngle,
        AttachedCamFollower,
        AttachedCommonPlane,
        AttachedCommonPoint,
        AttachedCommonVector,
        AttachedConstantVelocity,
        AttachedCylindrical,
        AttachedDistance,
        AttachedDotProduct,
        AttachedFixed,
        AttachedFlatFollower,
        AttachedGear,
        AttachedKnifeEdge,
        AttachedMinimumDistance,
        AttachedPinInSlot,
        AttachedPlanarJoint,
        AttachedPointInPlane,
        AttachedPointOnCurve,
        AttachedPointOnLine,
        AttachedPrismatic,
        AttachedRackAndPinion,
        AttachedRelativeAngle,
        AttachedRelativeTranslation,
        AttachedRevolute,
        AttachedRollingDisc,
        AttachedRollingPoint,
        AttachedRollingSphere,
        AttachedRotationDriver,
        AttachedScrew,
        AttachedSpherical,
        AttachedTranslationDriver,
        AttachedUniversal,
    )


@explains_arguments
class JointMethods(StatedMethods):
    """Methods of `Model` that add joints."""

    def bar_angle(
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
        angle: ScalarLike | None = None,
        by_cosine: bool | None = None,
    ) -> AttachedBarAngle:
        r"""The angle about e3 from a's e1 to b's e1 is constant; of second degree in directions.

        .. math:: e_1^a \cdot e_1^b - \cos\varphi = 0 \quad \text{or} \quad
                  e_2^a \cdot e_1^b - \sin\varphi = 0

        The scalar product is used where its derivative, the sine, is larger: for angles from 45 to
        135 degrees and from 225 to 315. Elsewhere it is the cross product, with the cosine as
        derivative. Either has a second solution; assembly finds the nearer one. In natural
        coordinates both are quadratic, unlike `relative_angle`, which also follows a function of
        time.

        Parameters
        ----------
        name : str
            Of the joint.
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
        angle : scalar, optional
            Angle :math:`\varphi` that is kept; that of the initial position by default.
        by_cosine : bool, optional
            Which equation is used; by default the one with the larger derivative.

        Returns
        -------
        AttachedBarAngle
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.

        Attributes
        ----------
        angle : scalar, optional
            Angle :math:`\varphi` that is kept; that of the initial position by default.
        by_cosine : bool, optional
            Which equation is used; by default the one with the larger derivative.
        """
        return self._attached(
            "bar_angle",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            angle=angle,
            by_cosine=by_cosine,
        )

    def cam_follower(
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
        start: ScalarLike = 0.0,
        curve: FormulaLike,
        radius: ScalarLike = 0.0,
    ) -> AttachedCamFollower:
        r"""The centre of a roller of b keeps its radius from the profile ``(x(s), y(s))`` of a cam.

        .. math::
            e_1 \cdot d = x + \rho \frac{y'}{|c'|}, \quad e_2 \cdot d = y - \rho \frac{x'}{|c'|}

        The profile lies in the plane of a with normal e3 and runs counter-clockwise around the cam,
        so that the roller is outside; a negative radius is one inside. With the radius zero it is a
        point. The profile must have three continuous derivatives for a roller, and where it is
        concave a curvature below that of the roller. There is no lift-off: a negative multiplier
        indicates it.

        Parameters
        ----------
        name : str
            Of the joint.
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
        start : scalar, default 0.0
            Initial parameter of the profile, from which assembly begins.
        curve : function
            The profile, ``lambda s: (x, y)`` in the plane of a.
        radius : scalar, default 0.0
            Radius of the roller, :math:`\rho`.

        Returns
        -------
        AttachedCamFollower
            With the attributes `force` (N), `torque` (N m), `load` (N), `parameter`,
            `parameter_rate`: placeholders for expressions.

        Attributes
        ----------
        start : scalar
            Initial parameter of the profile, from which assembly begins.
        curve : function
            The profile, ``lambda s: (x, y)`` in the plane of a.
        radius : scalar
            Radius of the roller, :math:`\rho`.
        """
        return self._attached(
            "cam_follower",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            start=start,
            curve=curve,
            radius=radius,
        )

    def common_plane(
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
    ) -> AttachedCommonPlane:
        r"""Planar joint by normal and distance from the origin, which both bodies have in common.

        .. math:: b_3 \cdot r_b - a_3 \cdot r_a = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = 0

        The same motions as `planar`, whose first equation is that of a point in the plane. Here no
        vector joins the two bodies; the reaction force acts along both normals.

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedCommonPlane
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s): placeholders for expressions.
        """
        return self._attached(
            "common_plane",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def common_point(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
    ) -> AttachedCommonPoint:
        """Two points coincide (what a spherical joint states), for use in joints of your own.

        .. math:: r_b - r_a = 0

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.

        Returns
        -------
        AttachedCommonPoint
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.
        """
        return self._attached(
            "common_point",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
        )

    def common_vector(
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
    ) -> AttachedCommonVector:
        r"""Axes e3 of a and b stay parallel (two equations; no common point).

        .. math:: a_3 \cdot b_1 = 0, \qquad a_3 \cdot b_2 = 0

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedCommonVector
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s): placeholders for expressions.
        """
        return self._attached(
            "common_vector",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def constant_velocity(
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
        twist: ScalarLike | None = None,
    ) -> AttachedConstantVelocity:
        r"""Constant-velocity (homokinetic) joint: common origin, no twist between the shafts e3.

        .. math:: r_b - r_a = 0, \qquad (1 + \cos\beta) \sin(\psi_0 - \psi) = 0

        Let the matrix ``R_ij = a.ei . b.ej`` turn a's axes into b's, and ``q = (q0, q1, q2, q3)``
        be its quaternion. It is a pure swing, a rotation about an axis normal to e3, where ``q3 =
        0``. With the twist ``psi = 2 atan2(q3, q0)`` and the bend angle ``beta`` between the
        shafts, ``R21 - R12 = 4 q0 q3 = (1 + cos(beta)) sin(psi)`` and ``R11 + R22 = 2 (q0^2 - q3^2)
        = (1 + cos(beta)) cos(psi)``. The joint keeps `psi` at `twist`, by default that of the
        initial position, where the markers need not agree in e1: ``(1 + cos(beta)) sin(twist - psi)
        = 0``. For ``twist = "none"`` this is ``R12 - R21 = 0``.

        Its rate is ``-(b.w - a.w) . (a.e3 + b.e3)``: the reaction torque lies along the bisector of
        the shafts, and shafts that turn in bearings with the speeds ``w_a`` and ``w_b`` fulfil
        ``(w_b - w_a) (1 + cos(beta)) = 0``, whatever the bend angle.

        Singular position: shafts folded back on each other (``beta`` = 180 degrees), where the
        derivative vanishes and the branch with another half turn of twist meets the wanted one.

        `bend` is the angle between the shafts, from 0 to pi, and `bend_rate` its derivative; where
        the shafts are in line the angle has a corner, and the rate is given as 0. The shafts of a
        bent joint need `axis_a` and `axis_b`, or markers whose e3 they are; `axis` is for shafts in
        line.

        Parameters
        ----------
        name : str
            Of the joint.
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
        twist : scalar, optional
            Angle :math:`\psi_0` that is kept; that of the initial position by default.

        Returns
        -------
        AttachedConstantVelocity
            With the attributes `force` (N), `torque` (N m), `load` (N), `bend` (rad), `bend_rate`
            (rad/s): placeholders for expressions.

        Attributes
        ----------
        twist : scalar, optional
            Angle :math:`\psi_0` that is kept; that of the initial position by default.
        """
        return self._attached(
            "constant_velocity",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            twist=twist,
        )

    def cylindrical(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
        turns: ScalarLike | None = None,
    ) -> AttachedCylindrical:
        r"""Translation along and rotation about e3 of a.

        .. math::
            a_1 \cdot d = a_2 \cdot d = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = 0, \qquad
            d = r_b - r_a

        Its `angle` begins within half a turn, and further away by whole `turns`.

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.
        turns : scalar, optional
            Integer revolutions added to the initial angle within half a revolution; None for none.

        Returns
        -------
        AttachedCylindrical
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s), `displacement` (m), `speed` (m/s): placeholders for expressions.
        """
        return self._attached(
            "cylindrical",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
            turns=turns,
        )

    def distance(
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
        length: ScalarLike | None = None,
    ) -> AttachedDistance:
        r"""Massless rod: constant distance between two points.

        .. math:: \frac{|r_b - r_a|^2 - L^2}{2 L} = 0

        Divided by twice the length, so that the residual is a length and the multiplier a force.

        Parameters
        ----------
        name : str
            Of the joint.
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
        length : scalar, optional
            Distance L; that of the initial position by default.

        Returns
        -------
        AttachedDistance
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.

        Attributes
        ----------
        length : scalar, optional
            Distance L; that of the initial position by default.
        """
        return self._attached(
            "distance",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            length=length,
        )

    def dot_product(
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
        cosine: ScalarLike | None = None,
    ) -> AttachedDotProduct:
        r"""The cosine between e3 of a and e3 of b keeps its value.

        .. math:: a_3 \cdot b_3 - c = 0

        Parameters
        ----------
        name : str
            Of the joint.
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
        cosine : scalar, optional
            Its value c; that of the initial position by default.

        Returns
        -------
        AttachedDotProduct
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.

        Attributes
        ----------
        cosine : scalar, optional
            Its value c; that of the initial position by default.
        """
        return self._attached(
            "dot_product",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            cosine=cosine,
        )

    def fixed(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
    ) -> AttachedFixed:
        r"""Weld: common origin and common axes, as they are at the start.

        .. math:: r_b - r_a = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = a_1 \cdot b_2 = 0

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.

        Returns
        -------
        AttachedFixed
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.
        """
        return self._attached(
            "fixed",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
        )

    def flat_follower(
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
        start: ScalarLike = 0.0,
        curve: FormulaLike,
    ) -> AttachedFlatFollower:
        r"""The plane through b with normal e3 of b touches the profile ``(x(s), y(s))`` of a cam.

        .. math:: n \cdot (r_a + A_a c(s) - r_b) = 0, \quad n \cdot A_a c'(s) = 0

        The profile lies in the plane of a with normal e3 of a: give `axis_a`, the axis of the cam,
        and `axis_b`, the normal of the face. The profile must be curved everywhere and have three
        continuous derivatives. There is no lift-off: the sign of the first multiplier indicates it.

        Parameters
        ----------
        name : str
            Of the joint.
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
        start : scalar, default 0.0
            Initial parameter of the profile, from which assembly begins.
        curve : function
            The profile, ``lambda s: (x, y)`` in the plane of a.

        Returns
        -------
        AttachedFlatFollower
            With the attributes `force` (N), `torque` (N m), `load` (N), `parameter`,
            `parameter_rate`: placeholders for expressions.

        Attributes
        ----------
        start : scalar
            Initial parameter of the profile, from which assembly begins.
        curve : function
            The profile, ``lambda s: (x, y)`` in the plane of a.
        """
        return self._attached(
            "flat_follower",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            start=start,
            curve=curve,
        )

    def gear(
        self,
        name: str,
        *,
        first: ScalarLike | VectorLike,
        second: ScalarLike | VectorLike,
        ratio: ScalarLike = 1.0,
        mesh: Literal["external", "internal"] | str = "external",
        phase: ScalarLike = 0.0,
        start: ScalarLike = 0.0,
    ) -> AttachedGear:
        r"""Gear pair: the angle `second` follows the angle `first` with a constant ratio.

        .. math:: \theta_1 = \psi, \qquad \theta_2 = \theta_0 \mp i \psi \qquad (\text{mod } 2\pi)

        The angles are measures of other joints, mostly of the revolutes that carry both wheels in
        the ground or in a common carrier: ``first=pin.angle, second=other.angle``. They are known
        modulo a revolution only; :math:`\psi`, a massless unknown, is continuous over all
        revolutions, so that the ratio may be any number. `ratio` is the speed of the second wheel
        divided by that of the first (radius of the first by radius of the second), `phase` is
        :math:`\theta_0`. Wheels of an external mesh turn against each other. Both multipliers are
        moments; the balance of :math:`\psi` is their ratio.

        Parameters
        ----------
        name : str
            Of the joint.
        first : scalar
            Angles of both wheels, measures of their joints.
        second : scalar
            Angles of both wheels, measures of their joints.
        ratio : scalar, default 1.0
            Speed of the second wheel divided by that of the first, i.
        mesh : {"external", "internal"}, default 'external'
            External mesh (opposite rotation) or internal mesh.
        phase : scalar, default 0.0
            Angle :math:`\theta_0` of the second wheel where that of the first is zero.
        start : scalar, default 0.0
            Initial :math:`\psi`, from which assembly begins.

        Returns
        -------
        AttachedGear
            With the attributes `turn` (rad), `turn_rate` (rad/s): placeholders for expressions.

        Attributes
        ----------
        first, second : scalar
            Angles of both wheels, measures of their joints.
        ratio : scalar
            Speed of the second wheel divided by that of the first, i.
        mesh : str
            External mesh (opposite rotation) or internal mesh.
        phase : scalar
            Angle :math:`\theta_0` of the second wheel where that of the first is zero.
        start : scalar
            Initial :math:`\psi`, from which assembly begins.
        """
        return self._attached(
            "gear",
            name,
            (),
            first=first,
            second=second,
            ratio=ratio,
            mesh=mesh,
            phase=phase,
            start=start,
        )

    def knife_edge(
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
    ) -> AttachedKnifeEdge:
        r"""Point b does not move along its e3, seen from a: a skate, or a wheel with that axle.

        .. math:: b_3 \cdot s = 0, \qquad s = v_b - v_a - \omega_a \times (r_b - r_a)

        All other motion is free; its support is another joint.

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedKnifeEdge
            With the attributes `force` (N), `torque` (N m), `load` (N), `slip` (m/s): placeholders
            for expressions.
        """
        return self._attached(
            "knife_edge",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def minimum_distance(
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
    ) -> AttachedMinimumDistance:
        r"""The planes through a and b with their normals e3 have the same distance from the origin.

        .. math:: b_3 \cdot r_b - a_3 \cdot r_a = 0

        The distance has a sign, that of the normal. With `common_vector` it is a planar joint that
        needs no vector between the two points.

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedMinimumDistance
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.
        """
        return self._attached(
            "minimum_distance",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def pin_in_slot(
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
        start: ScalarLike = 0.0,
        curve: FormulaLike,
    ) -> AttachedPinInSlot:
        r"""The point of b moves along a slot ``(x(s), y(s))`` in the plane of a with normal e3.

        .. math:: e_1 \cdot d = x(s), \quad e_2 \cdot d = y(s), \qquad d = r_b - r_a

        Motion along e3 is free: other joints keep both bodies in one plane. The curve must be
        regular (non-zero derivative) with two continuous derivatives; its parameter s is a massless
        unknown.

        Parameters
        ----------
        name : str
            Of the joint.
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
        start : scalar, default 0.0
            Initial parameter of the curve, from which assembly begins.
        curve : function
            The slot, ``lambda s: (x, y)`` in the plane of a.

        Returns
        -------
        AttachedPinInSlot
            With the attributes `force` (N), `torque` (N m), `load` (N), `parameter`,
            `parameter_rate`: placeholders for expressions.

        Attributes
        ----------
        start : scalar
            Initial parameter of the curve, from which assembly begins.
        curve : function
            The slot, ``lambda s: (x, y)`` in the plane of a.
        """
        return self._attached(
            "pin_in_slot",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            start=start,
            curve=curve,
        )

    def planar(
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
    ) -> AttachedPlanarJoint:
        r"""Point b slides on the plane of a with normal e3; its body turns about the normal.

        .. math:: a_3 \cdot (r_b - r_a) = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = 0

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedPlanarJoint
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s), `x` (m), `y` (m): placeholders for expressions.
        """
        return self._attached(
            "planar",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def point_in_plane(
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
    ) -> AttachedPointInPlane:
        r"""Point b stays in the plane through a with normal e3 of a.

        .. math:: a_3 \cdot (r_b - r_a) = 0

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedPointInPlane
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.
        """
        return self._attached(
            "point_in_plane",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def point_on_curve(
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
        start: ScalarLike = 0.0,
        curve: FormulaLike,
    ) -> AttachedPointOnCurve:
        r"""The point of b moves along a curve in space that is fixed in a.

        .. math:: r_b - r_a = A_a c(s)

        with the components :math:`c(s)` in the axes of a, ``curve=lambda s: (cos(s), sin(s), s /
        10)``, which must have two continuous derivatives and :math:`c' \ne 0`. The parameter s is
        an unknown without mass; `start` is its initial value, from which assembly begins.

        Parameters
        ----------
        name : str
            Of the joint.
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
        start : scalar, default 0.0
            Initial parameter of the curve, from which assembly begins.
        curve : function
            The curve, ``lambda s: (x, y, z)`` in the axes of a.

        Returns
        -------
        AttachedPointOnCurve
            With the attributes `force` (N), `torque` (N m), `load` (N), `parameter`,
            `parameter_rate`: placeholders for expressions.

        Attributes
        ----------
        start : scalar
            Initial parameter of the curve, from which assembly begins.
        curve : function
            The curve, ``lambda s: (x, y, z)`` in the axes of a.
        """
        return self._attached(
            "point_on_curve",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            start=start,
            curve=curve,
        )

    def point_on_line(
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
    ) -> AttachedPointOnLine:
        r"""Point b stays on the line through a along e3 of a.

        .. math:: a_1 \cdot (r_b - r_a) = 0, \qquad a_2 \cdot (r_b - r_a) = 0

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedPointOnLine
            With the attributes `force` (N), `torque` (N m), `load` (N), `displacement` (m), `speed`
            (m/s): placeholders for expressions.
        """
        return self._attached(
            "point_on_line",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def prismatic(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
    ) -> AttachedPrismatic:
        r"""Translation along e3 of a; no rotation.

        .. math::
            a_1 \cdot d = a_2 \cdot d = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = a_1 \cdot b_2 = 0,
            \qquad d = r_b - r_a

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.

        Returns
        -------
        AttachedPrismatic
            With the attributes `force` (N), `torque` (N m), `load` (N), `displacement` (m), `speed`
            (m/s): placeholders for expressions.
        """
        return self._attached(
            "prismatic",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
        )

    def rack_and_pinion(
        self,
        name: str,
        *,
        turn: ScalarLike | VectorLike,
        shift: ScalarLike | VectorLike,
        radius: ScalarLike = 1.0,
        offset: ScalarLike = 0.0,
    ) -> AttachedRackAndPinion:
        r"""Rack and pinion: the displacement `shift` follows the angle `turn` of the pinion.

        .. math:: x - x_0 = r \theta \qquad (\text{mod } 2\pi r)

        Both are measures of other joints, ``turn=pin.angle, shift=slide.displacement``. The
        displacement determines the revolutions, whose number is not limited. `radius` is that of
        the pinion, with a sign if the rack runs the other way, `offset` is :math:`x_0`. The
        multiplier is the force along the rack.

        Parameters
        ----------
        name : str
            Of the joint.
        turn : scalar
            Angle of the pinion, a measure of its joint.
        shift : scalar
            Displacement of the rack, a measure of its joint.
        radius : scalar, default 1.0
            Radius of the pinion, r; negative if the rack runs the other way.
        offset : scalar, default 0.0
            Displacement :math:`x_0` where the angle is zero.

        Returns
        -------
        AttachedRackAndPinion
            It has nothing that expressions could use.

        Attributes
        ----------
        turn : scalar
            Angle of the pinion, a measure of its joint.
        shift : scalar
            Displacement of the rack, a measure of its joint.
        radius : scalar
            Radius of the pinion, r; negative if the rack runs the other way.
        offset : scalar
            Displacement :math:`x_0` where the angle is zero.
        """
        return self._attached(
            "rack_and_pinion",
            name,
            (),
            turn=turn,
            shift=shift,
            radius=radius,
            offset=offset,
        )

    def relative_angle(
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
        function: ScalarLike = 0.0,
        start: ScalarLike | None = None,
    ) -> AttachedRelativeAngle:
        r"""The angle about e3 from a's e1 to b's e1 keeps `start`, plus a function of time.

        .. math:: \theta - \theta_0 - f(t) = 0 \quad \text{in } (-\pi, \pi]

        Without `start` it is the initial angle, so that f is the rotation from there. It constrains
        the rotation only; add the joint (a revolute, say) that guides the motion.

        Parameters
        ----------
        name : str
            Of the joint.
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
        function : scalar, default 0.0
            Rotation f from there, an expression of time.
        start : scalar, optional
            Angle :math:`\theta_0`; that of the initial position by default.

        Returns
        -------
        AttachedRelativeAngle
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s): placeholders for expressions.

        Attributes
        ----------
        function : scalar
            Rotation f from there, an expression of time.
        start : scalar, optional
            Angle :math:`\theta_0`; that of the initial position by default.
        """
        return self._attached(
            "relative_angle",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            function=function,
            start=start,
        )

    def relative_translation(
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
        function: ScalarLike = 0.0,
        start: ScalarLike | None = None,
    ) -> AttachedRelativeTranslation:
        r"""The distance along e3 of a from a to b keeps `start`, plus a function of time.

        .. math:: a_3 \cdot (r_b - r_a) - z_0 - f(t) = 0

        Without `start` it is the initial distance, so that the function is the displacement from
        there.

        Parameters
        ----------
        name : str
            Of the joint.
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
        function : scalar, default 0.0
            Displacement f, an expression of time.
        start : scalar, optional
            Distance :math:`z_0`; that of the initial position by default.

        Returns
        -------
        AttachedRelativeTranslation
            With the attributes `force` (N), `torque` (N m), `load` (N), `displacement` (m), `speed`
            (m/s): placeholders for expressions.

        Attributes
        ----------
        function : scalar
            Displacement f, an expression of time.
        start : scalar, optional
            Distance :math:`z_0`; that of the initial position by default.
        """
        return self._attached(
            "relative_translation",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            function=function,
            start=start,
        )

    def revolute(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
        turns: ScalarLike | None = None,
    ) -> AttachedRevolute:
        r"""Common origin; axis e3 of a stays normal to e1 and e2 of b.

        .. math:: r_b - r_a = 0, \qquad a_3 \cdot b_1 = 0, \qquad a_3 \cdot b_2 = 0

        Its `angle` begins within half a turn, and further away by whole `turns`.

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.
        turns : scalar, optional
            Integer revolutions added to the initial angle within half a revolution; None for none.

        Returns
        -------
        AttachedRevolute
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s): placeholders for expressions.
        """
        return self._attached(
            "revolute",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
            turns=turns,
        )

    def rolling_disc(
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
        radius: ScalarLike = 1.0,
        rounding: ScalarLike = 0.0,
        grip: Literal["full", "sideways", "forward", "none"] | str = "full",
    ) -> AttachedRollingDisc:
        r"""A wheel touches a plane, and its touching point does not slip: a thin disc, or a torus.

        `a` is the plane through its point with normal :math:`n` = e3, on whose side the wheel is;
        `b` is the centre of the wheel, whose axle :math:`e` is e3. From there the touching point is

        .. math:: \rho = -r \frac{n - (n \cdot e) e}{|n - (n \cdot e) e|} - r_0 n

        with the `radius` :math:`r` of the rim's middle and its `rounding` :math:`r_0`. `grip`
        selects the components of the slip :math:`s` that are prevented, in addition to lift-off:

        ========== ================== ========================================================
        full       all of it          :math:`s = 0` in the plane
        sideways   along the axle     :math:`s \cdot c = 0`, :math:`c = (e - (n \cdot e) n)/|...|`
        forward    along the track    :math:`s \cdot (e \times n)/|...| = 0`
        none       none: a disc on ice
        ========== ================== ========================================================

        Parameters
        ----------
        name : str
            Of the joint.
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
        radius : scalar, default 1.0
            Radius of the middle of the rim, r.
        rounding : scalar, default 0.0
            Radius of a round rim; 0 for a thin disc.
        grip : {"full", "sideways", "forward", "none"}, default 'full'
            Which slip is prevented.

        Returns
        -------
        AttachedRollingDisc
            With the attributes `force` (N), `torque` (N m), `load` (N), `contact` (m), `slip`
            (m/s): placeholders for expressions.

        Attributes
        ----------
        radius : scalar
            Radius of the middle of the rim, r.
        rounding : scalar
            Radius of a round rim; 0 for a thin disc.
        grip : str
            Which slip is prevented.
        """
        return self._attached(
            "rolling_disc",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            radius=radius,
            rounding=rounding,
            grip=grip,
        )

    def rolling_point(
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
    ) -> AttachedRollingPoint:
        r"""Zero velocity of b at the point of a: b rolls there; a carries the contact point.

        .. math:: v_b + \omega_b \times (r_a - r_b) = 0

        The contact point is not fixed in the wheel. A carrier (it may be massless) has it: attached
        to the axle by a revolute joint, with an axis kept parallel to the ground (`dot_product`).
        The ground is at rest. Heights are constrained by their rates only: they drift with the
        integration error.

        Parameters
        ----------
        name : str
            Of the joint.
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

        Returns
        -------
        AttachedRollingPoint
            With the attributes `force` (N), `torque` (N m), `load` (N), `contact` (m), `slip`
            (m/s): placeholders for expressions.
        """
        return self._attached(
            "rolling_point",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def rolling_sphere(
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
        radius: ScalarLike = 1.0,
    ) -> AttachedRollingSphere:
        r"""A sphere touches a plane, and its touching point does not slip; it may spin there.

        .. math::
            a_3 \cdot (r_b - r_a) - R = 0, \qquad a_1 \cdot s = a_2 \cdot s = 0, \qquad
            s = v_b - v_a - R\, \omega_b \times a_3 - \omega_a \times (r_b - R a_3 - r_a)

        `a` is the plane through its point with normal e3, on whose side the sphere is; `b` is the
        centre of the sphere. The plane may move: a turntable.

        Parameters
        ----------
        name : str
            Of the joint.
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
        radius : scalar, default 1.0
            Radius of the sphere, R.

        Returns
        -------
        AttachedRollingSphere
            With the attributes `force` (N), `torque` (N m), `load` (N), `contact` (m), `slip`
            (m/s): placeholders for expressions.

        Attributes
        ----------
        radius : scalar
            Radius of the sphere, R.
        """
        return self._attached(
            "rolling_sphere",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            radius=radius,
        )

    def rotation_driver(
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
        angle: ScalarLike = 0.0,
    ) -> AttachedRotationDriver:
        r"""Prescribed rotation about e3: b's e1 is turned from a's e1 by `angle(t)`.

        .. math:: \theta - \varphi(t) = 0 \quad \text{in } (-\pi, \pi]

        The difference is taken between directions, so it has no discontinuity where the angle
        passes half a revolution, and (unlike its sine) no second solution half a revolution away.
        It drives the rotation only; add the joint (a revolute, say) that guides the motion.

        Parameters
        ----------
        name : str
            Of the joint.
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
        angle : scalar, default 0.0
            Expression of time :math:`\varphi`.

        Returns
        -------
        AttachedRotationDriver
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s): placeholders for expressions.

        Attributes
        ----------
        angle : scalar
            Expression of time :math:`\varphi`.
        """
        return self._attached(
            "rotation_driver",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            angle=angle,
        )

    def screw(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
        lead: ScalarLike = 0.01,
        offset: ScalarLike | None = None,
    ) -> AttachedScrew:
        r"""Cylindrical joint with a thread: b advances along e3 of a by `lead` in one turn.

        .. math:: z - z_0 = \frac{p}{2\pi} \theta

        The displacement z determines the revolutions, so that their number is not limited: the last
        equation is the angle minus :math:`2\pi (z - z_0)/p` in (-pi, pi], times :math:`p/2\pi`, so
        that its multiplier is a force along the axis. A negative lead is a left-handed thread.
        `offset` is :math:`z_0`, the displacement at the angle zero; by default that of the initial
        position.

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.
        lead : scalar, default 0.01
            Advance p in one turn.
        offset : scalar, optional
            Displacement :math:`z_0` at the angle zero; that of the initial position by default.

        Returns
        -------
        AttachedScrew
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle` (rad), `rate`
            (rad/s), `displacement` (m), `speed` (m/s), `turn` (rad): placeholders for expressions.

        Attributes
        ----------
        lead : scalar
            Advance p in one turn.
        offset : scalar, optional
            Displacement :math:`z_0` at the angle zero; that of the initial position by default.
        """
        return self._attached(
            "screw",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
            lead=lead,
            offset=offset,
        )

    def spherical(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
    ) -> AttachedSpherical:
        """Common origin.

        .. math:: r_b - r_a = 0

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.

        Returns
        -------
        AttachedSpherical
            With the attributes `force` (N), `torque` (N m), `load` (N): placeholders for
            expressions.
        """
        return self._attached(
            "spherical",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
        )

    def translation_driver(
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
        distance: ScalarLike = 0.0,
    ) -> AttachedTranslationDriver:
        r"""Prescribed position of b along e3 of a, measured from a: `distance(t)`.

        .. math:: a_3 \cdot (r_b - r_a) - z(t) = 0

        Parameters
        ----------
        name : str
            Of the joint.
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
        distance : scalar, default 0.0
            Expression of time z.

        Returns
        -------
        AttachedTranslationDriver
            With the attributes `force` (N), `torque` (N m), `load` (N), `displacement` (m), `speed`
            (m/s): placeholders for expressions.

        Attributes
        ----------
        distance : scalar
            Expression of time z.
        """
        return self._attached(
            "translation_driver",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            distance=distance,
        )

    def universal(
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
        form: Literal["general", "linear", "shared"] | str = "general",
        slopes: Literal["none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"]
        | str
        | None = None,
        cosine: ScalarLike = 0.0,
    ) -> AttachedUniversal:
        r"""Common origin; e3 of a (axis_a) stays normal to e3 of b (axis_b).

        .. math:: r_b - r_a = 0, \qquad a_3 \cdot b_3 - c = 0

        With a `cosine` other than zero the cross is not rectangular: it is the constant dot product
        of the two axes, between -1 and 1.

        `angle_a` is the rotation of b's axis about a's axis, from a's e1; `angle_b` is the rotation
        of b about its own axis, from a's axis to b's e1.

        Parameters
        ----------
        name : str
            Of the joint.
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
        form : {"general", "linear", "shared"}, default 'general'
            Form of its equations.
        slopes : {"none", "rx", "ry", "rz", "rx ry", "rx rz", "ry rz", "rx ry rz"}, optional
            Slopes of the section fixed by the other forms; determined automatically.
        cosine : scalar, default 0.0
            Cosine c of the constant angle between both axes.

        Returns
        -------
        AttachedUniversal
            With the attributes `force` (N), `torque` (N m), `load` (N), `angle_a` (rad), `angle_b`
            (rad): placeholders for expressions.

        Attributes
        ----------
        cosine : scalar
            Cosine c of the constant angle between both axes.
        """
        return self._attached(
            "universal",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            form=form,
            slopes=slopes,
            cosine=cosine,
        )
