"""Entries of the cache: what was written under a name comes back under that name only."""

import shutil
from pathlib import Path

import pytest

from mbdgen.runtime.program.cache_entries import DamagedEntry, read_entry, write_entry


def test_an_entry_under_the_name_of_another_is_damaged(tmp_path: Path) -> None:
    write_entry(tmp_path / "a.json", b"of a")
    assert read_entry(tmp_path / "a.json") == b"of a"
    shutil.copyfile(tmp_path / "a.json", tmp_path / "b.json")
    with pytest.raises(DamagedEntry):
        read_entry(tmp_path / "b.json")
