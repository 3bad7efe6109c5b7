"""A tricycle whose front wheel is driven, and steered to one side and back on the way.

The front wheel rolls without any slip, the left rear wheel holds its side, the right one its height
only. Three wheels that hold everything hold the rear axle twice.
"""

from math import pi

from mbdgen import Model
from mbdgen.functions import rise_and_return

RADIUS = 0.2
GRIPS = {"mixed": ("full", "sideways", "none"), "xyz": ("full",) * 3}


def model(torque=20.0, steer=pi / 6, duration=1.2, wheels="mixed", g=9.81):
    """Return the model.

    Parameters
    ----------
    torque : float
        On the front wheel, about its axle.
    steer : float
        Largest angle of the frame against the fork, half way through the manoeuvre.
    duration : float
        Of the manoeuvre; then the fork points forward again.
    wheels : {"mixed", "xyz"}
        What front, left and right wheel hold: "xyz" is refused.
    g : float
        Gravity along -z.
    """
    if wheels not in GRIPS:
        raise ValueError(f"wheels is {wheels!r}; choose mixed or xyz")
    m = Model("tricycle", gravity=(0, 0, -g))
    up, side = (0, 0, 1), (0, 1, 0)
    frame = m.body(
        "frame", 50, (1, 10, 1), position=(0.4, 0, 0.2), allow_unphysical_inertia=True
    )  # moments as they are printed
    fork = m.body("fork", 0.5, (0.5, 0.5, 0.5), position=(0.9, 0, 0.3))
    places = {"front": (0.9, 0, RADIUS), "left": (0.2, 0.3, RADIUS), "right": (0.2, -0.3, RADIUS)}
    front, left, right = (
        m.body(name, 1, (0.01, 0.02, 0.01), position=place) for name, place in places.items()
    )
    m.revolute("head", frame, fork, at=(0.9, 0, 0.425), axis=up)
    m.revolute("front_hub", fork, front, at=places["front"], axis=side)
    m.revolute("left_hub", frame, left, at=places["left"], axis=side)
    m.revolute("right_hub", frame, right, at=places["right"], axis=side)
    road = m.ground.at(axis=up)
    for wheel, grip in zip((front, left, right), GRIPS[wheels], strict=True):
        m.rolling_disc(f"{wheel.name}_tyre", road, wheel.at(axis=side), radius=RADIUS, grip=grip)

    largest = m.parameter("steer", steer, unit="rad")
    turn = rise_and_return(0, duration / 2, duration, peak=largest)
    m.relative_angle("steering", fork, frame, axis=up, function=turn(m.t))
    moment = m.parameter("torque", torque, unit="N m")
    m.torque("drive", front, torque=(0, moment, 0), axes="body")

    m.output("speed", (front.at().vx ** 2 + front.at().vy ** 2) ** 0.5, unit="m/s")
    m.output("frame_at", frame.at())
    m.output("yaw", frame.euler("zyx"))
    m.output("fork_yaw", fork.euler("zyx"))
    m.output("front_omega", front.angular_velocity)
    m.suggest(t=4, h=5e-3)
    return m
