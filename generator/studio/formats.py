"""Files that a run may write, and how they are sent."""

from importlib.util import find_spec

PAGE = "result.html"
NEEDED: dict[str, tuple[str, ...]] = {
    "npz": (),
    "csv": (),
    "json": (),
    "parquet": ("pandas", "pyarrow"),
    "nc": ("xarray", "h5netcdf"),
}
"""Suffixes, and the libraries that write them."""

SUFFIXES = tuple(NEEDED)
NAMES = (PAGE, *(f"result.{suffix}" for suffix in SUFFIXES))
"""All files of a run that are ever sent."""


def available() -> list[str]:
    """Return the suffixes that can be written here."""
    return [name for name, needed in NEEDED.items() if all(find_spec(x) for x in needed)]


def media_type(name: str) -> str:
    """Return the type of a file by which browsers know what to do with it."""
    return "text/html; charset=utf-8" if name == PAGE else "application/octet-stream"
