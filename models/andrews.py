"""Andrews' squeezing mechanism (IFToMM benchmark A03): seven bodies, ten revolutes, one motor.

Millimetres, grams and 1e6 rad/s2: the classical test of stiffness in scale and time. Bodies, points
and angles have the names of the public set of test problems for initial value solvers: K1 turns
about O and carries F; E joins K2, K3, K4 and K6; K3 turns about B, K5 and K7 about A. The angles
count from +x; Theta, Phi and Omega are relative.
"""

from math import cos, sin

from mbdgen import Model

A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
RR, RA, D, DA, E, EA, FA = 0.007, 0.00092, 0.028, 0.0115, 0.02, 0.01421, 0.01421
SS, SA, SB, SC, SD, TA, TB = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
U, UA, UB, ZF, ZT, L0 = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.07785

# beta, Theta, gamma, Phi, delta, Omega, epsilon; beta is kept, the others are solved from it again.
STARTS = {
    "test-set": (-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885884,
                 0.487364979543842550, -0.222668390165885884, 1.230547444549821192),
    "iftomm": (-0.0620, 2.14586854e-4, 0.455279812, 0.222668376,
               0.487364981, -0.222668376, 1.23054744),
}  # fmt: skip


def model(start="test-set", torque=0.033, stiffness=4530.0):
    """Return the model.

    Parameters
    ----------
    start : {"test-set", "iftomm"}
        Which published initial position.
    torque : float
        Of the motor on K1, N m.
    stiffness : float
        Of the spring from C to D, N/m.
    """
    mech = Model("andrews", gravity=(0, 0, 0), coordinates="planar")
    beta, theta, gamma, phi, delta, omega, epsilon = STARTS[start]

    def body(name, m, inertia, pin, angle, centre, **more):
        return mech.body(name, m, inertia, position=pin, angle=angle, centre_of_mass=centre, **more)

    f = (RR * cos(beta), RR * sin(beta))
    g = (A[0] + ZT * cos(delta), A[1] + ZT * sin(delta))
    h = (A[0] + U * sin(epsilon), A[1] - U * cos(epsilon))
    k1 = body("K1", 0.04325, 2.194e-6, (0, 0), beta, (RA, 0), fixed="theta")
    k2 = body("K2", 0.00365, 4.410e-7, f, beta + theta, (-DA, 0))
    k3 = body("K3", 0.02373, 5.255e-6, B, gamma, (SB, -SA))
    k4 = body("K4", 0.00706, 5.667e-7, g, phi + delta, (0, EA - E))
    k5 = body("K5", 0.07050, 1.169e-5, A, delta, (TA, TB))
    k6 = body("K6", 0.00706, 5.667e-7, h, omega + epsilon, (ZF - FA, 0))
    k7 = body("K7", 0.05498, 1.912e-5, A, epsilon, (-UB, -UA))

    ground, e3 = mech.ground, k3.at(0, -SS)
    mech.revolute("O", ground.at(), k1.at())
    mech.revolute("F", k1.at(RR), k2.at())
    mech.revolute("B", ground.at(*B), k3.at())
    mech.revolute("A5", ground.at(*A), k5.at())
    mech.revolute("A7", ground.at(*A), k7.at())
    mech.revolute("G", k5.at(ZT), k4.at())
    mech.revolute("H", k7.at(0, -U), k6.at())
    mech.revolute("E2", e3, k2.at(-D))
    mech.revolute("E4", e3, k4.at(0, -E))
    mech.revolute("E6", e3, k6.at(ZF))
    mech.motor("motor", ground.at(), k1.at(), torque=torque)
    ends = (ground.at(*C), k3.at(SD, -SC))
    spring = mech.spring("spring", *ends, stiffness=stiffness, length=L0)

    mech.output("beta", k1.angle)
    mech.output("Theta", k2.angle - k1.angle, unit="rad")
    mech.output("gamma", k3.angle)
    mech.output("Phi", k4.angle - k5.angle, unit="rad")
    mech.output("delta", k5.angle)
    mech.output("Omega", k6.angle - k7.angle, unit="rad")
    mech.output("epsilon", k7.angle)
    mech.output("beta_rate", k1.angle_rate)
    mech.output("F", k1.at(RR))
    mech.output("E", e3)
    mech.output("spring_energy", spring.energy)
    mech.suggest(t=0.05, h=1e-5)
    return mech
