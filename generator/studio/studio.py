"""A studio: what it offers, what it runs, and who may ask."""

import secrets
import tempfile
import threading
from functools import cached_property
from pathlib import Path

from mbdgen.studio.catalogue import Catalogue
from mbdgen.studio.choices import Choices, read_choices
from mbdgen.studio.errands import Errands
from mbdgen.studio.limits import Limits
from mbdgen.studio.runs import Runs


class Studio:
    """Everything behind the page.

    Parameters
    ----------
    catalogue : Catalogue
        The models that may be run.
    limits : Limits
        Bounds of everything that is started.
    """

    def __init__(self, catalogue: Catalogue, limits: Limits) -> None:
        self.catalogue, self.limits = catalogue, limits
        self.token = secrets.token_urlsafe(24)
        self._folder = tempfile.TemporaryDirectory(prefix="mbdgen-studio-")
        self.errands = Errands(limits)
        self.runs = Runs(Path(self._folder.name), limits)
        self._reading = threading.Lock()

    @property
    def choices(self) -> Choices:
        """Methods, formulations and projections, asked for once."""
        with self._reading:
            return self._choices

    @cached_property
    def _choices(self) -> Choices:
        return read_choices(self.errands.answer(["methods", "--json"]))

    def close(self) -> None:
        """End all that runs, and remove all that was written."""
        self.errands.close()
        self.runs.close()
        self._folder.cleanup()
