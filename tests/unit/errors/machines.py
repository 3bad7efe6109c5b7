"""Small planar machines that a few lines describe."""

from typing import Any

from mbdgen import Model
from mbdgen.language.bodies.body import Body

Z = (0.0, 0.0, 1.0)


def flat(name: str) -> Model:
    """Return a planar model with gravity along -y."""
    return Model(name, gravity=(0.0, -9.81), coordinates="planar")


def bar(model: Model, name: str = "rod", **description: Any) -> Body:
    """Add a uniform bar of length 1; its pins are at x = -1/2 and 1/2."""
    return model.body(name, 1.0, 1.0 / 12.0, **{"position": (0.5, 0.0), **description})


def pinned(name: str, **description: Any) -> tuple[Model, Body]:
    """Return a pendulum whose bar turns about the origin, joint 'pin'."""
    model = flat(name)
    rod = bar(model, **description)
    model.revolute("pin", model.ground.at(), rod.at(-0.5))
    return model, rod


def free(name: str, force: Any = None, **description: Any) -> Model:
    """Return a free bar with a force along x, a function of the model and the bar."""
    model = flat(name)
    rod = bar(model, **description)
    if force is not None:
        model.force("push", rod, force=(force(model, rod), 0, 0))
    return model
