"""The version of mbdgen, for headers of generated files and for the keys of the cache."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("mbdgen")
except PackageNotFoundError:  # on the path without being installed
    __version__ = "0+unknown"
