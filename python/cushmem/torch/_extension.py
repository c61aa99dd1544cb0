"""Loads the back ends for the torch that is installed: those in this package, or what is compiled once."""

import ctypes
import fcntl
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Optional

import torch

import cushmem
from cushmem import c
from cushmem.core import NvshmemError
from cushmem.torch import _build

_START = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


class UnavailableError(RuntimeError):
    """The back ends cannot be had here; the text says why."""


def _headers() -> str:
    # In a folder of sources they are beside the package.
    of_package = Path(cushmem.include())
    return str(of_package if of_package.exists() else Path(__file__).resolve().parents[3] / "include")


def _cache() -> Path:
    folder = os.environ.get("TORCH_EXTENSIONS_DIR")
    if not folder:
        folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "torch_extensions")
    return Path(folder) / "cushmem"


def _standard_library() -> "list[str]":
    """Return the C++ library that torch has loaded.

    Some compilers would put a library of their own into ours. With two of them in a process, the first text that is
    made from a number, as in an error, ends in a crash.
    """
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "/libstdc++.so" in line}
    return sorted(paths)[:1]


def build() -> Path:
    """Return the path of the library; the first call for a version of torch compiles it."""
    version = torch.__version__
    if _build.minor(version) is None:
        known = f"2.{_build.OLDEST} to 2.{_build.NEWEST}"
        raise UnavailableError(f"this is torch {version}; the back ends are for {known}")
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    machine, libraries = platform.machine(), _standard_library()
    key = hashlib.sha256(f"{version} {torch.version.git_version} {compiler} {machine} {libraries}".encode())
    headers = (Path(_headers()) / name for name in ("shmem.h", "shmemx.h"))
    for source in (_build.SOURCE, Path(_build.__file__), Path(__file__), *headers):
        key.update(source.read_bytes())
    folder = _cache()
    path = folder / f"symmetric-{version}-{key.hexdigest()[:16]}.so"
    if path.exists():
        _check_owner(folder)
        return path
    if not compiler or shutil.which(compiler[0]) is None:
        why = f"there is no C++ compiler (CXX, by default g++), which has to compile them once for torch {version}"
        others = ", ".join(_build.others_ready(version))
        raise UnavailableError(f"{why}; they are here for {others}" if others else why)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(folder)
    # All processes of a machine come here at once: one compiles, also if that fails.
    came, log = time.time(), path.with_suffix(".log")
    with open(folder / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            if log.exists() and log.stat().st_mtime > came:
                raise UnavailableError(f"{compiler[0]} has failed for another process; its messages are in {log}")
            _compile(compiler, path, log)
    return path


def _check_owner(folder: Path) -> None:
    """Refuse a folder in which other users could have put what is loaded."""
    found = folder.stat()
    if found.st_uid not in (os.geteuid(), 0) or found.st_mode & 0o022:
        raise UnavailableError(f"others may write to {folder} (TORCH_EXTENSIONS_DIR names another folder)")


def _compile(compiler: "list[str]", path: Path, log: Path) -> None:
    print(f"cushmem.torch: compiles its back ends for torch {torch.__version__}, once", file=sys.stderr, flush=True)
    torch_folder, abi = Path(torch.__file__).parent, int(torch.compiled_with_cxx11_abi())
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        out = Path(folder) / path.name
        command = _build.command(compiler, torch_folder, abi, Path(_headers()), out) + _standard_library()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode != 0:
            log.write_bytes(done.stderr)
            raise UnavailableError(f"{compiler[0]} ends with status {done.returncode}; its messages are in {log}")
        # Whoever looks finds all of it or nothing.
        os.rename(out, path)


def _load() -> ctypes.CDLL:
    ready = _build.ready(torch.__version__) if torch.compiled_with_cxx11_abi() else None
    try:
        path = str(ready or build())
        torch.ops.load_library(path)  # type: ignore[no-untyped-call]
    except OSError as error:
        if ready is None:
            raise
        # Perhaps somebody has built this torch in another way.
        try:
            path = str(build())
        except UnavailableError as why:
            # Newer versions of torch only say which file it is.
            raise UnavailableError(f"{why}; the one here does not load: {error.__cause__ or error}") from error
        torch.ops.load_library(path)  # type: ignore[no-untyped-call]
    return ctypes.CDLL(path)


class Extension:
    """The loaded library."""

    def __init__(self, start: "Callable[[bool, int], None]") -> None:
        # It finds the routines of the C API in what is loaded.
        c.library()
        self._library = _load()

        def begin(is_gpu: int, device: int, message: Optional[int], room: int) -> int:
            try:
                start(bool(is_gpu), device)
            except BaseException as error:
                text = f"{type(error).__name__}: {error}".encode()[: room - 1]
                ctypes.memmove(message or 0, text + b"\0", len(text) + 1)
                return 1
            return 0

        # The library keeps its address.
        self._begin = _START(begin)
        self._library.cushmem_torch_on_start(self._begin)
        self._library.cushmem_torch_end.restype = ctypes.c_char_p

    def end(self) -> None:
        """Free all memory, because the job ends. Collective."""
        # A later job has other memory.
        pools = getattr(sys.modules.get("torch.distributed._symmetric_memory"), "_symm_mem_pools", {})
        pools.clear()
        failure = self._library.cushmem_torch_end()
        if failure is not None:
            raise NvshmemError(f"finalize: {failure.decode(errors='replace')}")
