"""Life cycle of a studio."""

import signal
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from mbdgen.errors import MbdgenError
from mbdgen.studio.catalogue import Catalogue
from mbdgen.studio.run_bounds import RunBounds
from mbdgen.studio.server import Server
from mbdgen.studio.studio import Studio


def serve(
    catalogue: Catalogue,
    limits: RunBounds,
    port: int,
    ready: Callable[[str], None],
    browser: bool = False,
) -> None:
    """Serve until this process is interrupted or terminated.

    Parameters
    ----------
    catalogue, limits : Catalogue, RunBounds
        Available models and resource limits.
    port : int
        Port; 0 for a free one.
    ready : callable
        ``ready(url)`` is called when the page can be opened.
    browser : bool
        Whether to open the page.
    """
    studio = Studio(catalogue, limits)
    try:
        with Server(studio, port) as server, server.hint() as hint:
            signal.signal(signal.SIGTERM, _interrupt)
            # The terminal was closed; Windows has no such signal, and nohup ignores it.
            if hangup := getattr(signal, "SIGHUP", None):
                if signal.getsignal(hangup) is not signal.SIG_IGN:
                    signal.signal(hangup, _interrupt)
            ready(server.url)
            # The list of methods takes a second: prepare it before the page asks for it.
            threading.Thread(target=_prepare, args=(studio,), daemon=True).start()
            if browser:
                threading.Thread(target=webbrowser.open, args=(hint,), daemon=True).start()
            server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        pass
    finally:
        studio.close()


def _prepare(studio: Studio) -> None:
    """Prepare the list of methods; after a failure the page requests it again."""
    with suppress(MbdgenError):
        _ = studio.choices


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
