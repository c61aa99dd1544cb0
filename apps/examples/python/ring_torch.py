"""Each process of torch sends a tensor to the next one: `torchrun --nproc-per-node 4 ring_torch.py`.

With GPUs, the tensors are in their memory, and a stream carries out everything; without, they are on the host.
"""

import torch

import cushmem.core as nvshmem
from cushmem.core import ComparisonType, SignalOp

nvshmem.init()
me, n = nvshmem.my_pe(), nvshmem.n_pes()
has_gpu = torch.cuda.is_available()
if has_gpu:
    torch.cuda.set_device(me % torch.cuda.device_count())
stream = torch.cuda.current_stream() if has_gpu else None

there, mine = (nvshmem.tensor(4, torch.int64, host=not has_gpu) for _ in range(2))
arrived = nvshmem.tensor(1, torch.int64, host=not has_gpu)
arrived.zero_()
mine.copy_(torch.arange(4) + 10 * me)
# The next PE's signal may come only after this.
nvshmem.barrier_all(stream)
nvshmem.put_signal(there, mine, arrived, 1, SignalOp.SIGNAL_SET, (me + 1) % n, stream)
nvshmem.signal_wait(arrived, 1, ComparisonType.CMP_EQ, stream)
# Copying to the host waits for the stream.
print(f"PE {me} of {n}: PE {(me - 1) % n} sent {there.tolist()}\n", end="")
nvshmem.barrier_all()
for tensor in (arrived, mine, there):
    nvshmem.free_tensor(tensor)
nvshmem.finalize()
