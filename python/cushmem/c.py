"""The routines of the C API, by ctypes: `from cushmem import c; c.shmem_my_pe()`.

Each is looked up at its first use. The library checks arguments as it does for C: a mistake ends the job with a line.
"""

import ctypes
from pathlib import Path
from typing import Any

from cushmem._signatures import SIGNATURES

_TYPES: "dict[str, Any]" = {
    "v": None,
    "P": ctypes.c_void_p,
    "b": ctypes.c_int8,
    "B": ctypes.c_uint8,
    "h": ctypes.c_int16,
    "H": ctypes.c_uint16,
    "i": ctypes.c_int32,
    "I": ctypes.c_uint32,
    "l": ctypes.c_int64,
    "L": ctypes.c_uint64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
}

_beside = Path(__file__).with_name("lib") / "libcushmem.so.0"
# In a folder of sources there is none; the dynamic linker may find it.
LIBRARY = str(_beside) if _beside.exists() else _beside.name
_library: "ctypes.CDLL | None" = None


def library() -> ctypes.CDLL:
    """Return the library, which the first call loads."""
    global _library  # noqa: PLW0603
    if _library is None:
        # Kernels of C++ extensions find its names too.
        _library = ctypes.CDLL(LIBRARY, mode=ctypes.RTLD_GLOBAL)
    return _library


def __getattr__(name: str) -> Any:
    letters = SIGNATURES.get(name)
    if letters is None:
        raise AttributeError(f"cushmem.c has no {name}")
    routine = getattr(library(), name)
    routine.restype = _TYPES[letters[0]]
    routine.argtypes = [_TYPES[letter] for letter in letters[1:]]
    globals()[name] = routine
    return routine


def __dir__() -> "list[str]":
    return sorted({*globals(), *SIGNATURES})
