"""Triton kernels that put, signal and wait: `@cushmem.triton.kernel` above `@triton.jit`.

The routines are in `cushmem.triton.language`. They become part of the kernel, and reach the PEs of this node whose GPU
memory is mapped. Works with Triton 3.5 to 3.9; a kernel inside `torch.compile` was not tried.
"""

import ctypes
import functools
from typing import Any

import triton
from triton.runtime.jit import KernelInterface

from cushmem import core, device_library

__all__ = ["kernel"]

_NAME = "libcushmem_device"
_CONTEXT = b"cushmem_context"
_OLDEST = (3, 5)

if tuple(int(part) for part in triton.__version__.split(".")[:2]) < _OLDEST:
    raise ImportError(f"cushmem.triton: this is Triton {triton.__version__}; 3.5 or later is needed")


class _Kernel(KernelInterface[Any]):
    """A kernel of `triton.jit`, also if it is autotuned, which is linked with the library's routines."""

    def __init__(self, fn: Any) -> None:
        # A kernel of `triton.jit` has an `fn` too.
        functools.update_wrapper(self, fn)
        self.fn = fn

    def run(self, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        libraries = {**(kwargs.pop("extern_libs", None) or {}), _NAME: device_library("ll")}
        return self.fn.run(*args, grid=grid, warmup=warmup, extern_libs=libraries, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.fn, name)


def kernel(fn: Any) -> _Kernel:
    """Link a kernel with the routines of `cushmem.triton.language`.

    Place it above `triton.jit` and `triton.autotune`. The kernel is told about the job when it is loaded, which is at
    its first launch on a device, also if it was compiled by an earlier process.
    """
    return _Kernel(fn)


@functools.cache
def _driver() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")


def _has_context(module: int) -> bool:
    address, size = ctypes.c_uint64(), ctypes.c_size_t()
    code = _driver().cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), ctypes.c_void_p(module), _CONTEXT)
    return bool(code == 0)


def _loaded(module: int, _function: int, _name: str, *_: Any) -> None:
    if _has_context(module):
        core.module_init(module)


def _unloaded(module: int, _function: int, _name: str, *_: Any) -> None:
    # At the end of the process there may be no job any more.
    if _has_context(module) and core.init_status() == core.InitStatus.STATUS_IS_INITIALIZED:
        core.module_finalize(module)


# Other libraries may have hooks of their own.
triton.knobs.runtime.kernel_load_end_hook.add(_loaded)
if hasattr(triton.knobs.runtime, "kernel_unload_hook"):
    triton.knobs.runtime.kernel_unload_hook.add(_unloaded)
