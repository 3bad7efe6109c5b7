"""Writes the picture of docs/animation.md again: ``python docs/scripts/animation_picture.py``.

It needs Chromium.
"""

import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parents[1]


def main() -> None:
    """Simulate Bricard's mechanism and photograph its page."""
    sys.path.insert(0, str(DOCS.parent))
    from mbdgen import load, simulate
    from tests.browser import browser

    result = simulate(load("bricard"), (0, 8), h=2e-3)
    with tempfile.TemporaryDirectory() as folder, browser() as tab:
        page = Path(folder) / "bricard.html"
        result.animate().save(page)
        tab.open(page, 1000, 640)
        tab.run("animation.play(false), animation.seek(1.7)")
        tab.pictures(3)
        tab.screenshot(DOCS / "pictures" / "animation.png")


if __name__ == "__main__":
    main()
