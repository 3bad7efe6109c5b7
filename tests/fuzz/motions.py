"""The verdict on a random model: on its equations, on what its run says, on its motion."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from random import Random
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

from mbdgen import Model, Result, load, simulate
from mbdgen.errors import MbdgenError
from mbdgen.runtime.system.system import System
from tests.fuzz.equations import wrong_equations
from tests.fuzz.models import Script, script
from tests.fuzz.verdicts import Case, Verdict, refusal

FULL = 0.3
"""A drift of the energy that asks for a second look, as a part of what energies and work vary."""
NORMAL = 0.3
"""A motion whose error is a larger part of its range than this has no digit left."""
SERIES = ("t", "q", "v", "a", "lam", "outputs", "energies")


SLOW = 30.0
"""Seconds of processor time after which a case is ended whose run goes on, but not fast."""
STUCK = 1e-3
"""Part of its span that a run has to reach by then; what has not is waited for, as a hang."""


class TooSlow(Exception):
    """A run that would reach its end, much later."""


def judge(seed: int, number: int) -> Case:
    """Make the random model of a number, run it and look at what comes out."""
    try:
        with impatient(SLOW):
            return judge_script(script(seed, number), Random(f"checks {seed} {number}"))
    except TooSlow as told:
        return Case(Verdict.SLOW, str(told))


def warm_up() -> None:
    """Load what most runs need, once, and not again in every copy of this process."""
    model = Model("warm", gravity=(0, 0, -9.81))
    body = model.body("body", 1.0, (1, 1, 1), position=(1, 0, 0))
    model.revolute("pin", model.ground, body, at=(0, 0, 0), axis=(0, 1, 0))
    model.spring("held", model.ground.at(), body.at(), stiffness=2.0)
    model.output("centre", body.at())
    for layout in ("flat", "loop"):
        system = load(model, backend="c", layout=layout)
        for method in ("newmark", "rk4", "dopri5", "dop853"):
            simulate(system, (0.0, 0.02), method, 0.01, progress=False)
        simulate(system, (0.0, 0.02), "dopri5", rtol=1e-3, progress=False)


@contextmanager
def impatient(limit: float) -> Iterator[None]:
    """Raise `TooSlow` out of runs that go on after so many seconds of processor time."""
    end = process_time() + limit

    @contextmanager
    def watched(_choice: object, _label: str, start: float, stop: float) -> Iterator[Any]:
        def report(t: float) -> None:
            share = abs(t - start) / abs(stop - start)
            if process_time() > end and share > STUCK:
                raise TooSlow(f"{100 * share:.2g} % of its span after {limit:g} s")

        yield report

    with patch.object(import_module("mbdgen.runtime.simulate"), "progress_bar", watched):
        yield


def judge_script(made: Script, random: Random) -> Case:
    names: dict[str, Any] = {}
    try:
        exec(compile(made.text, "<random model>", "exec"), names)
        model = names["m"]
        keys = [
            {key: eval(text, names) for key, text in some.items()} for some in (made.load, made.run)
        ]
    except Exception as error:
        return refusal(error, theirs=True)
    try:
        system = load(model, **keys[0])
        return judge_system(system, model, made, keys[1], random)
    except TooSlow:
        raise
    except Exception as error:
        return refusal(error)


def judge_system(
    system: System, model: Model, made: Script, given: dict[str, Any], random: Random
) -> Case:
    plain = not {"reduced", "eliminate", "coordinates"} & {*made.load}
    if plain and not model.joint_coordinates and random.random() < 0.5:
        found = wrong_equations(system, model, made.load.get("freeze", ""), random)
        if found:
            return Case(Verdict.WRONG, found)
    given = {"progress": False, **given}
    span = given.pop("span")
    result = simulate(system, span, **given)
    case = judge_result(result, system, span, given)
    if case.verdict is Verdict.SOUND and made.clean and random.random() < 0.2:
        return compare(model, made, system, result, random)
    return case


def judge_result(result: Result, system: System, span: Any, given: dict[str, Any]) -> Case:
    """Judge the end of a run."""
    if not result.success:
        return Case(Verdict.TOLD, result.message[:200])
    for name in SERIES:
        values = getattr(result, name)
        if not np.isfinite(values).all():
            return _told(result) or Case(Verdict.NAN, f"{name}: {result.message[:100]}")
    if said := _told(result):
        return said
    if (violation := _violation(result, system)) > 1e-3:
        return Case(
            Verdict.BLOW_UP, f"|phi| is {violation:.1e} of the size: {result.message[:100]}"
        )
    if _drift(result) > FULL and given.get("rtol") is None:
        return _second_look(result, system, span, given)
    return Case(Verdict.SOUND)


def _told(result: Result) -> Case | None:
    """Return that a run ended with a warning, if it did."""
    warnings = getattr(result, "warnings", ())
    return Case(Verdict.WARNED, str(warnings[0])[:200]) if warnings else None


def _violation(result: Result, system: System) -> float:
    """The largest violation at the end, relative to what coordinates are large."""
    rows = system.data.constraint_rows
    last = (float(result.t[-1]), *(getattr(result, x)[-1] for x in ("q", "v", "a", "lam")))
    phi = np.abs(system.residual(*last)[rows]).max(initial=0.0)
    return float(phi / max(np.abs(result.q).max(initial=0.0), 1e-300))


def _drift(result: Result) -> float:
    varied = np.ptp(result.energies, axis=0).sum() + 1e-12 * np.abs(result.energies).max()
    return float(result.counters.energy_drift / varied) if varied > 0.0 else 0.0


def _second_look(result: Result, system: System, span: Any, given: dict[str, Any]) -> Case:
    """Whether a run that lost its energy is wrong: with a quarter of the step it is another."""
    try:
        fine = simulate(system, span, **{**given, "h": float(given.get("h", 1e-3)) / 4})
    except MbdgenError as error:
        return Case(Verdict.BLOW_UP, f"a quarter of the step is refused: {error}"[:200])
    size = np.ptp(fine.q, axis=0).max(initial=0.0) + 1e-9 * np.abs(fine.q).max(initial=0.0)
    error = np.abs(fine.q[-1] - result.q[-1]).max(initial=0.0)
    if fine.success and error <= NORMAL * size:
        return Case(Verdict.SOUND)
    drift = f"energy drift {_drift(result):.1e} of what varies"
    return Case(Verdict.BLOW_UP, f"{drift}, q off by {error / size:.1e} of its range")


def compare(model: Model, made: Script, system: System, result: Result, random: Random) -> Case:
    """Compare with the motion in other coordinates, another layout or another backend."""
    other = random.choice(({"layout": "loop"}, {"layout": "flat"}, {"coordinates": "relative"},
                           {"coordinates": "conformal"}, {"reduced": True}))  # fmt: skip
    end = float(result.t[-1])
    try:
        second = load(model, backend="c", **other)
        runs = [_fine(system, end, 2), _fine(system, end, 1), _fine(second, end, 1)]
    except MbdgenError:
        return Case(Verdict.SOUND)
    if not all(run.success for run in runs):
        return Case(Verdict.SOUND)
    names = [name for name in runs[1].names.outputs if name in runs[2].names.outputs]
    if runs[1].info.redundant:  # how joints share what they hold twice depends on the coordinates
        reactions = {f"a{joint.name}" for joint in model.joints}
        names = [name for name in names if name.partition(".")[0] not in reactions]
    coarse, fine, found = (np.column_stack([run[name] for name in names]) for run in runs)
    size = np.abs(fine).max(axis=0) + 1e-9 * np.abs(fine).max(initial=0.0)
    own = (np.abs(coarse - fine).max(axis=0) / size).max(initial=0.0)
    error = (np.abs(found - fine).max(axis=0) / size).max(initial=0.0)
    if own < 1e-3 and error > 20 * own + 1e-4:
        return Case(
            Verdict.WRONG, f"with {other} outputs differ by {error:.1e}, steps by {own:.1e}"
        )
    return Case(Verdict.SOUND)


def _fine(system: System, end: float, coarse: int) -> Result:
    instants = np.linspace(0.0, end, 11)
    return simulate(system, (0.0, end), "rk4", end / 400 * coarse, instants, progress=False)
