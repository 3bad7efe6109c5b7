"""Writes the picture of docs/studio.md again: ``python docs/scripts/studio_picture.py``.

It needs Chromium.
"""

import sys
import threading
from pathlib import Path

DOCS = Path(__file__).parents[1]


def main() -> None:
    """Run Bricard's mechanism in a studio and photograph the page."""
    sys.path.insert(0, str(DOCS.parent))
    from mbdgen.studio.catalogue import Catalogue
    from mbdgen.studio.run_bounds import RunBounds
    from mbdgen.studio.server import Server
    from mbdgen.studio.studio import Studio
    from tests.browser import browser

    studio = Studio(Catalogue(first="bricard"), RunBounds())
    with Server(studio, 0) as server, browser() as tab:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab.open(server.url, 1280, 900)
        tab.wait("!by('run').disabled && by('command').textContent")
        tab.run("by('run').click()")
        tab.wait("by('state').textContent.startsWith('done')")
        frame = tab.frame()
        frame.wait("typeof animation === 'object' && document.getElementById('clock').textContent")
        frame.run("animation.play(false), animation.seek(1.7)")
        frame.pictures(3)
        tab.pictures(3)
        tab.screenshot(DOCS / "pictures" / "studio.png")
        server.shutdown()
    studio.close()


if __name__ == "__main__":
    main()
