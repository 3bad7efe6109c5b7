"""What tests must not share: the cache of the machine, signals, the level of the log."""

import gc
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, settings

from tests.file_order import put_in_order
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


def pytest_configure(config: pytest.Config) -> None:
    """Leave out what costs time and tells nothing.

    Half of the workers' garbage collections, of symbolic expressions and of Numba's, find nothing.
    Workers compile the runtime themselves, on all processors: no other process does it ahead.
    Files are given to workers in the order in which they are collected.
    """
    gc.set_threshold(50_000, 20, 50)
    config.option.loadscopereorder = False
    if config.option.markexpr == "not slow":
        draw_no_numbers_of_sources()


def draw_no_numbers_of_sources() -> None:
    """Let Hypothesis not parse all of the sources for numbers to try: it takes ten seconds."""
    with suppress(ImportError):
        from hypothesis.internal.conjecture import providers

        setattr(providers, "is_local_module_file", lambda path: False)  # noqa: B010


def pytest_collection_finish() -> None:
    """Look through what is imported only once for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Thin the families before ``-m "not slow"`` chooses; the longest file comes first."""
    mark_others_slow(items, whole=not any("::" in word for word in config.args))
    put_in_order(items)


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
