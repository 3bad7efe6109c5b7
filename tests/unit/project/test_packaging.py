"""What an installation contains, and what importing it costs."""

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import mbdgen

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]


def packages_in_folders() -> set[str]:
    """The dotted name of every folder with Python files under the three mapped folders."""
    found = set()
    for package, folder in SETUPTOOLS["package-dir"].items():
        for file in (ROOT / folder).rglob("*.py"):
            below = file.parent.relative_to(ROOT / folder).parts
            found.add(".".join((package, *below)))
    return found


def test_every_package_is_listed() -> None:
    listed = SETUPTOOLS["packages"]
    assert listed == sorted(listed)
    assert set(listed) == packages_in_folders(), "correct [tool.setuptools] packages"


def test_every_package_has_an_init() -> None:
    for package in packages_in_folders():
        parts = package.split(".")
        base = next(b for n in (2, 1) if (b := ".".join(parts[:n])) in SETUPTOOLS["package-dir"])
        below = package.removeprefix(base).strip(".").replace(".", "/")
        assert (ROOT / SETUPTOOLS["package-dir"][base] / below / "__init__.py").is_file(), package


def test_every_other_file_is_package_data() -> None:
    """A template or a table that the patterns miss would work here and be absent from the wheel."""
    for package, folder in SETUPTOOLS["package-dir"].items():
        base = ROOT / folder
        files = {f for f in base.rglob("*") if f.is_file() and "__pycache__" not in f.parts}
        shipped = {f for pattern in SETUPTOOLS["package-data"][package] for f in base.glob(pattern)}
        missed = {f for f in files - shipped if f.suffix != ".py"}
        assert not missed, f"add a pattern to [tool.setuptools.package-data] for {missed}"


def test_version_is_the_distribution_s() -> None:
    assert mbdgen.__version__ == version("mbdgen") == PROJECT["project"]["version"]


def test_names_are_found_on_first_use() -> None:
    for name in ("Model", "build", "load", "simulate", "Result"):
        assert getattr(mbdgen, name).__name__ == name
        assert name in dir(mbdgen)
    with pytest.raises(AttributeError, match="'mbdgen' has no attribute 'modle'"):
        mbdgen.modle  # noqa: B018


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import mbdgen", ("numpy", "numba", "sympy", "jinja2", "matplotlib")),
        ("import mbdgen.runtime.simulate", ("sympy", "jinja2", "pandas", "matplotlib")),
    ],
)
def test_import_is_light(statement: str, absent: tuple[str, ...]) -> None:
    code = f"{statement}\nimport sys\nprint(*sorted(set(sys.modules) & set({absent!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_generated_is_importable_from_the_root() -> None:
    code = "from generated import __doc__ as text; assert 'mbdgen build' in text"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


@pytest.mark.slow
def test_wheel_is_complete(tmp_path: Path) -> None:
    """A wheel, unpacked alone, offers the three packages with their data and the command."""
    import shutil
    import zipfile

    source = tmp_path / "source"
    ignore = shutil.ignore_patterns(".git", "build", "*.egg-info", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, source, ignore=ignore)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, source],
        check=True,
    )
    (wheel,) = tmp_path.glob("mbdgen-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    for package, folder in SETUPTOOLS["package-dir"].items():
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                inside = f"{package.replace('.', '/')}/{file.relative_to(ROOT / folder).as_posix()}"
                assert inside in names
    assert any(name.endswith("entry_points.txt") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "generated/")) for name in names)
    code = "import mbdgen.templates, mbdgen.models as m; print(m.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path / "site",
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path / "site"))
