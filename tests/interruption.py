"""Interrupting this process while it computes, as the user does."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Send SIGINT when this process has worked that long in the block.

    Processor time and not a clock: on a busy machine an instant may come before the loop begins,
    and what is interrupted then is the session of the tests.
    """
    begun, done = time.process_time(), threading.Event()

    def send() -> None:
        while not done.wait(0.01):
            if time.process_time() - begun > seconds:
                os.kill(os.getpid(), signal.SIGINT)
                return

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
