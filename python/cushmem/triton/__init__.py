"""Triton kernels that put, signal and wait: `@cushmem.triton.kernel` above `@triton.jit`.

The routines are in `cushmem.triton.language`. They become part of the kernel, and reach the PEs of this node whose GPU
memory is mapped. Works with Triton 3.5 to 3.9. A function under `torch.compile` is divided at such a kernel, which runs
between the parts.
"""

import ctypes
import functools
import os
from typing import Any

import triton
from triton.runtime.jit import KernelInterface

from cushmem import core, device_library
from cushmem.core._checks import STATE

__all__ = ["kernel"]

_NAME = "libcushmem_device"
_CONTEXT = b"cushmem_context"
_NOT_FOUND = 500
_OLDEST = (3, 5)

if tuple(int(part) for part in triton.__version__.split(".")[:2]) < _OLDEST:
    raise ImportError(f"cushmem.triton: this is Triton {triton.__version__}; 3.5 or later is needed")


class _Kernel(KernelInterface[Any]):
    """A kernel of `triton.jit` that is linked with the library's routines."""

    def __init__(self, fn: Any) -> None:
        # A kernel of `triton.jit` has an `fn` too.
        functools.update_wrapper(self, fn)
        self.fn = fn

    def run(self, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        """Launch the kernel."""
        if not warmup:
            _ready(self.__name__)
        libraries = {**(kwargs.pop("extern_libs", None) or {}), _NAME: device_library("ll")}
        return self.fn.run(*args, grid=grid, warmup=warmup, extern_libs=libraries, **kwargs)

    # For `torch.compile`, which would link the kernel with nothing and load it without the hook. It looks for these two
    # attributes, which torch.compiler.disable sets, so that torch need not be imported.
    run._torchdynamo_disable = True  # type: ignore[attr-defined]
    run._torchdynamo_disable_msg = "kernels of cushmem.triton run outside of graphs"  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.fn, name)


def kernel(fn: Any) -> _Kernel:
    """Link a kernel with the routines of `cushmem.triton.language`.

    Place it above `triton.jit`. The kernel is told about the job when it is loaded, which is at its first launch on a
    device, also if it was compiled by an earlier process. `triton.autotune` does not suit kernels that communicate: it
    repeats them, on each PE as often as its own clock says.
    """
    # Triton declares all routines with a result, because it has no calls without one. LLVM's optimiser drops what does
    # not exist; without it the calls do not fit the routines.
    if os.environ.get("DISABLE_LLVM_OPT", "").lower() in ("1", "true", "on", "y", "yes"):
        raise core.NvshmemError("kernel: DISABLE_LLVM_OPT is set; routines cannot be linked without optimisation")
    return _Kernel(fn)


# The kernels that are loaded, as modules of the driver, and the job that all of them know.
_modules: "set[int]" = set()
_told_of = 0


def _ready(name: str) -> None:
    """Make sure that a kernel which is about to be launched knows the job, also if an earlier one loaded it."""
    global _told_of  # noqa: PLW0603
    if not STATE.is_initialized:
        raise core.NvshmemError(f"{name}: launched without a job; call cushmem.core.init() before")
    if _told_of != STATE.jobs:
        for module in _modules:
            core.module_init(module)
        _told_of = STATE.jobs


@functools.cache
def _driver() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")


def _has_context(module: int) -> bool:
    address, size = ctypes.c_uint64(), ctypes.c_size_t()
    code = _driver().cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), ctypes.c_void_p(module), _CONTEXT)
    if code not in (0, _NOT_FOUND):
        raise core.NvshmemError(f"Triton loaded a kernel that CUDA does not know (error {code})")
    return bool(code == 0)


def _loaded(module: int, _function: int, _name: str, *_: Any) -> None:
    if _has_context(module):
        core.module_init(module)
        _modules.add(module)


def _unloaded(module: int, _function: int, _name: str, *_: Any) -> None:
    # At the end of the process there may be no job any more.
    if module in _modules:
        _modules.discard(module)
        if STATE.is_initialized:
            core.module_finalize(module)


# Other libraries may have hooks of their own.
triton.knobs.runtime.kernel_load_end_hook.add(_loaded)
if hasattr(triton.knobs.runtime, "kernel_unload_hook"):
    triton.knobs.runtime.kernel_unload_hook.add(_unloaded)
