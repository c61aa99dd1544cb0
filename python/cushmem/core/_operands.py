"""What calls take: memory in any form that other libraries give it, and streams."""

import re
from typing import Any, NamedTuple, Optional

from cushmem.core._checks import STATE, NvshmemInvalid
from cushmem.core._dtypes import BYTES, Dtype, element_of
from cushmem.core.memory import Buffer


class Operand(NamedTuple):
    """Memory that an argument names."""

    address: int
    nbytes: int
    dtype: Dtype
    is_gpu: bool


def operand(call: str, name: str, value: Any) -> Operand:
    """Return the memory of a buffer, a tensor of torch, or an array of NumPy, CuPy or alike. It must be contiguous."""
    if isinstance(value, Buffer):
        return Operand(value.handle, value.size, BYTES, not value.is_host_accessible)
    if hasattr(value, "data_ptr") and hasattr(value, "is_contiguous"):
        if not value.is_contiguous():
            raise NvshmemInvalid(f"{call}: {name} is not contiguous")
        size = value.element_size()
        return Operand(value.data_ptr(), value.numel() * size, element_of(value.dtype, size), bool(value.is_cuda))
    for attribute, is_gpu in (("__cuda_array_interface__", True), ("__array_interface__", False)):
        interface = getattr(value, attribute, None)
        if interface is not None:
            return _of_interface(call, name, value, interface, is_gpu)
    raise TypeError(f"{call}: {name} is a {type(value).__name__}, not a Buffer, a tensor or an array")


# Of the protocol of arrays: the kinds of types. The others are bits, and references to objects.
_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", **{kind: kind for kind in "mMSUV"}}
# Of text, whose size counts characters.
_UNICODE_BYTES = 4


def _of_interface(call: str, name: str, value: Any, interface: "dict[str, Any]", is_gpu: bool) -> Operand:
    typestr = interface["typestr"]
    kind = _KINDS.get(typestr[1])
    # A structure may contain references too.
    if kind is None or getattr(getattr(value, "dtype", None), "hasobject", False):
        raise TypeError(f"{call}: {name} has elements of type {typestr!r}; references and bits cannot be copied")
    nbytes = int(re.sub(r"\D.*", "", typestr[2:])) * (_UNICODE_BYTES if kind == "U" else 1)
    dtype = element_of(getattr(value, "dtype", kind if kind == "bool" else f"{kind}{8 * nbytes}"), nbytes)
    strides: list[int] = []
    for extent in reversed(interface["shape"]):
        strides.insert(0, nbytes)
        nbytes *= extent
    if nbytes > 0 and interface.get("strides") not in (None, tuple(strides)):
        raise NvshmemInvalid(f"{call}: {name} is not contiguous")
    return Operand(interface["data"][0], nbytes, dtype, is_gpu)


def signal_word(call: str, value: Any) -> Operand:
    """Return the memory of a signal, whose first 8 bytes are the word."""
    found = operand(call, "signal_var", value)
    if found.nbytes < 8 or found.address % 8 != 0:
        raise NvshmemInvalid(
            f"{call}: signal_var has {found.nbytes} bytes at {found.address:#x}, not an aligned word of 8"
        )
    return found


def stream_handle(call: str, stream: Any) -> Optional[int]:
    """Return a stream as the driver names it, or None where the CPU is to act."""
    if stream is None:
        return None
    STATE.uses_gpu = True
    if isinstance(stream, int):
        return stream
    found = getattr(stream, "cuda_stream", None)
    if found is None:
        found = getattr(stream, "__cuda_stream__", None)
        found = found() if callable(found) else found
        found = found[1] if isinstance(found, tuple) else found
    if found is None:
        # CuPy's before version 14.
        found = getattr(stream, "ptr", None)
    if not isinstance(found, int):
        raise TypeError(
            f"{call}: stream is a {type(stream).__name__}, not an int or a stream of torch, CuPy or cuda.core"
        )
    return found
