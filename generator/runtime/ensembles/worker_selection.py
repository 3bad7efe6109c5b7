"""Selection of the worker for the members of an ensemble."""

from threading import Event

from mbdgen.runtime.ensembles.job import Job
from mbdgen.runtime.ensembles.one_by_one import OneByOne
from mbdgen.runtime.ensembles.worker import Worker
from mbdgen.runtime.monitors.orientation_chart import find
from mbdgen.runtime.system.system import System


def new_worker(system: System, job: Job, stop: Event | None = None) -> Worker | OneByOne:
    """Return a worker that is ready to compute members of a system.

    Parameters
    ----------
    stop : Event, optional
        Set by another thread: give up.
    """
    stop = stop or Event()
    data = system.data
    if find(system) or len(data.contacts) or len(data.crowds) or len(data.ranges):
        return OneByOne(system, job, stop)
    return Worker(system, job, stop).warm_up()
