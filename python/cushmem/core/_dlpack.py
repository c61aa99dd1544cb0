"""Views of memory for other libraries: DLPack's capsules, made with ctypes.

A capsule and what it points to are one block of the C library's `malloc`, and its deleter is `free`: whoever drops the
view last may do so in any thread, without Python. The memory itself stays, because to free it is collective.
"""

import ctypes
from collections.abc import Sequence
from typing import Any, Optional

CPU = 1
CUDA = 2


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("index", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class _Unversioned(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


_libc = ctypes.CDLL(None)
_libc.malloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = (ctypes.c_size_t,)
_FREE = ctypes.cast(_libc.free, ctypes.c_void_p).value

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


def capsule(
    address: int,
    shape: Sequence[int],
    kind: "tuple[int, int]",
    device: "tuple[int, int]",
    max_version: Optional["tuple[int, int]"],
) -> Any:
    """Return a capsule of contiguous elements; `kind` is DLPack's code and number of bits.

    Without versions, NumPy takes the memory for read-only. One that nobody takes over is not freed: some 150 bytes.
    """
    is_versioned = max_version is not None and max_version[0] >= 1
    head = _Versioned if is_versioned else _Unversioned
    size, ndim = ctypes.sizeof(head), len(shape)
    block = _libc.malloc(size + 16 * max(ndim, 1))
    if block is None:
        raise MemoryError
    numbers = (ctypes.c_int64 * (2 * ndim)).from_address(block + size)
    stride = 1
    for at in reversed(range(ndim)):
        numbers[at], numbers[ndim + at] = shape[at], stride
        stride *= shape[at]
    managed = head.from_address(block)
    managed.tensor = _Tensor(
        address, _Device(*device), ndim, _Type(kind[0], kind[1], 1), block + size, block + size + 8 * ndim, 0
    )
    managed.context, managed.deleter = None, _FREE
    if is_versioned:
        managed.major, managed.minor, managed.flags = 1, 0, 0
    return _new_capsule(block, b"dltensor_versioned" if is_versioned else b"dltensor", None)
