"""State of a studio: its models, runs, methods and authorisation."""

import secrets
import tempfile
import threading
from pathlib import Path

from mbdgen.studio.catalogue import Catalogue
from mbdgen.studio.errands import Errands
from mbdgen.studio.run_bounds import RunBounds
from mbdgen.studio.runs import Runs
from mbdgen.studio.scheme_choices import SchemeChoices, read_choices


class Studio:
    """State behind the page.

    Parameters
    ----------
    catalogue : Catalogue
        Available models.
    limits : RunBounds
        Resource limits of everything that is started.
    choices : SchemeChoices, optional
        Available methods; by default those listed by the command line.
    """

    def __init__(
        self, catalogue: Catalogue, limits: RunBounds, choices: SchemeChoices | None = None
    ) -> None:
        self.catalogue, self.limits = catalogue, limits
        self._choices = choices
        self.token = secrets.token_urlsafe(24)
        self._folder = tempfile.TemporaryDirectory(prefix="mbdgen-studio-")
        self.errands = Errands(limits)
        self.runs = Runs(Path(self._folder.name), limits)
        self._reading = threading.Lock()

    @property
    def choices(self) -> SchemeChoices:
        """Methods, formulations and projections; listed once."""
        with self._reading:
            if self._choices is None:
                self._choices = read_choices(self.errands.answer(["methods", "--json"]))
            return self._choices

    def close(self) -> None:
        """End all processes, and remove all files."""
        self.errands.close()
        self.runs.close()
        self._folder.cleanup()
