"""What nvshmem.core and cushmem.core both do, on GPUs, under torchrun: the same file with one import changed.

`sed 's/^import cushmem.core/import nvshmem.core/' side_by_side.py` makes the other one.
"""

import torch
import torch.distributed as dist
from cuda.core import Device

import cushmem.core as nvshmem

N, ROUNDS = 1 << 16, 100


class Stream:
    """A stream of torch, as both libraries take it."""

    def __init__(self, stream):
        self.stream = stream

    def __cuda_stream__(self):
        return (0, self.stream.cuda_stream)


def start():
    dist.init_process_group("gloo")
    rank, n = dist.get_rank(), dist.get_world_size()
    torch.cuda.set_device(rank)
    device = Device(rank)
    device.set_current()
    ids = [nvshmem.get_unique_id(empty=rank != 0)]
    dist.broadcast_object_list(ids, src=0)
    nvshmem.init(device=device, uid=ids[0], rank=rank, nranks=n, initializer_method="uid")
    assert (nvshmem.my_pe(), nvshmem.n_pes()) == (rank, n)
    return rank, n


def check(text, got, want):
    torch.cuda.synchronize()
    assert torch.equal(got.cpu(), want.cpu()), (text, got, want)
    if nvshmem.my_pe() == 0:
        print(f"{text}: ok", flush=True)


def ring(me, n, stream):
    """Data go round, and grow on their way, each message with a signal."""
    inbox, outbox = nvshmem.tensor((N,), dtype=torch.int64), nvshmem.tensor((N,), dtype=torch.int64)
    words = nvshmem.tensor((2,), dtype=torch.int64)
    words.zero_()
    outbox.copy_(torch.arange(N))
    torch.cuda.synchronize()
    nvshmem.barrier(nvshmem.Teams.TEAM_WORLD, stream=stream)
    signal, _, _ = nvshmem.tensor_get_buffer(words)
    for turn in range(1, ROUNDS + 1):
        nvshmem.put_signal(inbox, outbox, signal, turn, nvshmem.SignalOp.SIGNAL_SET, (me + 1) % n, stream)
        nvshmem.signal_wait(signal, turn, nvshmem.ComparisonType.CMP_GE, stream)
        with torch.cuda.stream(stream.stream):
            torch.add(inbox, 1, out=outbox)
        # Nobody sends again before all have taken what came.
        nvshmem.barrier(nvshmem.Teams.TEAM_WORLD, stream=stream)
    check("ring", outbox, torch.arange(N) + ROUNDS)
    for tensor in (inbox, outbox, words):
        nvshmem.free_tensor(tensor)


def copies(me, n, stream):
    """Puts, gets and loads of the next one's memory."""
    mine, got = nvshmem.tensor((N,), dtype=torch.float32), nvshmem.tensor((N,), dtype=torch.float32)
    source = nvshmem.tensor((N,), dtype=torch.float32)
    source.fill_(me + 0.5)
    torch.cuda.synchronize()
    nvshmem.put(mine, source, remote_pe=(me + 1) % n, stream=stream)
    nvshmem.quiet(stream=stream)
    nvshmem.barrier(nvshmem.Teams.TEAM_WORLD, stream=stream)
    check("put", mine, torch.full((N,), (me - 1) % n + 0.5))
    nvshmem.get(got, source, remote_pe=(me + 1) % n, stream=stream)
    check("get", got, torch.full((N,), (me + 1) % n + 0.5))
    check("get_peer_tensor", nvshmem.get_peer_tensor(source, (me + 1) % n), torch.full((N,), (me + 1) % n + 0.5))
    nvshmem.barrier(nvshmem.Teams.TEAM_WORLD, stream=stream)
    torch.cuda.synchronize()
    for tensor in (mine, got, source):
        nvshmem.free_tensor(tensor)


def collectives(me, n, stream):
    """All of them, of all PEs."""
    world = nvshmem.Teams.TEAM_WORLD
    every = torch.arange(n)
    source, dest = nvshmem.tensor((64,), dtype=torch.float32), nvshmem.tensor((64,), dtype=torch.float32)
    whole, parts = nvshmem.tensor((n * 64,), dtype=torch.float32), nvshmem.tensor((n * 64,), dtype=torch.float32)
    source.fill_(me + 1)
    parts.copy_((10 * me + every).repeat_interleave(64))
    torch.cuda.synchronize()
    nvshmem.barrier(world, stream=stream)
    nvshmem.reduce(world, dest, source, "sum", stream=stream)
    check("reduce", dest, torch.full((64,), n * (n + 1) / 2))
    nvshmem.fcollect(world, whole, source, stream=stream)
    check("fcollect", whole, (every + 1.0).repeat_interleave(64))
    nvshmem.barrier(world, stream=stream)
    nvshmem.alltoall(world, whole, parts, stream=stream)
    check("alltoall", whole, (10.0 * every + me).repeat_interleave(64))
    nvshmem.broadcast(world, dest, source, root=n - 1, stream=stream)
    check("broadcast", dest, torch.full((64,), float(n)))
    nvshmem.reducescatter(world, dest, parts, "max", stream=stream)
    check("reducescatter", dest, torch.full((64,), 10.0 * (n - 1) + me))
    nvshmem.barrier(world, stream=stream)
    torch.cuda.synchronize()
    for tensor in (source, dest, whole, parts):
        nvshmem.free_tensor(tensor)


def main():
    me, n = start()
    stream = Stream(torch.cuda.Stream())
    for example in (ring, copies, collectives):
        example(me, n, stream)
    nvshmem.finalize()
    print(f"PE {me} of {n}: ok with {nvshmem.__name__}\n", end="", flush=True)
    dist.destroy_process_group()


main()
