"""Methods of `Model` that add bodies and contacts.

Written by ``python tasks.py methods``: change the classes that state it instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.methods.base import StatedMethods

if TYPE_CHECKING:
    from mbdgen.language.argument_types import (
        InertiaLike,
        MassLike,
        ScalarLike,
        VectorLike,
        VectorsLike,
    )
    from mbdgen.language.beams.beam import Beam
    from mbdgen.language.beams.cross_section import CrossSection, Material
    from mbdgen.language.beams.section_stiffness import SectionStiffness
    from mbdgen.language.bodies.body import Body
    from mbdgen.language.bodies.crowd import Crowd
    from mbdgen.language.flexible.flexible_body import FlexibleBody
    from mbdgen.language.flexible.floating_beam import FloatingBeam
    from mbdgen.language.markers.belt_loop import Loop
    from mbdgen.language.markers.marker import Marker


@explains_arguments
class BodyMethods(StatedMethods):
    """Methods of `Model` that add bodies and contacts."""

    def body(
        self,
        name: str,
        mass: MassLike | None = None,
        inertia: InertiaLike | None = None,
        *,
        coordinates: str | type[Any] | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: Any = None,
        angle: ScalarLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: ScalarLike | VectorLike = 0.0,
        angular_velocity_axes: Literal["global", "body"] | str = "global",
        centre_of_mass: VectorLike = (0.0, 0.0, 0.0),
        inertia_about: VectorLike | None = None,
        allow_unphysical_inertia: bool = False,
        length: ScalarLike | None = None,
        points: VectorsLike = (),
        vectors: VectorsLike = (),
        rigid_by: Literal["products", "distances"] | str = "products",
        fixed: str | Sequence[str] = (),
        fixed_velocity: str | Sequence[str] = (),
        color: str | None = None,
        radius: ScalarLike | None = None,
        young: ScalarLike | None = None,
        poisson: ScalarLike | None = None,
    ) -> Body:
        """Add a body.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        mass : scalar or MassProperties
            Mass (zero for a massless body), or the result of a function of
            `mbdgen.language.bodies.homogeneous_shapes`.
        inertia : 3 scalars, 3 x 3 scalars, or a scalar in the plane
            Principal moments or full tensor in body axes, about the centre of mass unless
            `inertia_about` says otherwise. None means a point mass.
        coordinates : str or class
            Body kind by its name, or a class of your own (of a body kind or an orientation set);
            default is that of the model.
        position, velocity : 2 or 3 scalars
            Of the reference point, global axes.
        orientation : Orientation, quaternion or rotation matrix
            Of the body axes.
        angle : scalar, optional
            Instead of an orientation: rotation about z.
        angular_velocity : 3 scalars, or a scalar about z
            In global axes, or in body axes if `angular_velocity_axes` is "body".
        angular_velocity_axes : {"global", "body"}
            Axes of the angular velocity.
        centre_of_mass : 2 or 3 scalars
            From the reference point, in body axes.
        inertia_about : 2 or 3 scalars, optional
            Point that the inertia refers to, in body axes.
        allow_unphysical_inertia : bool
            Whether moments are accepted that no body can have.
        length : scalar
            Distance of the points of a natural body, where they are not given; 1 m by default.
            ``natural`` is two points in the plane with it, as with other data in the plane.
        points, vectors : lists of vectors
            Basic points and vectors of a natural body, from the reference point in body axes. The
            kind ``natural`` has as many as are given; missing vectors are added.
        rigid_by : {"products", "distances"}
            Whether several points of a natural body keep the inner products of their arms, or their
            mutual distances.
        fixed : names of coordinates, "position", "orientation", or "all"
            Initial positions that consistent initialisation (assembly) must not change; velocities
            are not affected.
        fixed_velocity : names of coordinates, "velocity", "angular_velocity", or "all"
            Initial velocities that consistent initialisation (assembly) must not change.
        color : str
            What it is drawn in: a name of `mbdgen.language.colours`, or ``#rrggbb``.
        radius, young, poisson : scalar
            Where it touches others: radius about the reference point, Young's modulus, Poisson's
            ratio (0.3 by default). Contacts take them from here.

        Returns
        -------
        Body
            Its points are markers: ``body.at(x, y, z)``.
        """
        return self._body(
            name,
            mass,
            inertia,
            coordinates=coordinates,
            position=position,
            orientation=orientation,
            angle=angle,
            velocity=velocity,
            angular_velocity=angular_velocity,
            angular_velocity_axes=angular_velocity_axes,
            centre_of_mass=centre_of_mass,
            inertia_about=inertia_about,
            allow_unphysical_inertia=allow_unphysical_inertia,
            length=length,
            points=points,
            vectors=vectors,
            rigid_by=rigid_by,
            fixed=fixed,
            fixed_velocity=fixed_velocity,
            color=color,
            radius=radius,
            young=young,
            poisson=poisson,
        )

    def planar_body(
        self,
        name: str,
        mass: MassLike | None = None,
        inertia: InertiaLike | None = None,
        *,
        coordinates: str | type[Any] | None = "planar",
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: Any = None,
        angle: ScalarLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: ScalarLike | VectorLike = 0.0,
        angular_velocity_axes: Literal["global", "body"] | str = "global",
        centre_of_mass: VectorLike = (0.0, 0.0, 0.0),
        inertia_about: VectorLike | None = None,
        allow_unphysical_inertia: bool = False,
        length: ScalarLike | None = None,
        points: VectorsLike = (),
        vectors: VectorsLike = (),
        rigid_by: Literal["products", "distances"] | str = "products",
        fixed: str | Sequence[str] = (),
        fixed_velocity: str | Sequence[str] = (),
        color: str | None = None,
        radius: ScalarLike | None = None,
        young: ScalarLike | None = None,
        poisson: ScalarLike | None = None,
    ) -> Body:
        """Add a body that moves in the plane z = 0, with coordinates x, y and theta.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        mass : scalar or MassProperties
            Mass (zero for a massless body), or the result of a function of
            `mbdgen.language.bodies.homogeneous_shapes`.
        inertia : 3 scalars, 3 x 3 scalars, or a scalar in the plane
            Principal moments or full tensor in body axes, about the centre of mass unless
            `inertia_about` says otherwise. None means a point mass.
        coordinates : str or class
            Body kind by its name, or a class of your own (of a body kind or an orientation set);
            default is that of the model.
        position, velocity : 2 or 3 scalars
            Of the reference point, global axes.
        orientation : Orientation, quaternion or rotation matrix
            Of the body axes.
        angle : scalar, optional
            Instead of an orientation: rotation about z.
        angular_velocity : 3 scalars, or a scalar about z
            In global axes, or in body axes if `angular_velocity_axes` is "body".
        angular_velocity_axes : {"global", "body"}
            Axes of the angular velocity.
        centre_of_mass : 2 or 3 scalars
            From the reference point, in body axes.
        inertia_about : 2 or 3 scalars, optional
            Point that the inertia refers to, in body axes.
        allow_unphysical_inertia : bool
            Whether moments are accepted that no body can have.
        length : scalar
            Distance of the points of a natural body, where they are not given; 1 m by default.
            ``natural`` is two points in the plane with it, as with other data in the plane.
        points, vectors : lists of vectors
            Basic points and vectors of a natural body, from the reference point in body axes. The
            kind ``natural`` has as many as are given; missing vectors are added.
        rigid_by : {"products", "distances"}
            Whether several points of a natural body keep the inner products of their arms, or their
            mutual distances.
        fixed : names of coordinates, "position", "orientation", or "all"
            Initial positions that consistent initialisation (assembly) must not change; velocities
            are not affected.
        fixed_velocity : names of coordinates, "velocity", "angular_velocity", or "all"
            Initial velocities that consistent initialisation (assembly) must not change.
        color : str
            What it is drawn in: a name of `mbdgen.language.colours`, or ``#rrggbb``.
        radius, young, poisson : scalar
            Where it touches others: radius about the reference point, Young's modulus, Poisson's
            ratio (0.3 by default). Contacts take them from here.

        Returns
        -------
        Body
            Its points are markers: ``body.at(x, y, z)``.
        """
        return self._body(
            name,
            mass,
            inertia,
            coordinates=coordinates,
            position=position,
            orientation=orientation,
            angle=angle,
            velocity=velocity,
            angular_velocity=angular_velocity,
            angular_velocity_axes=angular_velocity_axes,
            centre_of_mass=centre_of_mass,
            inertia_about=inertia_about,
            allow_unphysical_inertia=allow_unphysical_inertia,
            length=length,
            points=points,
            vectors=vectors,
            rigid_by=rigid_by,
            fixed=fixed,
            fixed_velocity=fixed_velocity,
            color=color,
            radius=radius,
            young=young,
            poisson=poisson,
        )

    def point_mass(
        self,
        name: str,
        mass: MassLike | None = None,
        *,
        coordinates: str | type[Any] | None = "point",
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: Any = None,
        angle: ScalarLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: ScalarLike | VectorLike = 0.0,
        angular_velocity_axes: Literal["global", "body"] | str = "global",
        centre_of_mass: VectorLike = (0.0, 0.0, 0.0),
        inertia_about: VectorLike | None = None,
        allow_unphysical_inertia: bool = False,
        length: ScalarLike | None = None,
        points: VectorsLike = (),
        vectors: VectorsLike = (),
        rigid_by: Literal["products", "distances"] | str = "products",
        fixed: str | Sequence[str] = (),
        fixed_velocity: str | Sequence[str] = (),
        color: str | None = None,
        radius: ScalarLike | None = None,
        young: ScalarLike | None = None,
        poisson: ScalarLike | None = None,
    ) -> Body:
        """Add a point mass.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        mass : scalar or MassProperties
            Mass (zero for a massless body), or the result of a function of
            `mbdgen.language.bodies.homogeneous_shapes`.
        coordinates : str or class
            Body kind by its name, or a class of your own (of a body kind or an orientation set);
            default is that of the model.
        position, velocity : 2 or 3 scalars
            Of the reference point, global axes.
        orientation : Orientation, quaternion or rotation matrix
            Of the body axes.
        angle : scalar, optional
            Instead of an orientation: rotation about z.
        angular_velocity : 3 scalars, or a scalar about z
            In global axes, or in body axes if `angular_velocity_axes` is "body".
        angular_velocity_axes : {"global", "body"}
            Axes of the angular velocity.
        centre_of_mass : 2 or 3 scalars
            From the reference point, in body axes.
        inertia_about : 2 or 3 scalars, optional
            Point that the inertia refers to, in body axes.
        allow_unphysical_inertia : bool
            Whether moments are accepted that no body can have.
        length : scalar
            Distance of the points of a natural body, where they are not given; 1 m by default.
            ``natural`` is two points in the plane with it, as with other data in the plane.
        points, vectors : lists of vectors
            Basic points and vectors of a natural body, from the reference point in body axes. The
            kind ``natural`` has as many as are given; missing vectors are added.
        rigid_by : {"products", "distances"}
            Whether several points of a natural body keep the inner products of their arms, or their
            mutual distances.
        fixed : names of coordinates, "position", "orientation", or "all"
            Initial positions that consistent initialisation (assembly) must not change; velocities
            are not affected.
        fixed_velocity : names of coordinates, "velocity", "angular_velocity", or "all"
            Initial velocities that consistent initialisation (assembly) must not change.
        color : str
            What it is drawn in: a name of `mbdgen.language.colours`, or ``#rrggbb``.
        radius, young, poisson : scalar
            Where it touches others: radius about the reference point, Young's modulus, Poisson's
            ratio (0.3 by default). Contacts take them from here.

        Returns
        -------
        Body
            Its points are markers: ``body.at(x, y, z)``.
        """
        return self._body(
            name,
            mass,
            coordinates=coordinates,
            position=position,
            orientation=orientation,
            angle=angle,
            velocity=velocity,
            angular_velocity=angular_velocity,
            angular_velocity_axes=angular_velocity_axes,
            centre_of_mass=centre_of_mass,
            inertia_about=inertia_about,
            allow_unphysical_inertia=allow_unphysical_inertia,
            length=length,
            points=points,
            vectors=vectors,
            rigid_by=rigid_by,
            fixed=fixed,
            fixed_velocity=fixed_velocity,
            color=color,
            radius=radius,
            young=young,
            poisson=poisson,
        )

    def beam(
        self,
        name: str,
        points: VectorsLike | Loop,
        section: CrossSection | SectionStiffness,
        material: Material | None = None,
        *,
        elements: int = 10,
        kind: str | type[Any] | Sequence[str | type[Any]] = "",
        across: VectorLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: ScalarLike | VectorLike = 0.0,
        elongation: ScalarLike = 0.0,
        axial: ScalarLike | None = None,
        bending: ScalarLike | None = None,
        bent: bool | None = None,
    ) -> Beam:
        """Add a flexible beam.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        points : two points, more of them, or a loop
            Initial midline: a straight line between two points, the smooth curve through all of
            them, or around a `loop` of mbdgen, where the last node is the first one.
        section : CrossSection or SectionStiffness
            ``rectangle``, ``circle``, ``tube`` or ``general_section`` of mbdgen; or
            ``section_stiffness``, which needs no material.
        material : Material
            ``material`` of mbdgen.
        elements : int
            Number of elements, all of the same length.
        kind : str, or one for each element
            Element kind by name (``ancf-omar`` is accepted, too) or class; an unknown name lists
            them. Where two kinds meet, they share the nodal coordinates that both have.
        across : 3 scalars, optional
            Direction to which axis y of the sections is closest; determined in the plane.
        velocity : 3 scalars
            Initial velocity of the start of the beam.
        angular_velocity : 3 scalars, or a scalar about z
            Initial angular velocity of the whole beam, moving as a rigid body.
        elongation : scalar
            Initial axial strain: elongation relative to the natural length.
        axial, bending : scalar, optional
            Factors of the axial stiffness, and of the bending and shear stiffness, for kinds that
            support them.
        bent : bool, optional
            Whether a beam along a curve is straight when unloaded. Otherwise the curve is the
            unstrained configuration, from which moments are measured. Default: true of loops, false
            of others.

        Returns
        -------
        Beam
            Its ``start``, ``end``, ``node(k)`` and ``at(s)`` are markers.
        """
        return self._beam(
            name,
            points,
            section,
            material,
            elements=elements,
            kind=kind,
            across=across,
            velocity=velocity,
            angular_velocity=angular_velocity,
            elongation=elongation,
            axial=axial,
            bending=bending,
            bent=bent,
        )

    def floating_beam(
        self,
        name: str,
        points: VectorsLike,
        section: CrossSection | SectionStiffness,
        material: Material | None = None,
        *,
        across: VectorLike | None = None,
        modes: Sequence[int] | None = None,
        elements: int | None = None,
        frame: Literal["tangent", "chord", "mean"] | str = "tangent",
        stiffened: bool = False,
        damping: ScalarLike | VectorLike = 0.0,
        amplitudes: VectorLike | None = None,
        rates: VectorLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: ScalarLike | VectorLike = 0.0,
        angular_velocity_axes: Literal["global", "body"] | str = "global",
        fixed: str | Sequence[str] = (),
        fixed_velocity: str | Sequence[str] = (),
        color: str | None = None,
        radius: ScalarLike | None = None,
        young: ScalarLike | None = None,
        poisson: ScalarLike | None = None,
    ) -> FloatingBeam:
        """Add a straight beam in a floating frame, of small strains.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        points : two points
            Start and end in the undeformed configuration.
        section : CrossSection or SectionStiffness
            As of `Model.beam`.
        material : Material
            As of `Model.beam`; damping of the material adds to that of the modes.
        across : 3 scalars, optional
            Direction to which axis y of the sections is closest. With it, or with points out of the
            plane z = 0, the beam is spatial.
        modes : tuple of int, optional
            Numbers of modes of bending and of stretch, (3, 1) unless `elements` is given; in space
            of bending along y and along z, of stretch and of torsion, (3, 3, 1, 1).
        elements : int, optional
            Number of finite elements with cubic displacements; all of their modes unless `modes` is
            given.
        frame : {"tangent", "chord", "mean"}
            Reference conditions of the frame: tangent at the start, chord through both ends, or the
            mean axes (modes without momentum).
        stiffened : bool
            Whether the foreshortening due to bending is included (geometric stiffening in
            rotation).
        damping : scalar, or one for each mode
            Damping ratio.
        amplitudes, rates : scalars, optional
            Initial modal amplitudes and their rates.
        velocity : 2 or 3 scalars
            Of the reference point, global axes.
        angular_velocity : 3 scalars, or a scalar about z
            In global axes, or in body axes if `angular_velocity_axes` is "body".
        angular_velocity_axes : {"global", "body"}
            Axes of the angular velocity.
        fixed : names of coordinates, "position", "orientation", or "all"
            Initial positions that consistent initialisation (assembly) must not change; velocities
            are not affected.
        fixed_velocity : names of coordinates, "velocity", "angular_velocity", or "all"
            Initial velocities that consistent initialisation (assembly) must not change.
        color : str
            What it is drawn in: a name of `mbdgen.language.colours`, or ``#rrggbb``.
        radius, young, poisson : scalar
            Where it touches others: radius about the reference point, Young's modulus, Poisson's
            ratio (0.3 by default). Contacts take them from here.

        Returns
        -------
        FloatingBeam
            Its ``start``, ``end`` and ``at(s)`` are markers; ``body`` is its frame.
        """
        return self._floating_beam(
            name,
            points,
            section,
            material,
            across=across,
            modes=modes,
            elements=elements,
            frame=frame,
            stiffened=stiffened,
            damping=damping,
            amplitudes=amplitudes,
            rates=rates,
            velocity=velocity,
            angular_velocity=angular_velocity,
            angular_velocity_axes=angular_velocity_axes,
            fixed=fixed,
            fixed_velocity=fixed_velocity,
            color=color,
            radius=radius,
            young=young,
            poisson=poisson,
        )

    def flexible_body(
        self,
        name: str,
        *,
        mass: Any,
        stiffness: Any,
        nodes: Any,
        interface: Any,
        modes: int | None = None,
        highest: ScalarLike | None = None,
        frame: Any = "mean",
        stiffened: Sequence[int] | None = None,
        damping: ScalarLike | VectorLike = 0.0,
        amplitudes: VectorLike | None = None,
        rates: VectorLike | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: Any = None,
        angle: ScalarLike | None = None,
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: ScalarLike | VectorLike = 0.0,
        angular_velocity_axes: Literal["global", "body"] | str = "global",
        allow_unphysical_inertia: bool = False,
        vectors: VectorsLike = (),
        rigid_by: Literal["products", "distances"] | str = "products",
        fixed: str | Sequence[str] = (),
        fixed_velocity: str | Sequence[str] = (),
        color: str | None = None,
        radius: ScalarLike | None = None,
        young: ScalarLike | None = None,
        poisson: ScalarLike | None = None,
    ) -> FlexibleBody:
        """Add a flexible body by its matrices.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        mass, stiffness : matrix or path
            Matrices of the free body, in SI units; unknowns node by node, three displacements or
            these and three rotations. Files: ``.npy``, ``.npz`` (also sparse ones of SciPy),
            ``.mtx``.
        nodes : matrix or path
            Positions of the nodes, in the axes of the body.
        interface : list, or mapping of names to nodes
            Indices of nodes, from 0, for joints, forces and outputs; a list of indices instead of
            one connects these nodes rigidly.
        modes : int, optional
            Number of fixed-interface normal modes kept beside the static constraint modes (Craig
            and Bampton); by default ten, or all if there are fewer.
        highest : scalar, optional
            Cut-off frequency in Hz; modes above are omitted.
        frame : "mean", or a node of the interface
            Reference conditions of the floating frame: the mean of the whole body, or one interface
            node.
        stiffened : list of int, optional
            All nodes of a slender body in their order along it: includes foreshortening due to
            bending, which gives geometric stiffening in rotation.
        damping : scalar, or one for each mode
            Damping ratio.
        amplitudes, rates : scalars, optional
            Initial modal amplitudes and their rates.
        position, velocity : 2 or 3 scalars
            Of the reference point, global axes.
        orientation : Orientation, quaternion or rotation matrix
            Of the body axes.
        angle : scalar, optional
            Instead of an orientation: rotation about z.
        angular_velocity : 3 scalars, or a scalar about z
            In global axes, or in body axes if `angular_velocity_axes` is "body".
        angular_velocity_axes : {"global", "body"}
            Axes of the angular velocity.
        allow_unphysical_inertia : bool
            Whether moments are accepted that no body can have.
        vectors : lists of vectors
            Basic points and vectors of a natural body, from the reference point in body axes. The
            kind ``natural`` has as many as are given; missing vectors are added.
        rigid_by : {"products", "distances"}
            Whether several points of a natural body keep the inner products of their arms, or their
            mutual distances.
        fixed : names of coordinates, "position", "orientation", or "all"
            Initial positions that consistent initialisation (assembly) must not change; velocities
            are not affected.
        fixed_velocity : names of coordinates, "velocity", "angular_velocity", or "all"
            Initial velocities that consistent initialisation (assembly) must not change.
        color : str
            What it is drawn in: a name of `mbdgen.language.colours`, or ``#rrggbb``.
        radius, young, poisson : scalar
            Where it touches others: radius about the reference point, Young's modulus, Poisson's
            ratio (0.3 by default). Contacts take them from here.

        Returns
        -------
        FlexibleBody
            Its ``node(name)`` are markers, for the nodes of its `interface`.
        """
        return self._flexible_body(
            name,
            mass=mass,
            stiffness=stiffness,
            nodes=nodes,
            interface=interface,
            modes=modes,
            highest=highest,
            frame=frame,
            stiffened=stiffened,
            damping=damping,
            amplitudes=amplitudes,
            rates=rates,
            position=position,
            orientation=orientation,
            angle=angle,
            velocity=velocity,
            angular_velocity=angular_velocity,
            angular_velocity_axes=angular_velocity_axes,
            allow_unphysical_inertia=allow_unphysical_inertia,
            vectors=vectors,
            rigid_by=rigid_by,
            fixed=fixed,
            fixed_velocity=fixed_velocity,
            color=color,
            radius=radius,
            young=young,
            poisson=poisson,
        )

    def contacts(
        self,
        name: str,
        bodies: Iterable[Body],
        planes: Sequence[Marker] | None = None,
        skin: ScalarLike | None = None,
        *,
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
    ) -> Crowd:
        r"""Let many spheres touch each other, or planes.

        .. math:: F = K\delta^n + R, \qquad \delta = R_a + R_b - |r_a - r_b|

        The law is that of ``sphere_sphere``, or of ``sphere_plane``: see these.

        Parameters
        ----------
        name : str
            A name of its own in the model.
        bodies : list of bodies
            All with a ``radius``.
        planes : list of markers, optional
            On the ground, ``e3`` pointing to the spheres, which touch these and not each other.
        skin : scalar, optional
            Gap up to which a run keeps two of them in its list of pairs.
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

        Returns
        -------
        Crowd
            What may touch.
        """
        return self._contacts(
            name,
            bodies,
            planes,
            skin,
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
        )
