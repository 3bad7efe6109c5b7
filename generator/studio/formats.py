"""File formats that a run may write, and their media types."""

from importlib.util import find_spec

PAGE = "result.html"
NEEDED: dict[str, tuple[str, ...]] = {
    "html": (),
    "npz": (),
    "csv": (),
    "json": (),
    "mat": (),
    "parquet": ("pandas", "pyarrow"),
    "nc": ("xarray", "h5netcdf"),
}
"""Suffixes, and the libraries that write them."""

SUFFIXES = tuple(NEEDED)
NAMES = tuple(f"result.{suffix}" for suffix in SUFFIXES)
"""Names of all files of a run that can be downloaded."""


def available() -> list[str]:
    """Return the suffixes that can be written with the installed libraries."""
    return [name for name, needed in NEEDED.items() if all(find_spec(x) for x in needed)]


def media_type(name: str) -> str:
    """Return the media type of a file, as browsers need it."""
    return "text/html; charset=utf-8" if name == PAGE else "application/octet-stream"
