"""All processes of torch sum a tensor in symmetric memory: `torchrun --nproc-per-node 4 all_reduce.py`.

With GPUs, a kernel of torch does it. Without, each process reads the others' memory itself.
"""

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory as symm_mem

import cushmem.torch  # noqa: F401

dist.init_process_group("gloo")
me, group = dist.get_rank(), dist.group.WORLD
has_gpu = torch.cuda.is_available()
if has_gpu:
    torch.cuda.set_device(me % torch.cuda.device_count())
# This line chooses who allocates. The first allocation starts the PEs, one for each process.
symm_mem.set_backend("CUSHMEM" if has_gpu else "CUSHMEM_SOFT")
numbers = symm_mem.empty(4, dtype=torch.float32, device="cuda" if has_gpu else "cpu")
handle = symm_mem.rendezvous(numbers, group)
numbers.copy_(torch.arange(4) + me)
if has_gpu:
    total = torch.ops.symm_mem.one_shot_all_reduce(numbers, "sum", group.group_name)
else:
    handle.barrier()
    total = sum(handle.get_buffer(rank, (4,), torch.float32) for rank in range(handle.world_size))
    # Nobody may overwrite its numbers before all have read them.
    handle.barrier()
print(f"PE {me} of {handle.world_size}: the sum is {total.tolist()}\n", end="", flush=True)
dist.destroy_process_group()
