"""The few calls of the CUDA driver that are made without another library."""

import ctypes
from functools import cache
from typing import Any, Optional

_DEVICE_ORDINAL = 9


@cache
def _driver() -> Optional[ctypes.CDLL]:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    return driver if driver.cuInit(0) == 0 else None


def device_of(address: int) -> Optional[int]:
    """Return the number of the GPU whose memory this is, or None if the driver does not know it."""
    driver, device = _driver(), ctypes.c_int(-1)
    if driver is None:
        return None
    found = driver.cuPointerGetAttribute(ctypes.byref(device), _DEVICE_ORDINAL, ctypes.c_uint64(address))
    return device.value if found == 0 and device.value >= 0 else None


def choose(device: Any) -> None:
    """Make a GPU the current one of this thread: a number, or a device of torch, cuda.core or CuPy.

    Where there is no driver there is nothing to choose, and the GPU may be emulated.
    """
    driver = _driver()
    if driver is None:
        return
    index = device
    for attribute in ("device_id", "index", "id"):
        if not isinstance(index, int) and isinstance(getattr(device, attribute, None), int):
            index = getattr(device, attribute)
    if not isinstance(index, int):
        raise TypeError(f"init: device is {device!r}, not the number of a GPU or a device of torch, cuda.core or CuPy")
    ordinal, context = ctypes.c_int(), ctypes.c_void_p()
    count = ctypes.c_int()
    driver.cuDeviceGetCount(ctypes.byref(count))
    if driver.cuDeviceGet(ctypes.byref(ordinal), index) != 0:
        raise ValueError(f"init: device is {index}; the valid range is 0 to {count.value - 1}")
    if driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), ordinal) != 0 or driver.cuCtxSetCurrent(context) != 0:
        raise RuntimeError(f"init: the CUDA driver makes no context on GPU {index}")
