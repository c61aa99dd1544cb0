"""Symmetric memory as buffers of bytes.

Allocating and freeing are collective: all PEs make the same calls in the same order. So the end of a buffer's last
reference frees nothing; it warns, and `finalize` lists what is left.
"""

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, Optional

from cushmem import c
from cushmem.core import _cuda, _dlpack
from cushmem.core._checks import STATE, NvshmemError, NvshmemInvalid, NvshmemWarning, not_offered, pe, size, started
from cushmem.core._dtypes import BYTES, Dtype

__all__ = [
    "Buffer",
    "buffer",
    "free",
    "get_multicast_buffer",
    "get_peer_buffer",
    "register_external_buffer",
    "unregister_external_buffer",
]


class _Allocation:
    """What is known about memory until it is freed."""

    def __init__(self, address: int, nbytes: int, is_host: bool, warns: bool) -> None:
        self.address, self.nbytes, self.is_host, self.warns = address, nbytes, is_host, warns
        self.site = _site()
        self.device = None if is_host else _cuda.device_of(address)

    def __str__(self) -> str:
        where = "host" if self.is_host else "GPU"
        return f"{self.nbytes} bytes of {where} memory, allocated at {self.site}"


_HERE = f"{Path(__file__).resolve().parents[1]}/"
# All that is allocated, by address.
_allocations: dict[int, _Allocation] = {}


def _site() -> str:
    """Return the file and line that called this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


class Buffer:
    """Bytes of symmetric memory, of this PE or of another one.

    Other libraries see the same bytes, without a copy: `numpy.asarray` and `numpy.from_dlpack` those of host memory,
    `torch.from_dlpack` and `cupy.from_dlpack` all.
    """

    def __init__(self, address: int, nbytes: int, of: _Allocation, is_peer: bool) -> None:
        self._address, self._nbytes, self._of, self._is_peer = address, nbytes, of, is_peer

    @property
    def handle(self) -> int:
        """The address."""
        return self._address

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._nbytes

    nbytes = size

    @property
    def device_id(self) -> int:
        """The number of the GPU; -1 for host memory and the emulated GPU."""
        return -1 if self._of.device is None else self._of.device

    @property
    def is_host_accessible(self) -> bool:
        """Whether the CPU may load and store here."""
        return self._of.is_host

    @property
    def is_device_accessible(self) -> bool:
        """Whether kernels of the GPU may load and store here."""
        return not self._of.is_host

    def __repr__(self) -> str:
        kind = "host" if self._of.is_host else "GPU"
        peer = ", of another PE" if self._is_peer else ""
        return f"<Buffer of {self._nbytes} bytes of {kind} memory at {self._address:#x}{peer}>"

    def __len__(self) -> int:
        return self._nbytes

    def __del__(self) -> None:
        if sys.is_finalizing():
            return
        of = self._of
        if not self._is_peer and of.warns and _allocations.get(of.address) is of:
            of.warns = False
            warnings.warn(f"dropped without free(): {of}", NvshmemWarning, stacklevel=2)

    def __dlpack_device__(self) -> "tuple[int, int]":
        if self._of.is_host:
            return _dlpack.CPU, 0
        if self._of.device is None:
            raise BufferError("Buffer: other libraries cannot use memory of the emulated GPU; use put and get")
        return _dlpack.CUDA, self._of.device

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Optional["tuple[int, int]"] = None,
        dl_device: Optional["tuple[int, int]"] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        # No stream of this package's writes here unless the caller says so, so there is nothing to wait for.
        return self._capsule((self._nbytes,), BYTES, max_version, dl_device, copy)

    def _capsule(
        self,
        shape: Sequence[int],
        dtype: Dtype,
        max_version: Optional["tuple[int, int]"],
        dl_device: Optional["tuple[int, int]"],
        copy: Optional[bool],
    ) -> Any:
        device = self.__dlpack_device__()
        if copy:
            raise BufferError("Buffer: it is not copied for DLPack")
        if dl_device is not None and tuple(dl_device) != device:
            raise BufferError(f"Buffer: it is on device {device} of DLPack and not moved to {tuple(dl_device)}")
        return _dlpack.capsule(self._address, shape, dtype.kind, device, max_version)

    def _interface(self) -> "dict[str, Any]":
        return {"shape": (self._nbytes,), "typestr": "|u1", "data": (self._address, False), "version": 3}

    @property
    def __array_interface__(self) -> "dict[str, Any]":
        if not self._of.is_host:
            raise AttributeError("__array_interface__: this is GPU memory")
        return self._interface()

    @property
    def __cuda_array_interface__(self) -> "dict[str, Any]":
        if self._of.device is None:
            raise AttributeError("__cuda_array_interface__: this is not memory of a CUDA GPU")
        return self._interface()


class Typed:
    """A buffer's bytes as elements, for `from_dlpack` of other libraries."""

    def __init__(self, of: Buffer, shape: Sequence[int], dtype: Dtype) -> None:
        self._of, self._shape, self._dtype = of, tuple(shape), dtype

    def __dlpack_device__(self) -> "tuple[int, int]":
        return self._of.__dlpack_device__()

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Optional["tuple[int, int]"] = None,
        dl_device: Optional["tuple[int, int]"] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        return self._of._capsule(self._shape, self._dtype, max_version, dl_device, copy)


# The names and defaults are those of nvshmem.core.
def buffer(size: int, release: bool = False, except_on_del: bool = True, *, host: bool = False) -> Buffer:
    """Allocate symmetric memory on the GPU, or with `host` in host memory. Collective. It is not cleared.

    With `release`, or without `except_on_del`, nothing warns when the buffer is dropped.
    """
    return _allocate("buffer", size, host, not release and except_on_del)


def _allocate(call: str, nbytes: Any, host: bool, warns: bool) -> Buffer:
    started(call)
    nbytes = size(call, "size", nbytes)
    # An allocation of nothing has no address.
    room = max(nbytes, 1)
    address = c.shmem_align(64, room) if host else c.shmemx_align_gpu(256, room)
    if address is None:
        heap = "SHMEM_SYMMETRIC_SIZE limits the heap" if host else "the GPU lacks it, or there is no GPU (host=True)"
        raise NvshmemError(f"{call}: cannot allocate {nbytes} bytes: {heap}")
    STATE.uses_gpu = STATE.uses_gpu or not host
    of = _allocations[address] = _Allocation(address, nbytes, host, warns)
    return Buffer(address, nbytes, of, is_peer=False)


def allocation(address: int) -> "tuple[_Allocation, int] | None":
    """Return the allocation of this PE that contains an address, and the offset in it."""
    exact = _allocations.get(address)
    if exact is not None:
        return exact, 0
    # Other threads may allocate meanwhile.
    for of in list(_allocations.values()):
        if of.address <= address < of.address + of.nbytes:
            return of, address - of.address
    return None


def free(buffer: Buffer) -> None:
    """Free memory that `buffer` returned. Collective. Views of it must not be used any more."""
    if not isinstance(buffer, Buffer):
        raise TypeError(
            f"free: buffer is a {type(buffer).__name__}, not a Buffer; free_tensor and free_array free those"
        )
    if buffer._is_peer:
        return
    _free("free", buffer.handle, buffer._of)


def _free(call: str, address: int, known: Optional[_Allocation] = None) -> None:
    """Free what begins at an address. What was allocated there later than `known` is another one."""
    started(call)
    of = _allocations.get(address)
    if of is None or known not in (None, of):
        raise NvshmemInvalid(f"{call}: no symmetric memory begins at {address:#x}; it is freed already, or part of it")
    del _allocations[address]
    c.shmem_free(address)


def get_peer_buffer(buffer: Buffer, pe: int) -> Buffer:
    """Return PE `pe`'s copy of a buffer, for loads and stores; an error where these do not reach it."""
    if not isinstance(buffer, Buffer):
        raise TypeError(f"get_peer_buffer: buffer is a {type(buffer).__name__}, not a Buffer")
    found = allocation(buffer.handle)
    if found is None or found[0] is not buffer._of:
        what = "is another PE's" if buffer._is_peer else "is freed already"
        raise NvshmemInvalid(f"get_peer_buffer: the memory at {buffer.handle:#x} {what}")
    return _peer("get_peer_buffer", buffer.handle, buffer.size, pe)


def _peer(call: str, address: int, nbytes: int, of_pe: Any) -> Buffer:
    started(call)
    number = pe(call, "pe", of_pe)
    found = allocation(address)
    if found is None:
        raise NvshmemInvalid(f"{call}: {address:#x} is not symmetric memory of this PE")
    there = c.shmem_ptr(address, number)
    if there is None:
        raise NvshmemError(f"{call}: loads and stores do not reach PE {number}; use put and get")
    return Buffer(there, nbytes, found[0], is_peer=True)


def forget_all() -> "list[str]":
    """Forget all memory, because the job ends. Returns a line for each that was not freed."""
    left = [str(of) for of in _allocations.values()]
    _allocations.clear()
    return left


def get_multicast_buffer(*_: Any) -> NoReturn:
    """Not offered."""
    not_offered("get_multicast_buffer", "write to each PE with put, or use broadcast")


def register_external_buffer(*_: Any, **__: Any) -> NoReturn:
    """Not offered."""
    not_offered("register_external_buffer", "use cushmem.c.shmemx_buffer_register_symmetric")


def unregister_external_buffer(*_: Any) -> NoReturn:
    """Not offered."""
    not_offered("unregister_external_buffer", "use cushmem.c.shmemx_buffer_unregister_symmetric")
