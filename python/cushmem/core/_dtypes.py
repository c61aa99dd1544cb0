"""Types of elements: DLPack's code and bits, and the name in the C API."""

from functools import cache
from typing import Any, NamedTuple, Optional


class Dtype(NamedTuple):
    """The type of an element."""

    name: str
    # DLPack's code and number of bits.
    kind: "tuple[int, int]"
    # As in `shmem_NAME_sum_reduce`; None for types that are only moved.
    c_name: Optional[str]

    @property
    def nbytes(self) -> int:
        """The size of an element."""
        return self.kind[1] // 8


_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6
_TYPES = [
    *(Dtype(f"int{bits}", (_INT, bits), f"int{bits}") for bits in (8, 16, 32, 64)),
    *(Dtype(f"uint{bits}", (_UINT, bits), f"uint{bits}") for bits in (8, 16, 32, 64)),
    Dtype("float16", (_FLOAT, 16), "half"),
    Dtype("bfloat16", (_BFLOAT, 16), "bfloat16"),
    Dtype("float32", (_FLOAT, 32), "float"),
    Dtype("float64", (_FLOAT, 64), "double"),
    Dtype("complex64", (_COMPLEX, 64), None),
    Dtype("complex128", (_COMPLEX, 128), None),
    Dtype("bool", (_BOOL, 8), None),
]
DTYPES = {dtype.name: dtype for dtype in _TYPES}
# The names that nvshmem.core gives them.
C_NAMES = {dtype.c_name: dtype for dtype in _TYPES if dtype.c_name is not None}
BYTES = DTYPES["uint8"]
# Types of Python, for which NumPy and CuPy take these.
_OF_PYTHON = {int: "int64", float: "float64", complex: "complex128"}


@cache
def _find(dtype: Any) -> Optional[Dtype]:
    name = _name(dtype)
    return DTYPES.get(name) or C_NAMES.get(name)


def _name(dtype: Any) -> str:
    if isinstance(dtype, type) and dtype in _OF_PYTHON:
        return _OF_PYTHON[dtype]
    name = dtype if isinstance(dtype, str) else str(getattr(dtype, "name", None) or getattr(dtype, "__name__", dtype))
    return name.rsplit(".", 1)[-1]


def dtype_of(call: str, dtype: Any) -> Dtype:
    """Return what a name, or a type of torch, NumPy or CuPy, stands for."""
    found = _find(dtype)
    if found is None:
        raise TypeError(f"{call}: dtype is {dtype!r}; valid are {', '.join(DTYPES)}")
    return found


def element_of(dtype: Any, nbytes: int) -> Dtype:
    """Return what a type of another library stands for; one that is not known has that size, and is only moved."""
    return _find(dtype) or Dtype(_name(dtype), (_UINT, 8 * nbytes), None)
