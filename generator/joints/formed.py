r"""Joints with three equivalent forms, for connections of beams and rigid bodies.

The general form is a set of constraints between two frames. The linear form fixes slopes of a
section, which are coordinates of its beam, in the axes of the other body,

.. math:: r_{,j} = \sum_k l_{kj}\, \hat e_k ,

where the axes and a common point are linear in the coordinates, too: such equations can be
eliminated. Fixed to a rigid body the section cannot deform. In the shared form the bodies share the
coordinates of the point and the vectors, without equations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from mbdgen.errors import ModelError
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.sections import Section, linear_axis
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.joints.base import Joint
from mbdgen.language.bodies.shared_geometry import (
    SLOPES,
    common_point,
    common_vector,
    slope_along,
    slopes_of,
    turn_in_plane,
)
from mbdgen.language.bodies.sharing import Shared
from mbdgen.language.expressions.scalars import is_number
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.path import MovingMarker

NONE = "none"
HELD = tuple(" ".join(some) for n in (1, 2, 3) for some in combinations(SLOPES, n))


@dataclass(frozen=True)
class FormedJoint(Joint):
    """Base of joints with forms.

    Attributes
    ----------
    form : {"general", "linear", "shared"}
        Form of its equations.
    slopes : str, optional
        Slopes of the section fixed by the other forms; determined automatically.
    meets : bool
        Whether the points of its frames coincide.
    holds : str
        Constrained directions: its ``axis``, ``all``, or none expressible by slopes.
    """

    choices = {"form": ("general", "linear", "shared"), "slopes": (NONE, *HELD)}
    meets: ClassVar[bool] = True
    holds: ClassVar[str] = ""

    form: str = "general"
    slopes: Any = None

    def guides(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the translational constraints of joints whose points do not coincide."""
        return []

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraints on directions, which fixed slopes can replace."""
        return []

    def besides(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraints common to all forms."""
        return []

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        points = [*(b.r - a.r)] if self.meets and self.form != "shared" else []
        return [*points, *self.guides(a, b), *self._turned(a, b), *self.besides(a, b)]

    @property
    def reacts(self) -> bool:
        """Whether its reactions are those of its equations."""
        return self.form != "shared"

    @property
    def stated(self) -> str:
        """Form of its equations."""
        return self.form

    def blocks_section(self, *markers: Marker) -> bool:
        """Return whether a beam section cannot deform because a rigid body fixes its slopes."""
        flexible = [m for m in markers if m.body.kind is not None and m.body.kind.flexible]
        return self.slopes != NONE and len(flexible) < len(markers)

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject forms that are impossible for these bodies."""
        if self.form == "general":
            if self.slopes not in (None, NONE):
                raise ModelError(
                    f"{what} holds slopes {self.slopes}, but has the general form.",
                    "Give form='linear' or form='shared' too.",
                )
            return
        for marker in markers:
            if isinstance(marker, MovingMarker):
                raise ModelError(
                    f"{what} has form={self.form!r}, but '{marker.label}' moves along its path: "
                    "what it meets there changes.",
                    "Use form='general'.",
                )
        section, _ = _section_first(*markers)
        known = slopes_of(section) if self.holds else ()
        missing = set((self.slopes or NONE).split()) - {NONE, *known}
        if missing:
            raise ModelError(
                f"{what} holds {' and '.join(sorted(missing))} of {section.body.called}, which "
                f"has: {', '.join(known) or 'none to hold'}.",
                "Give some of these, or leave slopes away.",
            )

    def check_complete(self, what: str, *markers: Marker) -> None:
        """Reject a linear form with nonlinear equations."""
        if self.form != "linear":
            return
        for marker in markers:
            kind = marker.body.kind
            if kind is not None and not kind.linear:
                raise ModelError(
                    f"{what} has form='linear', but points and axes of {marker.body.called} are "
                    f"not linear in its coordinates ({kind.name}).",
                    "Use form='general', or give it coordinates='natural'.",
                )
            sides = zip(marker.point[1:], ("ry", "rz"), strict=True)
            beside = {slope for c, slope in sides if not is_number(c) or c != 0}
            if kind is not None and kind.flexible and beside - {*slopes_of(marker)}:
                raise ModelError(
                    f"{what} has form='linear', but its point is beside the line of "
                    f"{marker.body.called}.",
                    "Give a point on the line, or form='general'.",
                )

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the slopes that it fixes."""
        section, other = _section_first(*markers)
        if self.form == "general" or not self.holds or not slopes_of(section):
            return {"slopes": NONE}
        if self.holds == "all":
            return {"slopes": " ".join(slopes_of(section)) or NONE}
        slope = slope_along(section)
        held = self.form == "linear" or common_vector(section, slope, other) is not None
        return {"slopes": slope if slope and held else NONE}

    def shares(self, what: str, *markers: Marker) -> Sequence[Shared]:
        """Return the shared point and vectors that replace equations."""
        if self.form == "general":
            return ()
        self._check_held(what, *markers)
        if self.form == "linear":
            return ()
        found = []
        if self.meets:
            point = common_point(*markers)
            if point is None:
                raise _unshared(what, "point where they meet", *markers)
            found.append(point)
        for slope in self.slopes.split() if self.slopes != NONE else ():
            section, other = _section_first(*markers)
            vector = common_vector(section, slope, other)
            if vector is None:
                raise _unshared(what, _named(slope), section, other)
            found.append(vector)
        return found

    def _check_held(self, what: str, *markers: Marker) -> None:
        """Reject forms without a slope if slopes are needed for the directions.

        A shared form with common points only is allowed.
        """
        if self.slopes != NONE or not self.holds or (self.form == "shared" and self.meets):
            return
        section, other = _section_first(*markers)
        if turn_in_plane(*markers):
            return
        if not slopes_of(section):
            raise ModelError(
                f"{what} has form={self.form!r}, but joins no section that has slopes.",
                "Use form='general'; `share` lets natural bodies have vectors in common.",
            )
        if slope_along(section):
            raise _unshared(what, _named(slope_along(section)), section, other)
        raise ModelError(
            f"{what} has form={self.form!r}, but its axis is along no slope of a section of "
            f"{section.body.called}, which has: {', '.join(slopes_of(section)) or 'none'}.",
            "Turn the axis or the sections (across= of the beam), or use form='general'.",
        )

    def _turned(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraints on directions."""
        if self.slopes == NONE:
            return self.directions(a, b)
        if self.form == "shared":
            return []
        section, other = (a, b) if isinstance(a, Section) else (b, a)
        assert isinstance(section, Section) and section.local_axes is not None
        found: list[Expr] = []
        for name in self.slopes.split():
            j = SLOPES.index(name)
            found += section.slope(j) - self._wanted(section, other, j)
        return found

    def _wanted(self, section: Section, other: Frame, j: int) -> Vec:
        """Return slope j of a section as a combination of the axes of the other frame."""
        assert section.local_axes is not None
        # The other axes rotate about the joint axis in space.
        known = (2,) if self.holds == "axis" and not section.kind.planar else (0, 1, 2)
        total = zero()
        for k in known:
            share = section.local_axes[k][j]
            if share != 0:
                total = total + linear_axis(other, k) * share
        return total


def _section_first(a: Marker, b: Marker) -> tuple[Marker, Marker]:
    """Return the section whose slopes are fixed, and the frame that fixes them."""
    kind = a.body.kind
    return (a, b) if kind is not None and kind.flexible else (b, a)


def _unshared(what: str, missing: str, a: Marker, b: Marker) -> ModelError:
    return ModelError(
        f"{what} has form='shared', but {a.body.called} and {b.body.called} have no {missing} "
        "among the coordinates of both.",
        "Give a rigid body coordinates='natural' with that in its points=[...] or vectors=[...], "
        "or use form='linear' or form='general'.",
    )


def _named(slope: str) -> str:
    return f"vector that is {slope} of the section"
