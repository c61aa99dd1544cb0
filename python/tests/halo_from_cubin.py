"""
Runs the example halo_numba.py where Numba is not installed: `halo_from_cubin.py CUBIN`, with shmemrun.

The cubin is what kernels_of_compilers.py has made of its kernel. All else is the example as it stands, with a stand-in
for the few names of Numba that it uses.
"""

import ctypes
import math
import sys
import types
from pathlib import Path

import numpy as np

import cushmem
import cushmem.core as core
from cushmem.core import _cuda

CUBIN = Path(sys.argv[1])
driver = ctypes.CDLL("libcuda.so.1")


def check(code, what):
    assert code == 0, f"the driver fails in {what}: {code}"


class Array:
    """An array of the GPU whose elements follow each other."""

    def __init__(self, buffer, dtype, shape):
        self.buffer, self.dtype, self.shape = buffer, np.dtype(dtype), shape

    def view(self, dtype):
        return Array(self.buffer, dtype, (self.buffer.size // np.dtype(dtype).itemsize,))

    def reshape(self, shape):
        assert math.prod(shape) == math.prod(self.shape)
        return Array(self.buffer, self.dtype, shape)

    def copy_to_device(self, values):
        core.put(self.buffer, np.ascontiguousarray(values), core.my_pe())

    def copy_to_host(self):
        values = np.empty(self.shape, self.dtype)
        core.get(values, self.buffer, core.my_pe())
        return values

    def words(self):
        """Return what Numba passes to a kernel."""
        strides = [math.prod(self.shape[at + 1 :]) * self.dtype.itemsize for at in range(len(self.shape))]
        return [0, 0, math.prod(self.shape), self.dtype.itemsize, self.buffer.handle, *self.shape, *strides]


class Kernel:
    """The only kernel of the cubin, which the first launch loads."""

    function = None

    def __init__(self, _of):
        pass

    def __getitem__(self, grid):
        return lambda *arguments: self.launch(*grid, arguments)

    def load(self):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        check(driver.cuModuleLoadData(ctypes.byref(module), CUBIN.read_bytes()), "cuModuleLoadData")
        check(driver.cuModuleEnumerateFunctions(ctypes.byref(function), 1, module), "cuModuleEnumerateFunctions")
        core.module_init(module.value)
        return function

    def launch(self, blocks, threads, arguments):
        self.function = self.function or self.load()
        words = [word for one in arguments for word in (one.words() if isinstance(one, Array) else [one])]
        values = [ctypes.c_int64(word) for word in words]
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        check(driver.cuLaunchKernel(self.function, blocks, 1, 1, threads, 1, 1, 0, None, pointers, None), "a launch")


def gpus():
    count = ctypes.c_int()
    check(driver.cuInit(0), "cuInit")
    check(driver.cuDeviceGetCount(ctypes.byref(count)), "cuDeviceGetCount")
    return range(count.value)


numba = types.ModuleType("numba")
numba.cuda = types.SimpleNamespace(
    as_cuda_array=lambda buffer: Array(buffer, "uint8", (buffer.size,)),
    gpus=gpus(),
    jit=Kernel,
    select_device=_cuda.choose,
)
sys.modules["numba"] = numba
# Its names are in the kernel alone.
sys.modules["cushmem.numba"] = cushmem.numba = types.ModuleType("cushmem.numba")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "apps/examples/python"))
import halo_numba  # noqa: E402

halo_numba.main()
