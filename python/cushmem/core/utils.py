"""Streams of others, and sizes of types."""

from typing import Any

from cushmem.core._dtypes import dtype_of

__all__ = ["NvshmemStream", "dtype_nbytes"]


class NvshmemStream:
    """A stream of torch with the protocol of cuda.core; calls take streams of torch as they are, too."""

    def __init__(self, pt_stream: Any) -> None:
        self.pt_stream = pt_stream
        self.handle: int = pt_stream.cuda_stream

    def __cuda_stream__(self) -> "tuple[int, int]":
        return 0, self.handle


def dtype_nbytes(dtype: Any) -> int:
    """Return the size of an element in bytes."""
    return dtype_of("dtype_nbytes", dtype).nbytes
