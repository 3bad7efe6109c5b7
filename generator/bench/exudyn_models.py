"""Conversion of a `Model` to Exudyn: bodies, joints and forces, one by one.

Planar bodies become planar rigid bodies, spatial ones rigid bodies with Euler parameters; the
initial state is the assembled one, so that both programs start from identical values.
"""

from typing import Any

import exudyn as exu
import numpy as np
from exudyn import itemInterface as items
from exudyn.utilities import RigidBodyInertia

from mbdgen.language.attached import Attached
from mbdgen.language.expressions.scalars import value_of
from mbdgen.language.markers.marker import Marker
from mbdgen.language.model import Model
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

OUT = exu.OutputVariableType
AXES = {"universal": (1, 1, 1, 0, 0, 1)}


class Translated:
    """Mechanism in Exudyn, assembled, optionally with sensors.

    Parameters
    ----------
    model, system : Model, System
        Mechanism, and its compiled system for the initial state.
    observed : bool
        Whether bodies get sensors.
    """

    def __init__(self, model: Model, system: System, observed: bool) -> None:
        self.model, self.system = model, system
        self.mbs = exu.SystemContainer().AddSystem()
        self.gravity = self.numbers(model.gravity)
        self.objects = {"ground": self.mbs.AddObject(items.ObjectGround())}
        self.sensors: dict[tuple[str, str], int] = {}
        state = assemble(system, 0.0)
        at = 0
        for name, body in model.bodies.items():
            assert body.kind is not None
            size = len(body.kind.coordinates)
            q, v = state.q[at : at + size], state.v[at : at + size]
            planar = body.kind.name == "planar"
            self.objects[name] = self._planar(name, q, v) if planar else self._spatial(name, q, v)
            if observed:
                self._observe(name)
            at += size
        for attached in model.attached.values():
            self._attach(attached)
        self.mbs.Assemble()

    def number(self, x: Any) -> float:
        """Value of a scalar for the default parameters."""
        return float(value_of(x, self.model.parameter_defaults, "value"))

    def numbers(self, values: Any) -> list[float]:
        """Values of several scalars."""
        return [self.number(x) for x in values]

    def _mass(self, name: str) -> tuple[float, FloatArray]:
        motion = self.model.bodies[name].motion
        return self.number(motion.mass), np.array([self.numbers(row) for row in motion.inertia])

    def _planar(self, name: str, q: FloatArray, v: FloatArray) -> int:
        mass, inertia = self._mass(name)
        node = self.mbs.AddNode(
            items.NodeRigidBody2D(referenceCoordinates=list(q), initialVelocities=list(v))
        )
        body = self.mbs.AddObject(
            items.ObjectRigidBody2D(
                nodeNumber=node, physicsMass=mass, physicsInertia=float(inertia[2, 2])
            )
        )
        if any(self.gravity):
            marker = self.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
            self.mbs.AddLoad(
                items.LoadMassProportional(markerNumber=marker, loadVector=self.gravity)
            )
        return int(body)

    def _spatial(self, name: str, q: FloatArray, v: FloatArray) -> int:
        mass, inertia = self._mass(name)
        if not inertia.any():
            inertia = 1e-6 * np.eye(3)  # a point mass: Exudyn requires nonzero inertia
        e0, e = q[3], q[4:]
        turn = (e0**2 - e @ e) * np.eye(3) + 2 * np.outer(e, e)
        turn += 2 * e0 * np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
        omega = 2 * (e0 * v[4:] - v[3] * e + np.cross(e, v[4:]))
        return int(
            self.mbs.CreateRigidBody(
                inertia=RigidBodyInertia(mass, inertia),
                referencePosition=list(q[:3]),
                referenceRotationMatrix=turn,
                initialVelocity=list(v[:3]),
                initialAngularVelocity=list(omega),
                gravity=self.gravity,
            )
        )

    def _observe(self, name: str) -> None:
        for what in ("Position", "Velocity", "AngularVelocityLocal", "RotationMatrix"):
            sensor = items.SensorBody(
                bodyNumber=self.objects[name], storeInternal=True, writeToFile=False,
                outputVariableType=getattr(OUT, what),
            )  # fmt: skip
            self.sensors[name, what] = self.mbs.AddSensor(sensor)

    def local(self, marker: Marker) -> list[float]:
        """Position of a marker relative to the centre of mass, in body axes."""
        point = np.array(self.numbers(marker.point))
        if marker.body.is_ground:
            return list(point)
        return list(point - np.array(self.numbers(marker.body.motion.centre_of_mass)))

    def _marker(self, marker: Marker, rigid: bool = False) -> int:
        kind = items.MarkerBodyRigid if rigid else items.MarkerBodyPosition
        number = self.objects[marker.body.name]
        return int(self.mbs.AddMarker(kind(bodyNumber=number, localPosition=self.local(marker))))

    def _attach(self, attached: Attached) -> None:
        kind, markers = attached.element.name, attached.markers
        planar = "planar" in {m.body.kind.name for m in markers if m.body.kind is not None}
        if kind == "spring":
            element: Any = attached.element
            self.mbs.AddObject(
                items.ObjectConnectorSpringDamper(
                    markerNumbers=[self._marker(m) for m in markers],
                    stiffness=self.number(element.stiffness),
                    damping=self.number(element.damping),
                    referenceLength=self.number(element.length),
                )
            )
        elif kind == "motor":
            torque = self.number(vars(attached.element)["torque"])
            self.mbs.AddLoad(
                items.LoadTorqueVector(
                    markerNumber=self._marker(markers[1], True), loadVector=[0, 0, torque]
                )
            )
        elif kind == "revolute" and planar:
            self.mbs.AddObject(
                items.ObjectJointRevolute2D(markerNumbers=[self._marker(m) for m in markers])
            )
        else:
            self._joint(kind, markers)

    def _joint(self, kind: str, markers: tuple[Marker, ...]) -> None:
        a, b = markers
        numbers = [self.objects[m.body.name] for m in markers]
        point = self.numbers(b.global_point)
        if kind == "spherical":
            ends = [self._marker(m, True) for m in markers]
            self.mbs.AddObject(items.ObjectJointSpherical(markerNumbers=ends))
        elif kind in ("revolute", "prismatic"):
            make = {"revolute": self.mbs.CreateRevoluteJoint,
                    "prismatic": self.mbs.CreatePrismaticJoint}[kind]  # fmt: skip
            axis = self.numbers(a.global_axes[2])
            make(bodyNumbers=numbers, position=point, axis=axis, useGlobalFrame=True)
        elif kind == "universal":
            # The third rotation keeps x of the first frame normal to y of the second one.
            e1, e2, e3 = (np.array(self.numbers(e)) for e in a.axes)
            f1, f2, f3 = (np.array(self.numbers(e)) for e in b.axes)
            self.mbs.AddObject(
                items.ObjectJointGeneric(
                    markerNumbers=[self._marker(m, True) for m in markers],
                    constrainedAxes=list(AXES[kind]),
                    rotationMarker0=np.column_stack([e3, e1, e2]),
                    rotationMarker1=np.column_stack([f2, f3, f1]),
                )
            )
        else:
            raise NotImplementedError(kind)

    def data(self, name: str, what: str) -> FloatArray:
        """Data of a sensor, without the times."""
        return np.asarray(self.mbs.GetSensorStoredData(self.sensors[name, what])[:, 1:])

    def times(self) -> FloatArray:
        """Times of the sensors."""
        first = next(iter(self.sensors.values()))
        return np.asarray(self.mbs.GetSensorStoredData(first)[:, 0])

    def drift(self) -> float:
        """Largest deviation of kinetic plus potential energy of the bodies."""
        energy = np.zeros(len(self.times()))
        for name in self.model.bodies:
            mass, inertia = self._mass(name)
            x, v, w = (self.data(name, k) for k in ("Position", "Velocity", "AngularVelocityLocal"))
            energy += mass * (0.5 * np.sum(v * v, axis=1) - x @ np.array(self.gravity))
            energy += 0.5 * np.einsum("ti,ij,tj->t", w, inertia, w)
        return float(np.abs(energy - energy[0]).max())

    def series(self, name: str) -> FloatArray:
        """A component of an output that is a point of a body."""
        output, _, letter = name.partition(".")
        marker = self.points[output]
        turn = self.data(marker.body.name, "RotationMatrix").reshape(-1, 3, 3)
        path = self.data(marker.body.name, "Position") + turn @ np.array(self.local(marker))
        return np.asarray(path[:, "xyz".index(letter or "z")])

    @property
    def points(self) -> dict[str, Marker]:
        """Markers of the outputs that benchmarks compare."""
        model, found = self.model, {}
        bodies = model.bodies
        if model.name == "andrews":
            found = {"F": bodies["K1"].at(0.007), "E": bodies["K3"].at(0, -0.035)}
        elif model.name == "governor":
            found = {"height": bodies["slider"].at()}
        elif model.name == "heavy_top":
            found = {"centre": bodies["top"].centre_of_mass}
        elif model.name == "crank_dyads":
            pin = model.attached["pin0"].markers[0]
            found = {"pin": pin, "slider": bodies["slider0"].at()}
        return found
