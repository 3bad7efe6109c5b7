"""What tests must not share: the cache of the machine, signals, the level of the log."""

import logging
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.representatives import mark_others_slow

# How fast examples are made says something about the machine only.
settings.register_profile(
    "any machine", suppress_health_check=[HealthCheck.too_slow], deadline=None
)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options must be in the conftest of the top folder: pytest reads only that one early."""
    parser.addoption(
        "--update-golden", action="store_true", help="write the modules in generated/ again"
    )
    parser.addoption(
        "--update-baseline", action="store_true", help="write tests/benchmarks/baseline.json again"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Thin the families before ``-m "not slow"`` chooses."""
    mark_others_slow(items, whole=not any("::" in word for word in config.args))


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Let SIGINT interrupt, as tests want: what a shell starts in the background ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def same_messages() -> Iterator[None]:
    """Give the logger its level and handlers back: commands that a test calls change them."""
    logger = logging.getLogger("mbdgen")
    level, handlers = logger.level, [*logger.handlers]
    yield
    logger.setLevel(level)
    logger.handlers[:] = handlers


@pytest.fixture(scope="session", autouse=True)
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Point ``MBDGEN_CACHE`` to a folder that lives as long as the session.

    A folder that is set already is kept: so one can work on tests without compiling each time.
    The workers of pytest-xdist share theirs, because their folders have one parent.
    """
    if os.environ.get("MBDGEN_CACHE"):
        yield
        return
    base = tmp_path_factory.getbasetemp()
    parallel = "PYTEST_XDIST_WORKER" in os.environ
    folder = (base.parent if parallel else base) / "mbdgen_cache"
    os.environ["MBDGEN_CACHE"] = str(folder)
    yield
    del os.environ["MBDGEN_CACHE"]
