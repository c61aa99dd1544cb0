"""Each PE sends an array of NumPy to the next one: `shmemrun -n 4 python3 ring.py`."""

import numpy as np

import cushmem.core as nvshmem
from cushmem.core import ComparisonType, SignalOp

nvshmem.init()
me, n = nvshmem.my_pe(), nvshmem.n_pes()
there = nvshmem.array(4, "int64", host=True)
arrived = nvshmem.array(1, "uint64", host=True)
arrived[0] = 0
# The next PE's signal may come only after this.
nvshmem.barrier_all()
nvshmem.put_signal(there, np.arange(4) + 10 * me, arrived, 1, SignalOp.SIGNAL_SET, (me + 1) % n)
nvshmem.signal_wait(arrived, 1, ComparisonType.CMP_EQ)
print(f"PE {me} of {n}: PE {(me - 1) % n} sent {there.tolist()}\n", end="")
nvshmem.free_array(arrived)
nvshmem.free_array(there)
nvshmem.finalize()
