"""Tensors of torch, and jobs of a process group: started by torchrun, or `with_torch.py --group` also by it."""

import os
import sys

import numpy as np
import torch
import torch.distributed as dist

import cushmem.core as nvshmem
import cushmem.torch
from cushmem.core import Teams


def tensors(me, n):
    for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.bool):
        ours = nvshmem.tensor((3, 5), dtype, host=True)
        assert ours.dtype == dtype and ours.shape == (3, 5) and ours.is_contiguous()
        of, nbytes, _ = nvshmem.tensor_get_buffer(ours)
        assert of.handle == ours.data_ptr() and nbytes == 15 * dtype.itemsize
        if dtype != torch.bfloat16:
            assert np.from_dlpack(ours).ctypes.data == ours.data_ptr()
        ours.fill_(me)
        nvshmem.barrier_all()
        peer = nvshmem.get_peer_tensor(ours, (me + 1) % n)
        assert torch.equal(peer, torch.full((3, 5), (me + 1) % n, dtype=dtype))
        nvshmem.barrier_all()
        nvshmem.free_tensor(ours)
    # What has no name in C is copied too.
    small = torch.float8_e4m3fn
    eighths = nvshmem.tensor(8, small, host=True)
    assert eighths.dtype == small and eighths.nbytes == 8
    nvshmem.put(eighths, torch.full((8,), me + 0.5).to(small), (me + 1) % n)
    nvshmem.barrier_all()
    assert torch.equal(eighths.float(), torch.full((8,), (me - 1) % n + 0.5))
    peer = nvshmem.get_peer_tensor(eighths, (me + 1) % n)
    assert peer.dtype == small and torch.equal(peer.float(), torch.full((8,), me + 0.5))
    try:
        nvshmem.reduce(Teams.TEAM_WORLD, eighths, eighths, "sum")
    except NotImplementedError as error:
        assert str(error) == "reduce of float8_e4m3fn: not offered; reduce a view of its parts", error
    else:
        raise AssertionError("numbers without a name in C are added")
    nvshmem.barrier_all()
    nvshmem.free_tensor(eighths)
    plain = torch.from_dlpack(nvshmem.buffer(16, host=True, except_on_del=False))
    assert plain.dtype == torch.uint8 and plain.numel() == 16
    nvshmem.free_tensor(plain)
    row, sums = (nvshmem.tensor(4, host=True) for _ in range(2))
    row.copy_(torch.arange(4) + me)
    nvshmem.reduce(Teams.TEAM_WORLD, sums, row, "sum")
    assert torch.equal(sums, n * torch.arange(4.0) + n * (n - 1) / 2)
    nvshmem.barrier_all()
    nvshmem.put(row, torch.full((4,), 7.0), (me + 1) % n)
    nvshmem.barrier_all()
    assert torch.equal(row, torch.full((4,), 7.0))
    for ours in (sums, row):
        nvshmem.free_tensor(ours)


def differs(only):
    """A process group of one, in a job of several: on all PEs, or on one of which the others hear."""
    has_group = only is None or int(os.environ["CUSHMEM_PE"]) == only
    if has_group:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    want = "torch.distributed has rank 0 of 1, but this process is PE "
    if not has_group:
        want = f"init: torch.distributed counts differently on PE {only}, which says how"
    try:
        nvshmem.init()
    except nvshmem.NvshmemError as error:
        assert want in str(error), error
    else:
        raise AssertionError("nobody says that torch.distributed counts differently")
    me, n = nvshmem.my_pe(), nvshmem.n_pes()
    nvshmem.finalize()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


def main(how="", only=None):
    if how == "--differs":
        differs(int(only) if only else None)
        return
    if how == "":
        nvshmem.init()
    else:
        dist.init_process_group("gloo")
        if how == "--reverse":
            # Ranks that differ from those of the process group are no mistake if the program numbers the PEs itself.
            n = dist.get_world_size()
            uids = [nvshmem.get_unique_id() if dist.get_rank() == 0 else None]
            dist.broadcast_object_list(uids)
            nvshmem.init(uid=uids[0], rank=n - 1 - dist.get_rank(), nranks=n)
            nvshmem.finalize()
        cushmem.torch.init()
        assert (nvshmem.my_pe(), nvshmem.n_pes()) == (dist.get_rank(), dist.get_world_size())
        nvshmem.finalize()
        # A group of two, of which the others are no part.
        pair = dist.new_group([0, 1])
        if dist.get_rank() < 2:
            cushmem.torch.init(pair)
            assert nvshmem.n_pes() == 2
            nvshmem.finalize()
        cushmem.torch.init()
    me, n = nvshmem.my_pe(), nvshmem.n_pes()
    tensors(me, n)
    nvshmem.finalize()
    if dist.is_initialized():
        dist.destroy_process_group()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
