"""Text representation (``repr``) of a result."""

from typing import TYPE_CHECKING

from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.stepping.run_info import Counters
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.results.result import Result


def described(result: "Result") -> str:
    """Return the outcome of a run, the shapes of its arrays, and its cost."""
    rows = [
        ("message", result.message),
        ("success", str(result.success)),
        ("status", str(result.status)),
        ("t", _span(result.t)),
        *_arrays(result),
        ("counters", _counters(result.counters)),
        ("accuracy", result.accuracy.text),
        *(("warning", text) for text in result.warnings),
        ("timings", ", ".join(f"{k} {s:.3g}" for k, s in result.timings.items())),
    ]
    if result.t_events:
        rows.append(("t_events", f"{sum(map(len, result.t_events))} instants"))
    head = f"Result of '{result.info.model}' by {result.info.method}, axes are (time, n)"
    return "\n".join([head, *(f"{name:>10}: {text}" for name, text in rows)])


def _arrays(result: "Result") -> list[tuple[str, str]]:
    names = result.names
    found: dict[str, tuple[FloatArray, tuple[str, ...]]] = {
        "q": (result.q, names.coordinates),
        "v": (result.v, ()),
        "a": (result.a, ()),
        "lam": (result.lam, names.multipliers),
        "outputs": (result.outputs, names.outputs),
        "energies": (result.energies, ("kinetic", "potential", "work")),
    }
    return [(name, _shape(*x)) for name, x in found.items()]


def _span(t: FloatArray) -> str:
    return f"({len(t)},) from {t[0]:.6g} to {t[-1]:.6g} s" if len(t) else "(0,)"


def _shape(array: FloatArray, labels: tuple[str, ...]) -> str:
    return f"({array.shape[0]}, {array.shape[1]}) {listed(labels, 6)}".rstrip()


def _counters(counters: Counters) -> str:
    halved = f" ({counters.rejected} taken back)" if counters.rejected else ""
    return (
        f"{counters.steps} steps{halved}, {counters.newton_iterations} Newton iterations, "
        f"{counters.factorisations} factorisations, max |phi| {counters.max_phi:.2g}, "
        f"energy drift {counters.energy_drift:.2g} J"
    )
