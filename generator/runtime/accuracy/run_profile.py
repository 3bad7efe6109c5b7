"""Profile of a simulation: time of each compiled kernel of a step.

Every kernel is called repeatedly at states of a short run. The number of calls per step is known
from the counters of that run; the sum is compared with the time of the run itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mbdgen.runtime.accuracy.kernel_timing import measure
from mbdgen.runtime.linalg.run_factors import factors_at
from mbdgen.runtime.methods.scheme import choose_own
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.stepping.stepper_selection import reason_against_fused
from mbdgen.runtime.system.run_workspace import INDEX_1, State
from mbdgen.runtime.system.system import System

STATES = 5
LINEAR = ("factorise tangent", "factorise mass", "solve")
FAR = 10.0
"""Factor: copies and calls around the kernels of a small mechanism take a few times the kernels."""
FLAT_HELPS = (150, 1000)
"""Numbers of unknowns up to which flat code beats loops: without, with fused kernels; measured."""


@dataclass(frozen=True)
class TimedPiece:
    """One part of a step.

    Attributes
    ----------
    name : str
        Description.
    seconds : float
        Time of one call.
    calls : float
        Calls in one step.
    operations : int
        Operations of one call; 0 if not counted.
    """

    name: str
    seconds: float
    calls: float
    operations: int = 0

    @property
    def per_step(self) -> float:
        """Seconds per step."""
        return self.seconds * self.calls


@dataclass(frozen=True)
class RunProfile:
    """Profile of one run.

    Attributes
    ----------
    result : Result
        The short run.
    pieces : tuple of TimedPiece
        Kernels of its steps.
    fuses : bool
        Whether the backend supports fused kernels.
    unfused : str
        Reason why no fused kernels are used; empty if they are.
    reduced : (int, int) or None
        Number of coordinates and multipliers of a reduced system.
    n, nnz, fill, products : int
        Number of unknowns, nonzeros of the matrix and of L + U (fill-in), multiplications of a
        factorisation.
    """

    result: Result
    pieces: tuple[TimedPiece, ...]
    fuses: bool
    unfused: str
    reduced: tuple[int, int] | None
    n: int
    nnz: int
    fill: int
    products: int

    @property
    def fused(self) -> bool:
        """Whether kernels include the solution of the equations."""
        return not self.unfused

    @property
    def step(self) -> float:
        """Seconds of one step of the run."""
        return self.result.timings["solve_s"] / max(1, self.result.counters.steps)

    @property
    def explained(self) -> float:
        """Seconds of one step explained by the kernels."""
        return sum(piece.per_step for piece in self.pieces)

    @property
    def whole(self) -> float:
        """Seconds that fractions refer to: kernels alone may be slower than within the run."""
        return max(self.step, self.explained) or 1.0

    @property
    def rest(self) -> float:
        """Seconds of one step of the run not explained by the kernels."""
        return max(0.0, self.step - self.explained)

    @property
    def newton_per_step(self) -> float:
        """Newton iterations per step."""
        return self.result.counters.newton_iterations / max(1, self.result.counters.steps)

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "model": self.result.info.model,
            "backend": self.result.info.backend,
            "layout": self.result.info.layout,
            "method": self.result.info.method,
            "h": self.result.info.h,
            "steps": self.result.counters.steps,
            "fused": self.fused,
            "unfused_because": self.unfused,
            "generic_steps": self.result.counters.generic_steps,
            "reduced": self.reduced,
            "unknowns": self.n,
            "nnz": self.nnz,
            "fill": self.fill,
            "products": self.products,
            "newton_per_step": self.newton_per_step,
            "step_s": self.step,
            "explained_s": self.explained,
            "pieces": [
                {
                    "name": p.name,
                    "operations": p.operations,
                    "call_s": p.seconds,
                    "calls": p.calls,
                    "step_s": p.per_step,
                }
                for p in self.pieces
            ],
            "advice": advice(self),
        }


def profile(
    system: System, span: tuple[float, float], h: float, method: str = "newmark"
) -> RunProfile:
    """Run a system for a short time and time its kernels at states of this run.

    Parameters
    ----------
    system : System
        System to be simulated.
    span, h, method
        As for `mbdgen.simulate`.
    """
    result = simulate(system, span, method=method, h=h, progress=False)
    chosen, options = choose_own(method, {})
    tangent = chosen.tangent_weights(h, tuple(options))
    factors = {
        name: factors_at(system, _state(result, 0), weights)
        for name, weights in (("tangent", tangent), ("mass", INDEX_1))
    }
    rows = np.linspace(0, len(result.t) - 1, min(STATES, len(result.t))).astype(int)
    unfused = reason_against_fused(system, chosen)
    fused = not unfused
    calls = _calls(result, fused)
    kernels = [name.removeprefix("kernel ") for name in calls if name.startswith("kernel ")]
    names = kernels if fused else []
    system.work.weights[:3] = tangent  # else fused kernels may reject the state, which is quick
    measured = [measure(system, _state(result, int(row)), factors, names) for row in rows]
    made = factors["mass"][0]
    seconds = {name: float(np.median([m[name] for m in measured])) for name in measured[0]}
    fill = made.fill + system.n
    operations = {f"kernel {name}": count for name, count in system.data.operations}
    # A product in a factorisation or solution is followed by a subtraction.
    operations |= {f"factorise {name}": 2 * one.products for name, (one, _) in factors.items()}
    operations["solve"] = 2 * fill
    return RunProfile(
        result=result,
        pieces=tuple(TimedPiece(k, seconds[k], calls[k], operations.get(k, 0)) for k in seconds),
        fuses=system.data.fuses,
        unfused=unfused,
        reduced=system.data.reduced if fused else None,
        n=system.n,
        nnz=len(system.work.values),
        fill=fill,
        products=made.products,
    )


def advice(found: RunProfile) -> list[str]:
    """Return advice in sentences; empty if there is none."""
    texts = []
    part = {piece.name: piece.per_step / found.whole for piece in found.pieces}
    info, newton = found.result.info, found.newton_per_step
    if not found.fuses:
        texts.append(
            "The C backend puts the solution of the equations into the straight line of kernels "
            "in the layout flat: --backend c."
        )
    if not found.fused and info.layout == "loop" and found.n <= FLAT_HELPS[found.fuses]:
        texts.append("A mechanism of this size is faster in one piece: --layout flat.")
    if found.fused and found.reduced is None:
        texts.append("Coordinates that joints give can be left out of the steps: --reduced.")
    if refused := found.result.counters.generic_steps:
        texts.append(
            f"{refused} of {found.result.counters.steps} steps were refused by the fused kernels, "
            "whose pivots were chosen near the initial state: start from a state that is more like "
            "the motion, or take --layout loop."
        )
    if newton > 4.0 and found.result.counters.factorisations > 3 * found.result.counters.steps:
        texts.append(
            f"Newton's method needs {newton:.1f} iterations a step: a smaller h may cost less in "
            "all, stiff forces want a method that damps them."
        )
    if found.n > 12 and sum(part.get(name, 0.0) for name in LINEAR) > 0.5:
        texts.append(
            f"Linear equations take most of the time ({found.products} multiplications for "
            f"{found.n} unknowns): coordinates with fewer unknowns (planar bodies, points instead "
            "of joints with massless links) would help most."
        )
    if found.fill > 4 * found.nnz + 100:
        texts.append(
            f"The factors have {found.fill / found.nnz:.1f} times the entries of the matrix: loops "
            "of the mechanism are long or one body carries many joints."
        )
    if part.get("monitor", 0.0) + part.get("record", 0.0) > 0.4:
        texts.append("Much of the time is spent on recording: give t_eval with fewer instants.")
    if found.step > FAR * found.explained and found.result.counters.steps >= 100:
        texts.append("Much of the run is outside these pieces: the machine may be busy.")
    return texts


def _calls(result: Result, fused: bool) -> dict[str, float]:
    """Return the calls of each kernel per step, from the counters of a run."""
    counters = result.counters
    steps = max(1, counters.steps)
    newton = counters.newton_iterations / steps
    factorisations = counters.factorisations / steps
    if fused:
        names = {"kernel newton": newton, "kernel finish": 1.0}
        if not newton:  # an explicit method; usually one correction of the position
            names = dict.fromkeys(
                ("kernel accelerations", "kernel retract", "kernel consistent"), 1.0
            )
            names["kernel accelerations"] = factorisations - 1.0
        recorded = len(result.t) / steps
        return {**names, "monitor": recorded, "record": recorded}
    # End of a step: one correction of the velocity, then the accelerations, solved twice, with
    # residuals before and after. Newton's method needs one residual more than iterations, and the
    # reactions of the earlier position correct the velocity too; an explicit method corrects the
    # position and solves twice in every stage but the last.
    inner = 0.0 if newton else factorisations - 1.0
    return {
        "kernel residual": 2.0 + (newton + 1.0 if newton else inner + 2.0),
        "kernel rates": 3.0 + (1.0 if newton else inner),
        "kernel matrix": factorisations - 1.0 if newton else 0.0,
        "kernel mass": 1.0 + inner,
        "factorise tangent": factorisations - 1.0 if newton else 0.0,
        "factorise mass": 1.0 + inner,
        "solve": 3.0 + (newton + 1.0 if newton else 2.0 * inner + 1.0),
        "monitor": 1.0,
        "record": len(result.t) / steps,
    }


def _state(result: Result, row: int) -> State:
    parts = (result.q, result.v, result.a, result.lam)
    return State(np.array([result.t[row]]), *(part[row].copy() for part in parts))
