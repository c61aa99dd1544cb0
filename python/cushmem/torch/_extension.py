"""Compiles `symmetric.cpp` for the torch that is installed, once, and loads it."""

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

# The minor versions of torch 2 whose interface the source was compiled for. It has no stable ABI.
OLDEST, NEWEST = 11, 15

_SOURCE = Path(__file__).with_name("symmetric.cpp")
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


def _command(compiler: "list[str]", out: str) -> "list[str]":
    folder = Path(torch.__file__).parent
    abi = int(torch.compiled_with_cxx11_abi())
    command = [*compiler, "-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
    command += [f"-D_GLIBCXX_USE_CXX11_ABI={abi}", f"-isystem{folder}/include"]
    command += [f"-isystem{folder}/include/torch/csrc/api/include", f"-I{_headers()}"]
    return [*command, str(_SOURCE), "-o", out, f"-L{folder}/lib", "-lc10", "-ltorch_cpu", *_standard_library()]


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
    numbers = torch.__version__.split("+")[0].split(".")[:2]
    if numbers[0] != "2" or not OLDEST <= int(numbers[1]) <= NEWEST:
        raise UnavailableError(f"this is torch {torch.__version__}; the back ends are for 2.{OLDEST} to 2.{NEWEST}")
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    machine, libraries = platform.machine(), _standard_library()
    key = hashlib.sha256(f"{torch.__version__} {torch.version.git_version} {compiler} {machine} {libraries}".encode())
    for source in (_SOURCE, Path(__file__), *(Path(_headers()) / name for name in ("shmem.h", "shmemx.h"))):
        key.update(source.read_bytes())
    folder = _cache()
    path = folder / f"symmetric-{torch.__version__}-{key.hexdigest()[:16]}.so"
    if path.exists():
        _check_owner(folder)
        return path
    if not compiler or shutil.which(compiler[0]) is None:
        raise UnavailableError("there is no C++ compiler (CXX, by default g++), which has to compile them once")
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
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        out = f"{folder}/{path.name}"
        done = subprocess.run(_command(compiler, out), stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode != 0:
            log.write_bytes(done.stderr)
            raise UnavailableError(f"{compiler[0]} ends with status {done.returncode}; its messages are in {log}")
        # Whoever looks finds all of it or nothing.
        os.rename(out, path)


class Extension:
    """The loaded library."""

    def __init__(self, start: "Callable[[bool, int], None]") -> None:
        # It finds the routines of the C API in what is loaded.
        c.library()
        path = str(build())
        torch.ops.load_library(path)  # type: ignore[no-untyped-call]
        self._library = ctypes.CDLL(path)

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
