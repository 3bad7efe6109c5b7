"""Exudyn models in coordinates that make it faster than bodies with joints.

A pendulum as a point on a rod and as a kinematic tree, the governor as a tree, the heavy top as
a body in rotation vectors integrated by the explicit Lie-group solver, and a flexible pendulum of
cable elements.
"""

from typing import Any

import exudyn as exu
import numpy as np
from exudyn import itemInterface as items
from exudyn.beams import GenerateStraightLineANCFCable2D

from mbdgen.runtime.system.system_data import FloatArray

OUT = exu.OutputVariableType
G = 9.81


class Special:
    """Model with its sensors.

    Attributes
    ----------
    label : str
        Name in the settings.
    schemes, steps
        Schemes and steps to try.
    implicit : (str, str, float)
        Newton variant, linear solver and relative tolerance of implicit schemes.
    fine : float
        Step of its own reference, if its equations differ from ours: TR2 with extrapolation.
    """

    label = ""
    schemes: tuple[str, ...] = ("RK44", "DOPRI5", "RK67")
    implicit: tuple[str, str, float] = ("step", "dense", 1e-5)
    fine = 0.0
    steps: dict[str, tuple[float, ...]] = {}  # noqa: RUF012

    def __init__(self, observed: bool) -> None:
        self.mbs = exu.SystemContainer().AddSystem()
        self.observed = observed
        self.watch: dict[str, int] = {}
        self.build()
        self.mbs.Assemble()

    def build(self) -> None:
        """Build the mechanism."""
        raise NotImplementedError

    def drift(self) -> float:
        """Largest deviation of the energy."""
        raise NotImplementedError

    def series(self, name: str) -> FloatArray:
        """A component of the compared quantity."""
        return np.asarray(self.data("x")[:, "xyz".index(name.partition(".")[2] or "z")])

    def see(self, name: str, kind: Any, **given: Any) -> None:
        """Add a sensor if the model is observed."""
        if self.observed:
            sensor = kind(storeInternal=True, writeToFile=False, **given)
            self.watch[name] = self.mbs.AddSensor(sensor)

    def data(self, name: str) -> FloatArray:
        """Data of a sensor, without the times."""
        return np.asarray(self.mbs.GetSensorStoredData(self.watch[name])[:, 1:])

    def times(self) -> FloatArray:
        """Times of the sensors."""
        first = next(iter(self.watch.values()))
        return np.asarray(self.mbs.GetSensorStoredData(first)[:, 0])

    def tree(
        self, joints: list[Any], parents: list[int], turns: list[FloatArray],
        offsets: list[Any], bodies: list[tuple[float, FloatArray, Any]], rates: list[float],
        gravity: list[float],
    ) -> tuple[int, int]:  # fmt: skip
        """Add a kinematic tree and return node and object; bodies are (mass, inertia, centre)."""
        n = len(joints)
        node = self.mbs.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0] * n, initialCoordinates=[0.0] * n,
                initialCoordinates_t=rates, numberOfODE2Coordinates=n,
            )
        )  # fmt: skip
        matrices, inertias = exu.Matrix3DList(), exu.Matrix3DList()
        places, centres = exu.Vector3DList(), exu.Vector3DList()
        for turn, offset, (_, inertia, centre) in zip(turns, offsets, bodies, strict=True):
            matrices.Append(turn)
            inertias.Append(inertia)
            places.Append(offset)
            centres.Append(centre)
        body = self.mbs.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node, jointTypes=joints, linkParents=parents,
                jointTransformations=matrices, jointOffsets=places, linkInertiasCOM=inertias,
                linkCOMs=centres, linkMasses=[mass for mass, _, _ in bodies],
                baseOffset=[0.0, 0.0, 0.0], gravity=gravity,
            )
        )  # fmt: skip
        return int(node), int(body)


class PendulumPoint(Special):
    """Pendulum as a planar point at a fixed distance."""

    label = "point"
    schemes = ("TR2", "GA90")
    steps = dict.fromkeys(("TR2", "GA90"), (2e-3, 1e-3, 5e-4))

    def build(self) -> None:
        """Build the mechanism."""
        node = self.mbs.AddNode(items.NodePoint2D(referenceCoordinates=[-1.0, 0.0]))
        self.mbs.AddObject(items.ObjectMassPoint2D(physicsMass=1.0, nodeNumber=node))
        ground = self.mbs.AddObject(items.ObjectGround())
        end = self.mbs.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        pin = self.mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground))
        self.mbs.AddObject(items.ObjectConnectorDistance(markerNumbers=[pin, end], distance=1.0))
        self.mbs.AddLoad(items.LoadForceVector(markerNumber=end, loadVector=[0, -G, 0]))
        self.see("x", items.SensorNode, nodeNumber=node, outputVariableType=OUT.Position)
        self.see("v", items.SensorNode, nodeNumber=node, outputVariableType=OUT.Velocity)

    def drift(self) -> float:
        """Largest deviation of the energy."""
        energy = 0.5 * np.sum(self.data("v") ** 2, axis=1) + G * self.data("x")[:, 1]
        return float(np.abs(energy - energy[0]).max())


class PendulumTree(Special):
    """Pendulum with one angle."""

    label = "tree"
    steps = dict.fromkeys(
        ("RK44", "DOPRI5", "RK67"),
        (0.2, 0.15625, 0.125, 0.1, 6.25e-2, 5e-2, 4e-2, 3e-2, 2e-2, 1e-2),
    )

    def build(self) -> None:
        """Build the mechanism."""
        bodies = [(1.0, np.zeros((3, 3)), [-1.0, 0.0, 0.0])]
        kinds = [exu.JointType.RevoluteZ]
        node, _ = self.tree(
            kinds, [-1], [np.eye(3)], [[0.0, 0.0, 0.0]], bodies, [0.0], [0.0, -G, 0.0]
        )
        self.see("q", items.SensorNode, nodeNumber=node, outputVariableType=OUT.Coordinates)
        self.see("w", items.SensorNode, nodeNumber=node, outputVariableType=OUT.Coordinates_t)

    def drift(self) -> float:
        """Largest deviation of the energy."""
        energy = 0.5 * self.data("w")[:, 0] ** 2 - G * np.sin(self.data("q")[:, 0])
        return float(np.abs(energy - energy[0]).max())


class ChainTree(Special):
    """Chain with ten joint angles."""

    label = "tree"
    steps = dict.fromkeys(("RK44", "DOPRI5", "RK67"), (5e-2, 2e-2, 1e-2, 5e-3, 2e-3))
    links = 10
    across = (1.0 + 0.01) / 12  # moment of inertia of a link about its centre

    def build(self) -> None:
        """Build the mechanism."""
        link = (1.0, np.diag([0.02 / 12, self.across, self.across]), [0.5, 0.0, 0.0])
        n = self.links
        node, _ = self.tree(
            [exu.JointType.RevoluteY] * n, list(range(-1, n - 1)), [np.eye(3)] * n,
            [[0.0, 0.0, 0.0]] + [[1.0, 0.0, 0.0]] * (n - 1), [link] * n, [0.0] * n,
            [0.0, 0.0, -G],
        )  # fmt: skip
        self.see("q", items.SensorNode, nodeNumber=node, outputVariableType=OUT.Coordinates)
        self.see("w", items.SensorNode, nodeNumber=node, outputVariableType=OUT.Coordinates_t)

    def drift(self) -> float:
        """Largest deviation of the energy."""
        angle, rate = np.cumsum(self.data("q"), axis=1), np.cumsum(self.data("w"), axis=1)
        along = np.stack([np.cos(angle), -np.sin(angle)], axis=-1)
        swing = rate[..., None] * np.stack([-np.sin(angle), -np.cos(angle)], axis=-1)
        centre = np.cumsum(along, axis=1) - along / 2
        speed = np.cumsum(swing, axis=1) - swing / 2
        kinetic = 0.5 * (np.sum(speed**2, axis=(1, 2)) + self.across * np.sum(rate**2, axis=1))
        energy = kinetic + G * np.sum(centre[..., 1], axis=1)
        return float(np.abs(energy - energy[0]).max())


class GovernorTree(Special):
    """Governor with four relative coordinates and two spring-dampers."""

    label = "tree"
    schemes = ("TR2",)
    steps = {"TR2": (5e-3, 2e-3, 1e-3)}  # noqa: RUF012

    def build(self) -> None:
        """Build the mechanism."""
        bar, ball, angle, rate = 0.3, 5.0, np.pi / 6, 2 * np.pi
        mass = bar + ball
        centre = (bar / 2 + ball) / mass
        across = bar * 1.0001 / 12 + bar * (centre - 0.5) ** 2 + ball * (1 - centre) ** 2
        arm = (mass, np.diag([bar * 2e-4 / 12, across, across]), [centre, 0.0, 0.0])
        shaft = (bar, np.diag([bar * 1.0001 / 12] * 2 + [bar * 2e-4 / 12]), [0.0, 0.0, 0.5])
        slider = (3.0, 3.0 * 0.02 / 12 * np.eye(3), [0.0, 0.0, 0.0])
        kind = exu.JointType
        _, tree = self.tree(
            [kind.RevoluteZ, kind.PrismaticZ, kind.RevoluteY, kind.RevoluteY], [-1, 0, 0, 0],
            [np.eye(3), np.eye(3), _about_y(angle), _about_y(np.pi - angle)],
            [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [0.05, 0.0, 1.0], [-0.05, 0.0, 1.0]],
            [shaft, slider, arm, arm], [rate, 0.0, 0.0, 0.0], [0.0, 0.0, -G],
        )  # fmt: skip
        for link, x in ((2, 0.05), (3, -0.05)):
            ends = [
                self.mbs.AddMarker(
                    items.MarkerKinematicTreeRigid(
                        objectNumber=tree, linkNumber=number, localPosition=[at, 0.0, 0.0]
                    )
                )
                for number, at in ((1, x), (link, 0.5))
            ]
            self.mbs.AddObject(
                items.ObjectConnectorSpringDamper(
                    markerNumbers=ends, stiffness=8e5, damping=4e4, referenceLength=0.5
                )
            )
        self.see(
            "x", items.SensorKinematicTree, objectNumber=tree, linkNumber=1,
            localPosition=[0.0, 0.0, 0.0], outputVariableType=OUT.Position,
        )  # fmt: skip


class TopLie(Special):
    """Heavy top with a rotation vector about the fixed point, for the explicit Lie-group solver."""

    label = "Lie group"
    steps = dict.fromkeys(("RK44", "DOPRI5", "RK67"), (1e-2, 5e-3, 2e-3, 1e-3, 5e-4))

    def build(self) -> None:
        """Build the mechanism."""
        moments = [15.0 + 0.234375, 0.46875, 15.0 + 0.234375, 0.0, 0.0, 0.0]
        node = self.mbs.AddNode(
            items.NodeRigidBodyRotVecLG(
                referenceCoordinates=[0.0] * 6, initialCoordinates=[0.0] * 6,
                initialVelocities=[0.0, 0.0, 0.0, 0.0, 150.0, -4.61538],
            )
        )  # fmt: skip
        body = self.mbs.AddObject(
            items.ObjectRigidBody(nodeNumber=node, physicsMass=15.0, physicsInertia=moments)
        )
        centre = [0.0, 1.0, 0.0]
        at = self.mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=centre))
        load = items.LoadForceVector(markerNumber=at, loadVector=[0, 0, -15.0 * G])
        self.mbs.AddLoad(load)
        still = self.mbs.AddNode(items.NodePointGround())
        zero = self.mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=still, coordinate=0))
        for k in range(3):
            one = self.mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k))
            self.mbs.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[zero, one]))
        self.see(
            "x", items.SensorBody, bodyNumber=body, localPosition=centre,
            outputVariableType=OUT.Position,
        )  # fmt: skip


class Cable10(Special):
    """Pendulum of planar cable elements in absolute nodal coordinates.

    The axial strain is ``|r_x| - 1``; ours is half of ``|r_x|^2 - 1``. The explicit schemes
    converge to a motion that differs from that of the implicit ones by a few centimetres.
    """

    label = "cable"
    schemes = ("TR2", "GA90", "VelocityVerlet", "RK44")
    implicit = ("mod", "sparse", 0.0)
    steps = dict.fromkeys(schemes[:2], (5e-4, 3e-4, 2.5e-4, 2e-4, 1e-4)) | dict.fromkeys(
        schemes[2:], (2e-3, 1e-3, 5e-4, 2e-4)
    )
    elements = 10
    fine = 1e-4

    def build(self) -> None:
        """Build the mechanism."""
        cable = items.ObjectANCFCable2D(
            physicsMassPerLength=5540 * 0.0018, physicsBendingStiffness=0.7e6 * 1.215e-8,
            physicsAxialStiffness=0.7e6 * 0.0018,
        )  # fmt: skip
        nodes, *_ = GenerateStraightLineANCFCable2D(
            mbs=self.mbs, positionOfNode0=[0, 0, 0], positionOfNode1=[1.2, 0, 0],
            numberOfElements=self.elements, cableTemplate=cable,
            massProportionalLoad=[0, -G, 0], fixedConstraintsNode0=[1, 1, 0, 0],
        )  # fmt: skip
        self.see("x", items.SensorNode, nodeNumber=nodes[-1], outputVariableType=OUT.Position)


class Cable40(Cable10):
    """The same pendulum with forty elements."""

    elements = 40
    fine = 1e-4
    steps = dict.fromkeys(Cable10.schemes[:2], (5e-4, 3e-4, 2.5e-4, 2e-4, 1e-4)) | dict.fromkeys(
        Cable10.schemes[2:], (5e-4, 2e-4)
    )


def _about_y(angle: float) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


SPECIAL: dict[str, tuple[type[Special], ...]] = {
    "A01": (PendulumPoint, PendulumTree),
    "A05": (GovernorTree,),
    "ANCF1-10": (Cable10,),
    "ANCF1-40": (Cable40,),
    "chain-10": (ChainTree,),
    "T": (TopLie,),
}
