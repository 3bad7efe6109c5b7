"""Compiler stages derive, lower and emit: functions that can be called separately."""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mbdgen import cache
from mbdgen.build_options import BuildOptions
from mbdgen.digests import digest
from mbdgen.emit.backend import Backend
from mbdgen.emit.backend_capabilities import check_backend_limits
from mbdgen.emit.backends import find_backend
from mbdgen.forked import Copies
from mbdgen.language.model import Model
from mbdgen.symbolic.ir.element_ir import ElementIR
from mbdgen.symbolic.ir.system_ir import SystemIR
from mbdgen.topology.class_identity import has_serials, is_ours, without_serials
from mbdgen.topology.elements import ElementSpec

logger = logging.getLogger(__name__)


def identify(
    specs: Sequence[ElementSpec], engine: str, second: bool = False
) -> tuple[list[ElementSpec], bool]:
    """Return elements with keys valid in every process, and whether all classes are of mbdgen.

    The equations of a user class may depend on anything, so they are evaluated: the key contains
    the hash of the statement, or of the whole derivation for user-defined bodies. If that fails the
    key stays local to the process and is not looked up in the cache.
    """
    known: dict[str, str] = {}
    for spec in specs:
        if has_serials(spec.key) and spec.key not in known:
            known[spec.key] = _identified(spec, engine, second)
    return [replace(s, key=known.get(s.key, s.key)) for s in specs], not known


def _identified(spec: ElementSpec, engine: str, second: bool) -> str:
    from mbdgen.symbolic.derive.algebra_engines import make_engine
    from mbdgen.symbolic.statement.statement_texts import stated

    try:
        if all(is_ours(type(body.kind)) for body in spec.bodies):
            text, ir = stated(spec, make_engine(engine)), None
        else:
            ir = _derive(spec, engine, second)
            text = json.dumps(ir.to_json())
    except Exception as error:  # a user class may raise anything; the derivation reports it
        logger.debug("%s cannot be identified: %s", spec.title, error)
        return spec.key
    key = f"{without_serials(spec.key)} states {digest([text])}"
    if ir is not None:
        cache.store_type(key, engine, ir, second)
    return key


def derive_types(
    specs: Sequence[ElementSpec], engine: str, second: bool = False
) -> dict[str, ElementIR]:
    """Return the derived element type of every structure, from the cache where possible.

    New types are derived in parallel; forked processes return them by the cache. Types with user
    classes are cached if `identify` has given them keys.
    """
    first = {spec.key: spec for spec in reversed(specs)}
    irs = {key: _cached(key, engine, second) for key in first}
    new = [first[key] for key, ir in irs.items() if ir is None]
    if len(new) > 1:
        import mbdgen.symbolic.derive.derivation  # noqa: F401 # once, before the process is forked

        with Copies([partial(_derive_and_store, spec, engine, second) for spec in new]) as mine:
            for task in mine:
                irs[task.args[0].key] = task()
    for spec in new:
        if irs[spec.key] is None:
            ir = _cached(spec.key, engine, second)
            irs[spec.key] = ir or _derive_and_store(spec, engine, second)
    return {spec.key: ir for spec in specs if (ir := irs[spec.key]) is not None}


def _derive_and_store(spec: ElementSpec, engine: str, second: bool) -> ElementIR:
    ir = _derive(spec, engine, second)
    if not has_serials(spec.key):
        cache.store_type(spec.key, engine, ir, second)
    return ir


def _cached(key: str, engine: str, second: bool) -> ElementIR | None:
    return None if has_serials(key) else cache.load_type(key, engine, second)


def _derive(spec: ElementSpec, engine: str, second: bool) -> ElementIR:
    from mbdgen.symbolic.derive.algebra_engines import make_engine
    from mbdgen.symbolic.derive.derivation import derive

    start = time.perf_counter()
    ir = derive(spec, make_engine(engine), second)
    logger.debug("derived %s in %.2f s", spec.title, time.perf_counter() - start)
    return ir


def lower_model(
    model: Model, specs: Sequence[ElementSpec], irs: dict[str, ElementIR], options: BuildOptions
) -> SystemIR:
    """Lower the derived types of a model to the system of equations that is printed."""
    from mbdgen.symbolic.lower.layout import LayoutLimits
    from mbdgen.symbolic.lower.lowering import lower
    from mbdgen.symbolic.lower.scene_numbers import scene

    backend = find_backend(options.backend)
    limits = LayoutLimits(
        backend.flat_limit,
        backend.fuse_limit,
        backend.operation_limit,
        backend.recursive,
        backend.name,
    )
    system = lower(model, specs, irs, options, limits)
    return replace(system, scene=scene(model, options.freeze))


def emit_text(system: SystemIR, backend: Backend, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of the generated files by name."""
    from mbdgen.emit.render import render

    check_backend_limits(backend, system)
    return render(system, backend, facts)
