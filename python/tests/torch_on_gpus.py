"""Tensors of torch in symmetric memory of GPUs, and operations on its streams."""

import sys

import torch
import torch.distributed as dist

import cushmem.core as nvshmem
import cushmem.torch
from cushmem.core import ComparisonType, SignalOp, Teams

N = 1 << 20
ROUNDS = 200


def views(me, n):
    ours = nvshmem.tensor((3, 5), torch.bfloat16)
    assert ours.is_cuda and ours.device.index == torch.cuda.current_device() and ours.is_contiguous()
    of = nvshmem.tensor_get_buffer(ours)[0]
    assert of.handle == ours.data_ptr() and of.device_id == ours.device.index
    assert torch.as_tensor(of, device="cuda").data_ptr() == ours.data_ptr(), "__cuda_array_interface__"
    ours.fill_(me)
    torch.cuda.synchronize()
    nvshmem.barrier_all()
    # A kernel of torch reads the next PE's memory, and another one writes it.
    peer = nvshmem.get_peer_tensor(ours, (me + 1) % n)
    assert torch.equal(peer, torch.full((3, 5), (me + 1) % n, dtype=torch.bfloat16, device="cuda"))
    torch.cuda.synchronize()
    nvshmem.barrier_all()
    peer.fill_(10 + me)
    torch.cuda.synchronize()
    nvshmem.barrier_all()
    assert torch.all(ours == 10 + (me - 1) % n)
    nvshmem.free_tensor(ours)
    try:
        import cupy
    except ImportError:
        return
    array = nvshmem.array((4, 4), "int32")
    assert isinstance(array, cupy.ndarray) and array.shape == (4, 4)
    array[:] = me
    cupy.cuda.runtime.deviceSynchronize()
    nvshmem.barrier_all()
    assert int(nvshmem.get_peer_array(array, (me + 1) % n).sum()) == 16 * ((me + 1) % n)
    nvshmem.barrier_all()
    nvshmem.free_array(array)


def ring(me, n, stream):
    following, before = (me + 1) % n, (me - 1) % n
    source, there = (nvshmem.tensor(N, torch.float32) for _ in range(2))
    signal = nvshmem.tensor(1, torch.int64)
    signal.zero_()
    wrong = torch.zeros((), dtype=torch.int64, device="cuda")
    expected = torch.arange(N, dtype=torch.float32, device="cuda")
    torch.cuda.synchronize()
    nvshmem.barrier_all()
    with torch.cuda.stream(stream):
        for turn in range(1, ROUNDS + 1):
            torch.add(expected, me + turn, out=source)
            nvshmem.put_signal(there, source, signal, turn, SignalOp.SIGNAL_SET, following, stream)
            nvshmem.signal_wait(signal, turn, ComparisonType.CMP_GE, stream)
            wrong += (there != expected + (before + turn)).sum()
            # The next turn's put may not come before all have looked.
            nvshmem.barrier(Teams.TEAM_WORLD, stream)
        nvshmem.put(there, source, before, stream)
        nvshmem.quiet(stream)
        nvshmem.barrier_all(stream)
        wrong += (there != expected + (following + ROUNDS)).sum()
    stream.synchronize()
    assert wrong.item() == 0, f"{wrong.item()} words are wrong"
    # Without a stream: behind torch's default stream.
    source.fill_(7 + me)
    nvshmem.put(there, source, following)
    nvshmem.barrier_all()
    assert torch.all(there == 7 + before)
    for ours in (signal, there, source):
        nvshmem.free_tensor(ours)


def collectives(me, n, stream):
    for dtype in (torch.float32, torch.bfloat16, torch.int32):
        source, sums = (nvshmem.tensor(4096, dtype) for _ in range(2))
        each = nvshmem.tensor((n, 4096), dtype)
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            source.fill_(me + 1)
            nvshmem.reduce(Teams.TEAM_WORLD, sums, source, "sum", stream)
            nvshmem.fcollect(Teams.TEAM_WORLD, each, source, stream)
        stream.synchronize()
        assert torch.all(sums == n * (n + 1) / 2), dtype
        assert torch.equal(each[:, 0].cpu(), torch.arange(1, n + 1, dtype=dtype)), dtype
        with torch.cuda.stream(stream):
            nvshmem.reducescatter(Teams.TEAM_WORLD, sums, each, "max", stream)
            nvshmem.broadcast(Teams.TEAM_WORLD, source, source, n - 1, stream)
        stream.synchronize()
        assert torch.all(sums == me + 1) and torch.all(source == n), dtype
        nvshmem.barrier_all()
        for ours in (each, sums, source):
            nvshmem.free_tensor(ours)


def main(how=""):
    if not torch.cuda.is_available():
        print("not run: torch finds no GPU")
        return
    if how == "--group":
        dist.init_process_group("gloo")
        torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
        cushmem.torch.init()
    else:
        nvshmem.init()
        torch.cuda.set_device(nvshmem.my_pe() % torch.cuda.device_count())
    me, n = nvshmem.my_pe(), nvshmem.n_pes()
    stream = torch.cuda.Stream()
    views(me, n)
    ring(me, n, stream)
    collectives(me, n, stream)
    nvshmem.finalize()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
