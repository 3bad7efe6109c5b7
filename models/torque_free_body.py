"""A free asymmetric body that spins near its middle axis and flips over (Dzhanibekov's effect)."""

from mbdgen import Model


def model(inertia=(1.0, 2.0, 3.0), spin=(0.05, 3.0, 0.02), m=1.0):
    """Return the model.

    Parameters
    ----------
    inertia : 3 floats
        Principal moments of inertia.
    spin : 3 floats
        Initial angular velocity; body and global axes coincide at the start.
    m : float
        Mass; nothing depends on it.
    """
    mech = Model("torque_free_body", gravity=(0, 0, 0))
    body = mech.body("body", mass=m, inertia=inertia, angular_velocity=spin)

    omega = [body.variable(f"wb{c}") for c in "xyz"]
    spin_momenta = [j * w for j, w in zip(inertia, omega, strict=True)]
    axes = zip(body.origin.e1, body.origin.e2, body.origin.e3, strict=True)
    momentum = [sum(h * c for h, c in zip(spin_momenta, row, strict=True)) for row in axes]

    mech.output("omega", omega, unit="rad/s")  # in body axes
    mech.output("momentum", momentum, unit="kg m2/s")  # in global axes
    mech.output("e1", body.origin.e1)
    mech.output("e2", body.origin.e2)
    mech.output("e3", body.origin.e3)
    return mech
