"""Symmetric memory as arrays: tensors of torch, and arrays of CuPy or, on the host, of NumPy."""

from collections.abc import Sequence
from typing import Any, NoReturn, Optional, Union

from cushmem.core._checks import NvshmemInvalid, not_offered, size
from cushmem.core._dtypes import BYTES, Dtype, dtype_of, element_of
from cushmem.core._operands import Operand, operand
from cushmem.core.direct import my_pe
from cushmem.core.memory import Buffer, Typed, _allocate, _free, _peer, allocation

__all__ = [
    "array",
    "array_get_buffer",
    "bytetensor",
    "free_array",
    "free_tensor",
    "get_multicast_array",
    "get_multicast_tensor",
    "get_peer_array",
    "get_peer_tensor",
    "register_external_array",
    "register_external_tensor",
    "tensor",
    "tensor_get_buffer",
    "unregister_external_array",
    "unregister_external_tensor",
]

Shape = Union[int, Sequence[int]]


def _shape(call: str, shape: Shape) -> "tuple[int, ...]":
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return tuple(size(call, "shape", extent) for extent in sizes)


def _typed(call: str, shape: Shape, dtype: Dtype, morder: str, warns: bool, host: bool) -> Typed:
    if morder != "C":
        not_offered(f"{call}(morder={morder!r})", 'use morder="C" and transpose the result')
    sizes = _shape(call, shape)
    nbytes = dtype.nbytes
    for extent in sizes:
        nbytes *= extent
    # A tensor's views live on without it, so that nobody knows when the last one is dropped: `finalize` tells.
    return Typed(_allocate(call, nbytes, host, warns), sizes, dtype)


def tensor(
    shape: Shape,
    dtype: Any = None,
    release: bool = False,
    morder: str = "C",
    except_on_del: bool = True,
    *,
    host: bool = False,
) -> Any:
    """Allocate a tensor of torch in symmetric memory of the GPU, or with `host` of the host. Collective.

    It is not cleared. `dtype` is one of torch, float32 by default.
    """
    import torch
    from torch.utils.dlpack import from_dlpack

    dtype = torch.float32 if dtype is None else dtype
    is_torch = isinstance(dtype, torch.dtype)
    of = element_of(dtype, dtype.itemsize) if is_torch else dtype_of("tensor", dtype)
    new = from_dlpack(_typed("tensor", shape, of, morder, False, host))
    # Some types of torch have no name in DLPack.
    return new.view(dtype) if is_torch else new


def bytetensor(
    shape: Shape,
    dtype: Any = None,
    release: bool = False,
    morder: str = "C",
    except_on_del: bool = True,
    *,
    host: bool = False,
) -> Any:
    """Allocate a tensor of bytes that is large enough for `shape` elements of `dtype`. Collective."""
    from torch.utils.dlpack import from_dlpack

    of = dtype_of("bytetensor", "float32" if dtype is None else dtype)
    nbytes = of.nbytes
    for extent in _shape("bytetensor", shape):
        nbytes *= extent
    return from_dlpack(_typed("bytetensor", nbytes, BYTES, morder, False, host))


def array(
    shape: Shape,
    dtype: Any = "float32",
    release: bool = False,
    morder: str = "C",
    except_on_del: bool = True,
    *,
    host: bool = False,
) -> Any:
    """Allocate an array of CuPy in symmetric memory of the GPU, or with `host` one of NumPy. Collective.

    It is not cleared.
    """
    of = dtype_of("array", dtype)
    if host:
        # NumPy keeps the buffer as long as the last view, so that dropping it can warn.
        typed = _typed("array", shape, of, morder, not release and except_on_del, host)
        return _numpy_view(typed._of, typed._shape, of)
    import cupy

    return cupy.from_dlpack(_typed("array", shape, of, morder, False, host))


def _numpy_view(of: Buffer, shape: "tuple[int, ...]", dtype: Dtype) -> Any:
    import numpy as np

    if dtype.name == "bfloat16":
        raise TypeError("array: NumPy has no bfloat16; use tensor")
    return np.asarray(of).view(np.dtype(dtype.name)).reshape(shape)


def _whole(call: str, value: Any) -> Operand:
    """Return an argument as memory, which must be symmetric."""
    found = operand(call, "the array", value)
    if allocation(found.address) is None:
        raise NvshmemInvalid(f"{call}: the array at {found.address:#x} is not symmetric memory of this PE")
    return found


def free_tensor(tensor: Any) -> None:
    """Free memory that `tensor` or `bytetensor` returned. Collective. Views of it must not be used any more."""
    _free("free_tensor", operand("free_tensor", "tensor", tensor).address)


def free_array(array: Any) -> None:
    """Free memory that `array` returned. Collective. Views of it must not be used any more."""
    _free("free_array", operand("free_array", "array", array).address)


def tensor_get_buffer(tensor: Any) -> "tuple[Buffer, int, str]":
    """Return the symmetric memory of a tensor as a buffer, its size in bytes, and the type's name in the C API."""
    found = _whole("tensor_get_buffer", tensor)
    view = _peer("tensor_get_buffer", found.address, found.nbytes, my_pe())
    return view, found.nbytes, found.dtype.c_name or found.dtype.name


array_get_buffer = tensor_get_buffer


def get_peer_tensor(tensor: Any, peer_pe: Optional[int] = None) -> Any:
    """Return PE `peer_pe`'s copy of a symmetric tensor, for loads and stores of this PE's GPU or CPU."""
    from torch.utils.dlpack import from_dlpack

    return from_dlpack(_of_peer("get_peer_tensor", tensor, peer_pe)).view(tensor.dtype)


def get_peer_array(array: Any, peer_pe: Optional[int] = None) -> Any:
    """Return PE `peer_pe`'s copy of a symmetric array, for loads and stores of this PE's GPU or CPU."""
    typed = _of_peer("get_peer_array", array, peer_pe)
    if typed._of.is_host_accessible:
        return _numpy_view(typed._of, typed._shape, typed._dtype)
    import cupy

    return cupy.from_dlpack(typed)


def _of_peer(call: str, value: Any, peer_pe: Optional[int]) -> Typed:
    if peer_pe is None:
        raise TypeError(f"{call}: peer_pe is missing")
    found = _whole(call, value)
    return Typed(_peer(call, found.address, found.nbytes, peer_pe), tuple(value.shape), found.dtype)


def _absent(call: str, instead: str) -> Any:
    def absent(*_: Any, **__: Any) -> NoReturn:
        not_offered(call, instead)

    absent.__name__, absent.__doc__ = call, "Not offered."
    return absent


_REGISTER = "use cushmem.c.shmemx_buffer_register_symmetric"
_UNREGISTER = "use cushmem.c.shmemx_buffer_unregister_symmetric"
_NO_MULTICAST = "write to each PE with put, or use broadcast"
get_multicast_tensor = _absent("get_multicast_tensor", _NO_MULTICAST)
get_multicast_array = _absent("get_multicast_array", _NO_MULTICAST)
register_external_tensor = _absent("register_external_tensor", _REGISTER)
register_external_array = _absent("register_external_array", _REGISTER)
unregister_external_tensor = _absent("unregister_external_tensor", _UNREGISTER)
unregister_external_array = _absent("unregister_external_array", _UNREGISTER)
