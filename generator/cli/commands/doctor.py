"""``mbdgen doctor``: test of the installation on this machine."""

import os
import platform
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

import typer

from mbdgen.cli.error_reports import OUR_ERROR, complain
from mbdgen.errors import MbdgenError

NEEDED = ("numpy", "scipy", "llvmlite", "sympy", "jinja2", "typer", "rich")
OPTIONAL = (
    ("symengine", "fast"),
    ("matplotlib", "plot"),
    ("pandas", "data"),
    ("xarray", "data"),
    ("pyarrow", "data"),
    ("h5netcdf", "data"),
)
THREAD_VARIABLES = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)


def doctor() -> None:
    """Test the installation: versions, cache, compilers, and calls of compiled kernels.

    Exits with 1 if a required part does not work.
    """
    from mbdgen import __version__

    _line("mbdgen", f"{__version__} in {os.path.dirname(os.path.dirname(__file__))}")
    _line("python", f"{platform.python_version()} ({sys.executable})")
    _line("machine", f"{platform.platform()}, {os.cpu_count()} processors")
    missing = [name for name in NEEDED if not _package(name, "missing: needed")]
    for name, extra in OPTIONAL:
        _package(name, f"not installed; pip install 'mbdgen[{extra}]'")
    threads = [f"{v}={os.environ[v]}" for v in THREAD_VARIABLES if v in os.environ]
    _line("threads", ", ".join(threads) or "no limits are set")
    compilers = [c for c in ("cc", "gcc", "clang", "cl") if shutil.which(c)]
    _line("C compiler", ", ".join(compilers) or "none (the numba backend needs none)")
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("cache", _cache),
        ("compiler", _llvm),
        ("derivation", _derivation),
    )
    bad = [name for name, check in checks if not _try(name, check)]
    if missing or bad:
        complain(f"This installation does not work: {', '.join([*missing, *bad])}.")
        raise typer.Exit(OUR_ERROR)
    typer.echo("Everything works.")


def _line(name: str, text: str) -> None:
    typer.echo(f"{name:<12} {text}")


def _package(name: str, otherwise: str) -> bool:
    try:
        _line(name, version(name))
    except PackageNotFoundError:
        _line(name, otherwise)
        return False
    return True


def _try(name: str, check: Callable[[], str]) -> bool:
    """Run a check and print its result or its exception."""
    try:
        _line(f"+ {name}", check())
    except Exception as error:
        reason = error if isinstance(error, MbdgenError) else f"{type(error).__name__}: {error}"
        _line(f"- {name}", str(reason))
        return False
    return True


def _cache() -> str:
    from mbdgen.errors import OptionError
    from mbdgen.runtime.program.atomic_files import temporary_name
    from mbdgen.runtime.program.cache_folders import chosen_folder, why_untrusted

    folder = chosen_folder()
    folder.mkdir(parents=True, exist_ok=True)
    if reason := why_untrusted(folder):
        raise OptionError(f"It is not used: {reason}.", "Let MBDGEN_CACHE name a folder of yours.")
    tried = folder / temporary_name()
    try:
        tried.write_text("writable", "utf-8")
    finally:
        tried.unlink(missing_ok=True)
    files = [p.stat().st_size for p in folder.rglob("*") if p.is_file()]
    free = shutil.disk_usage(folder).free / 1e9
    size = sum(files) / 1e6
    return f"{folder} is writable, {len(files)} files, {size:.1f} MB, {free:.1f} GB free"


def _llvm() -> str:
    """Solve a linear system with compiled functions of the runtime."""
    import llvmlite.binding as llvm
    import numpy as np

    from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
    from mbdgen.runtime.program.cache_folders import cache_folder

    matrix, order, x = np.array([[0.0, 2.0], [4.0, 1.0]]), np.zeros(2, np.int64), np.zeros(2)
    status = lu(matrix, order)
    lu_solve(matrix, order, np.array([2.0, 5.0]), x)
    if status != 0 or not (x == 1.0).all():
        raise ArithmeticError(f"a linear system gave {x} instead of 1, 1")
    version = ".".join(str(x) for x in llvm.llvm_version_info)
    return f"LLVM {version} compiles for {llvm.get_host_cpu_name()}; code is in {cache_folder()}"


def _derivation() -> str:
    """Derive one small type, without the cache."""
    from mbdgen.language.model import Model
    from mbdgen.symbolic.derive.algebra_engines import make_engine
    from mbdgen.symbolic.derive.derivation import derive
    from mbdgen.topology.specify import specify

    model = Model("doctor")
    model.point_mass("ball", 1.0)
    ir = derive(specify(model)[0], make_engine("sympy"))
    return f"a point mass has {len(ir.entries('residual'))} equations"
