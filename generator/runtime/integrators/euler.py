"""Explicit (forward) Euler method: one evaluation per step, order 1."""

from mbdgen.runtime.steps.runge_kutta_step import explicit_method

METHOD = explicit_method(
    "euler",
    order=1,
    matrix=(),
    weights=(1,),
    text="explicit Euler method, one evaluation per step, order 1",
    source="L. Euler: Institutionum calculi integralis, volumen primum, St Petersburg (1768), "
    "sectio secunda, caput VII.",
)
