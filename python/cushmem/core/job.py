"""The start and the end of a PE."""

import ctypes
import sys
import warnings
from typing import Any, NamedTuple, Optional

from cushmem import __version__, c
from cushmem.core import _cuda, memory
from cushmem.core._checks import STATE, NvshmemError, NvshmemInvalid, NvshmemWarning, integer, not_offered, started
from cushmem.core.teams import Teams

__all__ = [
    "UniqueID",
    "Version",
    "finalize",
    "get_name",
    "get_unique_id",
    "get_version",
    "init",
    "library_finalize",
    "library_init",
    "module_finalize",
    "module_init",
]

_ID_BYTES = 128
_THREAD_MULTIPLE = 3
# SHMEM_TEAM_WORLD of C.
_TEAM_WORLD = 1


class UniqueID:
    """Identifies a job: opaque bytes, to be kept secret. It pickles, and `bytes` and `UniqueID(bytes)` convert it."""

    def __init__(self, data: bytes = bytes(_ID_BYTES)) -> None:
        if len(data) != _ID_BYTES:
            raise NvshmemInvalid(f"UniqueID: data has {len(data)} bytes; valid is {_ID_BYTES}")
        self._bytes = ctypes.create_string_buffer(bytes(data), _ID_BYTES)

    def __bytes__(self) -> bytes:
        return self._bytes.raw

    def __reduce__(self) -> Any:
        return UniqueID, (bytes(self),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UniqueID) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __repr__(self) -> str:
        # The bytes let anybody join the job.
        return "<UniqueID, empty>" if not any(bytes(self)) else "<UniqueID>"

    @property
    def ptr(self) -> int:
        """The address of the bytes."""
        return ctypes.addressof(self._bytes)

    @property
    def _data(self) -> Any:
        """The bytes as an array of NumPy, in place, for broadcasts."""
        import numpy as np

        return np.frombuffer(memoryview(self._bytes), dtype=np.uint8)


class Version(NamedTuple):
    """The versions of OpenSHMEM, of this package and of the library."""

    openshmem_spec_version: str
    cushmem_version: str
    libcushmem_version: str


def get_version() -> Version:
    """Return the versions; callable at any time."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    c.shmem_info_get_version(ctypes.byref(major), ctypes.byref(minor))
    return Version(f"{major.value}.{minor.value}", __version__, get_name().rsplit(" ", 1)[-1])


def get_name() -> str:
    """Return the library's name and version; callable at any time."""
    name = ctypes.create_string_buffer(64)
    c.shmem_info_get_name(name)
    return name.value.decode()


def get_unique_id(empty: bool = False) -> UniqueID:
    """Return a new id for a job, or one that is to be overwritten. Its process must run until the job ends."""
    new = UniqueID()
    if not empty and c.shmemx_get_uniqueid(new.ptr) != 0:
        raise NvshmemError("get_unique_id: the library makes no id")
    return new


def init(
    device: Any = None,
    uid: Optional[UniqueID] = None,
    rank: Optional[int] = None,
    nranks: Optional[int] = None,
    mpi_comm: Any = None,
    initializer_method: str = "",
) -> None:
    """Make this process a PE.

    With `uid`, it is PE `rank` of `nranks`. Otherwise whatever started it says so: shmemrun, torchrun, mpirun or srun.
    `device` becomes the current GPU of this thread. By default it is the one that torch uses, or is chosen by the
    process's place on the node.
    """
    if STATE.is_initialized:
        raise NvshmemError("init: this process is a PE already")
    if mpi_comm is not None or initializer_method not in ("", "uid"):
        not_offered("init with MPI", "call init() under mpirun, or broadcast the uid yourself")
    if uid is None and (rank is not None or nranks is not None or initializer_method == "uid"):
        raise NvshmemInvalid("init: uid is missing; rank and nranks go with one of get_unique_id()")
    _choose_device(device)
    if uid is None:
        c.shmem_init_thread(_THREAD_MULTIPLE, None)
    else:
        _join(uid, rank, nranks)
    STATE.is_initialized, STATE.is_over, STATE.uses_gpu = True, False, False
    STATE.jobs += 1
    if uid is None:
        _agree_with_torch()


def _choose_device(device: Any) -> None:
    torch = sys.modules.get("torch")
    if device is None and torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        device = torch.cuda.current_device()
    if device is not None:
        _cuda.choose(device)


def _join(uid: Any, rank: Optional[int], nranks: Optional[int]) -> None:
    if not isinstance(uid, UniqueID):
        raise TypeError(f"init: uid is a {type(uid).__name__}, not a UniqueID")
    if not any(bytes(uid)):
        raise NvshmemInvalid("init: uid is empty; broadcast one of get_unique_id() first")
    if rank is None or nranks is None:
        raise NvshmemInvalid("init: rank and nranks are missing; they go with uid")
    n_pes, pe = integer("init", "nranks", nranks), integer("init", "rank", rank)
    if n_pes < 1:
        raise NvshmemInvalid(f"init: nranks is {n_pes}; the valid range begins at 1")
    if not 0 <= pe < n_pes:
        raise NvshmemInvalid(f"init: rank is {pe}; the valid range is 0 to {n_pes - 1}")
    c.shmemx_init_attr(pe, n_pes, uid.ptr)


def _agree_with_torch() -> None:
    """Raise on all PEs if torch.distributed has started on one of them and counts differently there. Collective."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    ours = of_torch = (c.shmem_my_pe(), c.shmem_n_pes())
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        of_torch = (distributed.get_rank(), distributed.get_world_size())
    words = c.shmem_malloc(16)
    if words is None:
        raise NvshmemError("init: SHMEM_SYMMETRIC_SIZE leaves no memory")
    mine = ctypes.c_int64.from_address(words)
    mine.value = ours[1] if of_torch == ours else ours[0]
    c.shmem_int64_min_reduce(_TEAM_WORLD, words + 8, words, 1)
    first = ctypes.c_int64.from_address(words + 8).value
    c.shmem_free(words)
    if of_torch != ours:
        raise NvshmemError(
            f"init: torch.distributed has rank {of_torch[0]} of {of_torch[1]}, but this process is PE {ours[0]} of "
            f"{ours[1]}; cushmem.torch.init() starts the PEs of a process group"
        )
    if first < ours[1]:
        raise NvshmemError(f"init: torch.distributed counts differently on PE {first}, which says how")


def finalize() -> None:
    """End the job. Collective. It warns of symmetric memory that was not freed, which nobody may use any more."""
    started("finalize")
    for end in STATE.at_end:
        end()
    left = memory.forget_all()
    Teams.reset()
    STATE.is_initialized, STATE.is_over = False, True
    c.shmem_finalize()
    # A warning may be an exception, and the other PEs have waited for this one.
    if left:
        warnings.warn(f"finalize: not freed: {'; '.join(left)}", NvshmemWarning, stacklevel=2)


def _handle(call: str, kernels: Any) -> int:
    started(call)
    value = getattr(kernels, "handle", kernels)
    try:
        return int(value)
    except (TypeError, ValueError):
        raise TypeError(f"{call}: the argument is a {type(kernels).__name__}, not a handle of the driver") from None


def _tell(call: str, kernels: Any) -> None:
    if getattr(c, f"shmemx_{call}")(_handle(call, kernels)) != 0:
        raise NvshmemError(f"{call}: the library refuses these kernels; its message says why")
    STATE.uses_gpu = True


def module_init(mod: Any) -> None:
    """Tell the kernels of a CUmodule about the job, before their first launch."""
    _tell("module_init", mod)


def module_finalize(mod: Any) -> None:
    """Make the kernels of a CUmodule forget the job."""
    _tell("module_finalize", mod)


def library_init(lib: Any) -> None:
    """Tell the kernels of a CUlibrary about the job, before their first launch."""
    _tell("library_init", lib)


def library_finalize(lib: Any) -> None:
    """Make the kernels of a CUlibrary forget the job."""
    _tell("library_finalize", lib)
