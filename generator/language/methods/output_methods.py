"""Methods of `Model` that add outputs.

Written by ``python tasks.py methods``: change the classes that state it instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.methods.base import StatedMethods

if TYPE_CHECKING:
    from mbdgen.language.argument_types import End, VectorLike
    from mbdgen.language.methods.attached_types import (
        AttachedAngleBetween,
        AttachedDisplacement,
        AttachedPointToLine,
        AttachedRelativeVelocity,
    )


@explains_arguments
class OutputMethods(StatedMethods):
    """Methods of `Model` that add outputs."""

    def angle_between(
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
    ) -> AttachedAngleBetween:
        r"""Angle between the axes e3 of `a` and `b`, from 0 to pi.

        .. math:: \varphi = \operatorname{atan2}(|a_3 \times b_3|, a_3 \cdot b_3)

        ``atan2(|e_a x e_b|, e_a . e_b)``, accurate for nearly parallel axes.

        Parameters
        ----------
        name : str
            Of the output.
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
        AttachedAngleBetween
            With the attributes `value` (rad): placeholders for expressions.
        """
        return self._attached(
            "angle_between",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def displacement(
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
        rest: VectorLike | None = None,
    ) -> AttachedDisplacement:
        """Displacement of the point of `b` relative to the frame of `a`, along its axes, in m.

        .. math:: u = A_a^T (r_b - r_a) - u_0

        ``A_a^T (r_b - r_a)`` minus its initial value, or minus `rest`: zero in every common
        rigid-body motion. Beam sections are frames, so this is the deformation relative to one of
        them.

        Parameters
        ----------
        name : str
            Of the output.
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
        rest : 3 scalars, optional
            Reference position :math:`u_0`; the initial one by default.

        Returns
        -------
        AttachedDisplacement
            With the attributes `value` (m): placeholders for expressions.

        Attributes
        ----------
        rest : 3 scalars, optional
            Reference position :math:`u_0`; the initial one by default.
        """
        return self._attached(
            "displacement",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
            rest=rest,
        )

    def point_to_line(
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
    ) -> AttachedPointToLine:
        r"""Distance of the point of `b` from the line through the point of `a` along its e3, in m.

        .. math:: |a_3 \times (r_b - r_a)|

        ``|e3 x (r_b - r_a)|``, accurate near the line; never negative.

        Parameters
        ----------
        name : str
            Of the output.
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
        AttachedPointToLine
            With the attributes `value` (m): placeholders for expressions.
        """
        return self._attached(
            "point_to_line",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )

    def relative_velocity(
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
    ) -> AttachedRelativeVelocity:
        r"""Velocity of the point of `b` relative to the body of `a`, along the axes of `a`, in m/s.

        .. math:: A_a^T \bigl(v_b - v_a - \omega_a \times (r_b - r_a)\bigr)

        ``A_a^T (v_b - v_a - w_a x (r_b - r_a))``

        Parameters
        ----------
        name : str
            Of the output.
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
        AttachedRelativeVelocity
            With the attributes `value` (m/s): placeholders for expressions.
        """
        return self._attached(
            "relative_velocity",
            name,
            (a, b),
            at=at,
            axis=axis,
            axis_a=axis_a,
            axis_b=axis_b,
            reference=reference,
        )
