"""One cache folder for the whole session, so that no test depends on what is on the machine."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

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
