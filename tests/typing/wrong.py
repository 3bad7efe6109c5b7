"""The same with four words misspelt: type checkers find each of them, and nothing else."""

# mypy: disallow-untyped-decorators, disallow-subclassing-any, warn-return-any
from mbdgen import Model, simulate

m = Model("pendulum", gravity=(0, 0, -9.81))
arm = m.body("arm", 1.0, (0, 1, 1), positon=(0.5, 0, 0))
pin = m.revolute("pin", m.ground, arm, at=(0, 0, 0), axs=(0, 1, 0))
m.revolut("other", m.ground, arm, at=(0, 0, 0), axis=(0, 1, 0))
m.output("angle", pin.angle)
result = simulate(m, (0.0, 1.0), metod="newmark", h=1e-3)
