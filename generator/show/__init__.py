"""Readable output of each stage of the compiler: `mbdgen show`."""
