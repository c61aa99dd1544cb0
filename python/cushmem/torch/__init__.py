"""Jobs whose PEs are the processes of a process group of torch, and back ends of its symmetric memory.

Importing this registers the back ends "CUSHMEM", for GPUs, and "CUSHMEM_SOFT", for the CPU, which
`torch.distributed._symmetric_memory.set_backend` chooses, and the operations in `torch.ops.cushmem`. The first import
with a version of torch compiles them. Where that cannot be, a warning says why, and the rest works.
"""

import warnings
from typing import Any, Optional

import torch
import torch.distributed as dist

from cushmem import core
from cushmem.core import NvshmemError, NvshmemWarning, UniqueID
from cushmem.core._checks import STATE
from cushmem.torch._extension import Extension, UnavailableError

__all__ = ["init"]

# How many jobs each group has started: its members count alike.
_jobs: dict[str, int] = {}


def init(group: Any = None, device: Any = None) -> None:
    """Make the members of a process group the PEs of a job: rank `i` of the group becomes PE `i`.

    The group's first member makes a unique id and hands it to the others through the store with which
    `torch.distributed` started. Collective over the group, by default that of all processes.
    """
    if not dist.is_available() or not dist.is_initialized():
        raise NvshmemError("init: torch.distributed has not started; call torch.distributed.init_process_group first")
    rank, size = dist.get_rank(group), dist.get_world_size(group)
    if rank < 0:
        raise NvshmemError("init: this process is not a member of the group")
    name = getattr(group, "group_name", "") if group is not None else ""
    _jobs[name] = count = _jobs.get(name, 0) + 1
    store, key = dist.distributed_c10d._get_default_store(), f"cushmem/{name}/{count}"
    if rank == 0:
        uid = core.get_unique_id()
        store.set(key, bytes(uid).hex())
    else:
        uid = UniqueID(bytes.fromhex(store.get(key).decode()))
    core.init(device=device, uid=uid, rank=rank, nranks=size)


def _start(is_gpu: bool, device: int) -> None:
    """Start the job at the first allocation, unless it runs."""
    if not STATE.is_initialized:
        # The library ends it with the process, if that ends well.
        init(device=device if is_gpu else None)
    STATE.uses_gpu = STATE.uses_gpu or is_gpu


def _register() -> Optional[Extension]:
    try:
        found = Extension(_start)
    except (UnavailableError, OSError, RuntimeError) as error:
        warnings.warn(f"cushmem.torch: no back ends for symmetric memory: {error}", NvshmemWarning, stacklevel=3)
        return None
    STATE.at_end.append(found.end)
    for name in ("put", "get", "put_signal", "wait_signal", "all_to_all_vdev"):
        torch.library.register_fake(f"cushmem::{name}", lambda *_: None)
    return found


_extension = _register()
