"""OpenSHMEM for hosts with GPUs.

`cushmem.core` is the interface, `cushmem.c` are the routines of C, `cushmem.torch` starts jobs of PyTorch, and
`cushmem.triton`, `cushmem.numba` and `cushmem.cute` are for kernels.
"""

from pathlib import Path

from cushmem._signatures import VERSION as __version__

__all__ = ["__version__", "device_library", "include"]


def include() -> str:
    """Return the folder of the headers for C and C++."""
    return str(Path(__file__).with_name("include"))


def device_library(form: str = "ll") -> str:
    """Return the path of the routines for kernels: "ll" (text of LLVM), "bc" (bitcode), "ptx", "fatbin" or "a"."""
    path = Path(__file__).with_name("lib") / f"libcushmem_device.{form}"
    if not path.exists():
        there = sorted(found.suffix[1:] for found in path.parent.glob("libcushmem_device.*"))
        raise FileNotFoundError(f"device_library: form is {form!r}; this package has {', '.join(there) or 'none'}")
    return str(path)
