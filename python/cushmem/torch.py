"""Jobs whose PEs are the processes of a process group of torch."""

from typing import Any

import torch.distributed as dist

from cushmem import core
from cushmem.core import NvshmemError, UniqueID

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
