"""Types of what joints, forces and outputs return, with their measures.

Written by ``python tasks.py methods``: change the classes that state it instead.
At run time each is an `Attached`, whose measures are found by their names.
"""

from typing import Any

from mbdgen.language.attached import Attached
from mbdgen.language.expressions.placeholders import Components


class AttachedAngleBetween(Attached):
    """What `Model.angle_between` returns."""

    value: Any  # rad


class AttachedBarAngle(Attached):
    """What `Model.bar_angle` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedBeamDisc(Attached):
    """What `Model.beam_disc` returns."""

    depth: Any  # m
    normal: Any  # N/m
    friction: Any  # N/m
    slip: Any  # m/s


class AttachedBushing(Attached):
    """What `Model.bushing` returns."""

    x: Any  # m
    y: Any  # m
    z: Any  # m
    rx: Any  # rad
    ry: Any  # rad
    rz: Any  # rad


class AttachedCamFollower(Attached):
    """What `Model.cam_follower` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    parameter: Any
    parameter_rate: Any


class AttachedCommonPlane(Attached):
    """What `Model.common_plane` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s


class AttachedCommonPoint(Attached):
    """What `Model.common_point` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedCommonVector(Attached):
    """What `Model.common_vector` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s


class AttachedConstantVelocity(Attached):
    """What `Model.constant_velocity` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    bend: Any  # rad
    bend_rate: Any  # rad/s


class AttachedCylindrical(Attached):
    """What `Model.cylindrical` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s
    displacement: Any  # m
    speed: Any  # m/s


class AttachedDiscPlane(Attached):
    """What `Model.disc_plane` returns."""

    depth: Any  # m
    speed: Any  # m/s
    force: Any  # N
    slip: Any  # m/s
    friction: Components  # N
    energy: Any  # J
    step: Any  # s


class AttachedDisplacement(Attached):
    """What `Model.displacement` returns."""

    value: Components  # m


class AttachedDistance(Attached):
    """What `Model.distance` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedDotProduct(Attached):
    """What `Model.dot_product` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedFixed(Attached):
    """What `Model.fixed` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedFlatFollower(Attached):
    """What `Model.flat_follower` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    parameter: Any
    parameter_rate: Any


class AttachedPointForce(Attached):
    """What `Model.force` returns."""


class AttachedFriction(Attached):
    """What `Model.friction` returns."""

    push: Any
    power: Any  # W


class AttachedGear(Attached):
    """What `Model.gear` returns."""

    turn: Any  # rad
    turn_rate: Any  # rad/s


class AttachedKnifeEdge(Attached):
    """What `Model.knife_edge` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    slip: Components  # m/s


class AttachedLineLoad(Attached):
    """What `Model.line_load` returns."""


class AttachedMinimumDistance(Attached):
    """What `Model.minimum_distance` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedMotor(Attached):
    """What `Model.motor` returns."""

    power: Any  # W


class AttachedMovingLoad(Attached):
    """What `Model.moving_load` returns."""


class AttachedMuscle(Attached):
    """What `Model.muscle` returns."""

    length: Any  # m
    speed: Any  # m/s
    force: Any  # N


class AttachedPinInSlot(Attached):
    """What `Model.pin_in_slot` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    parameter: Any
    parameter_rate: Any


class AttachedPlanarJoint(Attached):
    """What `Model.planar` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s
    x: Any  # m
    y: Any  # m


class AttachedPointInPlane(Attached):
    """What `Model.point_in_plane` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedPointOnCurve(Attached):
    """What `Model.point_on_curve` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    parameter: Any
    parameter_rate: Any


class AttachedPointOnLine(Attached):
    """What `Model.point_on_line` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    displacement: Any  # m
    speed: Any  # m/s


class AttachedPointPlane(Attached):
    """What `Model.point_plane` returns."""

    depth: Any  # m
    speed: Any  # m/s
    force: Any  # N
    slip: Any  # m/s
    friction: Components  # N
    energy: Any  # J
    step: Any  # s


class AttachedPointToLine(Attached):
    """What `Model.point_to_line` returns."""

    value: Any  # m


class AttachedPotential(Attached):
    """What `Model.potential` returns."""


class AttachedPrismatic(Attached):
    """What `Model.prismatic` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    displacement: Any  # m
    speed: Any  # m/s


class AttachedPushAlong(Attached):
    """What `Model.push` returns."""

    push: Any
    power: Any  # W


class AttachedRackAndPinion(Attached):
    """What `Model.rack_and_pinion` returns."""


class AttachedRelativeAngle(Attached):
    """What `Model.relative_angle` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s


class AttachedRelativeTranslation(Attached):
    """What `Model.relative_translation` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    displacement: Any  # m
    speed: Any  # m/s


class AttachedRelativeVelocity(Attached):
    """What `Model.relative_velocity` returns."""

    value: Components  # m/s


class AttachedRevolute(Attached):
    """What `Model.revolute` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s


class AttachedRollingDisc(Attached):
    """What `Model.rolling_disc` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    contact: Components  # m
    slip: Components  # m/s


class AttachedRollingPoint(Attached):
    """What `Model.rolling_point` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    contact: Components  # m
    slip: Components  # m/s


class AttachedRollingSphere(Attached):
    """What `Model.rolling_sphere` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    contact: Components  # m
    slip: Components  # m/s


class AttachedRotatingFrame(Attached):
    """What `Model.rotating_frame` returns."""


class AttachedRotationDriver(Attached):
    """What `Model.rotation_driver` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s


class AttachedScrew(Attached):
    """What `Model.screw` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle: Any  # rad
    rate: Any  # rad/s
    displacement: Any  # m
    speed: Any  # m/s
    turn: Any  # rad


class AttachedSpherePlane(Attached):
    """What `Model.sphere_plane` returns."""

    depth: Any  # m
    speed: Any  # m/s
    force: Any  # N
    slip: Any  # m/s
    friction: Components  # N
    energy: Any  # J
    step: Any  # s


class AttachedSphereSphere(Attached):
    """What `Model.sphere_sphere` returns."""

    depth: Any  # m
    speed: Any  # m/s
    force: Any  # N
    slip: Any  # m/s
    friction: Components  # N
    energy: Any  # J
    step: Any  # s


class AttachedSpherical(Attached):
    """What `Model.spherical` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N


class AttachedSpring(Attached):
    """What `Model.spring` returns."""

    length: Any  # m
    tension: Any  # N
    energy: Any  # J


class AttachedStop(Attached):
    """What `Model.stop` returns."""

    force: Any  # N
    energy: Any  # J


class AttachedTorque(Attached):
    """What `Model.torque` returns."""


class AttachedTorsionSpring(Attached):
    """What `Model.torsion_spring` returns."""

    angle: Any  # rad
    moment: Any  # N m
    energy: Any  # J


class AttachedTranslationDriver(Attached):
    """What `Model.translation_driver` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    displacement: Any  # m
    speed: Any  # m/s


class AttachedUniversal(Attached):
    """What `Model.universal` returns."""

    force: Components  # N
    torque: Components  # N m
    load: Any  # N
    angle_a: Any  # rad
    angle_b: Any  # rad
