"""Tensors and arrays under the names of nvshmem.core's modules."""

from cushmem.core.interop import cupy, torch

__all__ = ["cupy", "torch"]
