"""Growing buffer of result rows."""

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.monitors import recorder
from mbdgen.runtime.monitors.recorder import Record
from mbdgen.runtime.system.system_data import FloatArray, SystemData


class Rows:
    """Instants and the recorded motion; there is always space for one more row.

    Parameters
    ----------
    capacity : int
        Initial number of rows.
    data : SystemData
        Sizes of the rows.
    """

    def __init__(self, capacity: int, data: SystemData) -> None:
        self._data = data
        self._times, self._record = np.zeros(capacity), recorder.new_record(capacity, data)
        self.count = 0

    @property
    def times(self) -> FloatArray:
        """Recorded instants."""
        return self._times[: self.count]

    @property
    def record(self) -> Record:
        """Motion at these instants."""
        return Record(*(array[: self.count] for array in self._record))

    def ends_at(self, t: float) -> bool:
        """Whether the last instant is ``t``."""
        return self.count > 0 and bool(self._times[self.count - 1] == t)

    def add(self, t: float, source: Record, row: int) -> None:
        """Append one row of ``source``."""
        if self.count == len(self._times):
            self._enlarge()
        self._times[self.count] = t
        for target, array in zip(self._record, source, strict=True):
            target[self.count] = array[row]
        self.count += 1

    def add_chosen(self, times: FloatArray, chosen: NDArray[np.bool_], source: Record) -> None:
        """Append the chosen rows of ``source``; there must be space for them."""
        rows = slice(self.count, self.count + int(chosen.sum()))
        self._times[rows] = times[chosen]
        for target, array in zip(self._record, source, strict=True):
            target[rows] = array[: len(chosen)][chosen]
        self.count = rows.stop

    def _enlarge(self) -> None:
        """Double the capacity."""
        times, record = self.times, self.record
        capacity = 2 * max(1, self.count)
        self._times, self._record = np.zeros(capacity), recorder.new_record(capacity, self._data)
        self._times[: self.count] = times
        for target, source in zip(self._record, record, strict=True):
            target[: self.count] = source
