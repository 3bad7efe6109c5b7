"""Fixed steps with contact: bisected at the ends of a contact, subdivided within it.

A contact of two stiff bodies lasts a small part of the step size that the rest of the motion
needs. The contact supplies the step size it needs; these steps are made several at a time, and one
by one where the contact ends.
"""

import numpy as np

from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.stepping.driver import INTERRUPTED, NO_NUMBERS, STOPPED, Run
from mbdgen.runtime.system.run_workspace import OK

TOGETHER = 10
"""Steps in a contact between two checks for its end: a sixth of an impact."""


class TouchingRun(Run):
    """One simulation with contacts and steps of at most a given size."""

    one_by_one = True

    def _pieces(self, plan: Schedule, piece: int) -> int:
        for k, keep in enumerate(plan.keep[1:]):
            status = self._reach(float(plan.instants[k + 1]), abs(plan.step(k)), bool(keep))
            if status != OK:
                return status
            self._sample(plan, k + 1, 0)
        return OK

    def _reach(self, target: float, h: float, keep: bool) -> int:
        """Integrate to ``target`` with steps of at most ``h``."""
        alone = 0
        while float(self.state.clock[0]) != target:
            if self.attitudes and self._check_charts(h) == 0:
                return NO_NUMBERS
            before = self._snapshot()
            end, steps = self._next(target, h, 1 if alone else TOGETHER)
            try:
                status, contact = self._single(end, steps), None
                if status == OK:
                    if steps > 1 and self.contacts.first(before.knot, self._knot()):
                        self._restore(before)
                        alone = steps
                        continue
                    status, contact = self._to_contact(before, steps)
                    if steps == TOGETHER and contact is None:
                        self.contacts.settle(before.knot, self._knot())
                        self._known[:] = self.system.work.p  # no equation reads that
            except KeyboardInterrupt:
                self._restore(before)
                return INTERRUPTED
            alone = max(alone - 1, 0)
            if status == OK and self.watches:
                status = self._event(before)
            if status != OK:
                return status
            if self.missed:
                self.missed.see(float(self.state.clock[0]), self.state.q, self.state.v, steps)
            status = self._settle(h) if self.watches else OK
            if status == OK and contact is not None:
                status = self._change(contact, h)
                alone = 0
            if status != OK:
                return status
            self._report_progress(float(self.state.clock[0]))
        if keep and self._keep(target, 0):
            return STOPPED
        return self._settle(h)

    def _next(self, target: float, h: float, most: int) -> tuple[float, int]:
        """Return the end of the next steps and their number."""
        t = float(self.state.clock[0])
        rest, forward = abs(target - t), target > t
        allowed = self.contacts.step(self._knot())
        if allowed >= h:
            allowed, most = h, 1
        steps = min(max(int(np.ceil(rest / allowed * (1.0 - 1e-9))), 1), most)
        if steps * allowed >= rest * (1.0 - 1e-9):
            return target, steps
        length = steps * allowed
        return (t + length if forward else t - length), steps
