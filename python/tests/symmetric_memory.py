"""The back ends of torch's symmetric memory: `symmetric_memory.py` on the host, `symmetric_memory.py gpu` on GPUs.

With shmemrun or torchrun. Each wait has a limit, except with `fails`: there one process fails, and the others wait for
it.
"""

import gc
import os
import sys
import tempfile
import threading
import time

import torch
import torch.distributed as dist
import torch.distributed._symmetric_memory as symm_mem

import cushmem.core as nvshmem
import cushmem.torch  # noqa: F401

ON_GPU = sys.argv[1:2] == ["gpu"]
NAME = "CUSHMEM" if ON_GPU else "CUSHMEM_SOFT"
BY_TORCHRUN = "RANK" in os.environ
# For files by which processes find each other.
FOLDER = os.environ.get("STORES", tempfile.gettempdir())
LIMIT_MS = 20_000


def raises(kind, call, *parts):
    try:
        call()
    except kind as error:
        # The lines behind it are torch's.
        text = str(error).splitlines()[0]
        assert all(part in text for part in parts), (text, parts)
    else:
        raise AssertionError(f"nothing raised: {parts}")


def empty(*shape, dtype=torch.int64):
    return symm_mem.empty(*shape, dtype=dtype, device=DEVICE)


def first_element(handle, tensor):
    """Return where a tensor begins in its allocation, in elements."""
    return (tensor.data_ptr() - handle.buffer_ptrs[handle.rank]) // tensor.element_size()


def barrier(handle, channel=0):
    handle.barrier(channel=channel, timeout_ms=LIMIT_MS)


def views(me, n):
    """Buffers of all members, from any pointer inside."""
    # The current device.
    assert symm_mem.empty(8, device=DEVICE.type).device == DEVICE
    mine = empty(1000)
    handle = symm_mem.rendezvous(mine, dist.group.WORLD)
    assert (handle.rank, handle.world_size) == (me, n)
    assert handle.buffer_size >= 8000 and handle.multicast_ptr == 0
    assert handle.buffer_ptrs[me] <= mine.data_ptr()
    # torch's own operations name the group when they allocate.
    new = symm_mem._SymmetricMemory
    named = new.empty_strided_p2p((8,), (1,), torch.int64, DEVICE, dist.group.WORLD.group_name)
    assert new.rendezvous(named).world_size == n
    raises(RuntimeError, lambda: new.rendezvous(mine), "neither this call nor that of the allocation names a group")
    again = symm_mem.rendezvous(mine, dist.group.WORLD)
    assert again.buffer_ptrs == handle.buffer_ptrs and again.signal_pad_ptrs == handle.signal_pad_ptrs
    first = first_element(handle, mine)
    mine.copy_(torch.arange(1000) + 1000 * me)
    barrier(handle)
    for rank in range(n):
        there = handle.get_buffer(rank, (1000,), torch.int64, first)
        assert torch.equal(there.cpu(), torch.arange(1000) + 1000 * rank)
    barrier(handle)
    # A storage that begins inside the allocation.
    inside = handle.get_buffer(me, (10,), torch.int64, first + 100)
    part = symm_mem.rendezvous(inside, dist.group.WORLD)
    assert part.buffer_ptrs == handle.buffer_ptrs
    # Older versions of torch have it without showing it.
    want = 8 * (first + 100)
    assert getattr(part, "offset", want) == want
    theirs = part.get_remote_tensor((me + 1) % n, (10,), torch.int64)
    assert theirs.tolist() == [1000 * ((me + 1) % n) + k for k in range(100, 110)]
    barrier(part, 1)
    # A write to the next one's memory.
    handle.get_buffer((me + 1) % n, (1000,), torch.int64, first).fill_(me)
    barrier(handle)
    assert torch.equal(mine.cpu(), torch.full((1000,), (me - 1) % n))
    pad = handle.get_signal_pad(me, (16,), torch.int32)
    assert not pad.any()
    raises(
        RuntimeError, lambda: handle.barrier(channel=1 << 20), "barrier: channel is 1048576; the valid range is 0 to "
    )
    raises(RuntimeError, lambda: handle.put_signal(n, 0), f"put_signal: rank is {n}; the valid range is 0 to {n - 1}")
    if not ON_GPU:
        assert symm_mem.rendezvous(mine.clone(), dist.group.WORLD) is None
    barrier(handle)


def ring(me, n):
    """Signals on two channels, and barriers between them, with data behind each."""
    mine = empty(64)
    handle = symm_mem.rendezvous(mine, dist.group.WORLD)
    to, of = (me + 1) % n, (me - 1) % n
    there = handle.get_buffer(to, (64,), torch.int64, first_element(handle, mine))
    for turn in range(20 if ON_GPU else 300):
        there.fill_(turn * n + me)
        handle.put_signal(to, channel=1, timeout_ms=LIMIT_MS)
        handle.wait_signal(of, channel=1, timeout_ms=LIMIT_MS if turn % 2 else 0)
        assert mine.tolist() == [turn * n + of] * 64
        handle.put_signal(of, channel=2)
        handle.wait_signal(to, channel=2, timeout_ms=LIMIT_MS)
    # Signals that come early are counted.
    for _ in range(5):
        handle.put_signal(to, channel=3)
    for _ in range(5):
        handle.wait_signal(of, channel=3, timeout_ms=LIMIT_MS)
    raises(RuntimeError, lambda: handle.wait_signal(of, channel=3, timeout_ms=50), "on channel 3; late: ")
    barrier(handle)


def groups(me, n):
    """Pairs of a job of four, and each process alone."""
    alone = [dist.new_group([rank]) for rank in range(n)]
    pairs = [dist.new_group([first, first + 1]) for first in range(0, n, 2)]
    mine = empty(8)
    handle = symm_mem.rendezvous(mine, pairs[me // 2])
    assert (handle.rank, handle.world_size) == (me % 2, 2)
    mine.fill_(me)
    barrier(handle, 4)
    peer = handle.get_buffer(1 - me % 2, (8,), torch.int64, first_element(handle, mine))
    assert peer.tolist() == [me ^ 1] * 8
    barrier(handle, 4)
    of_all = symm_mem.rendezvous(mine, dist.group.WORLD)
    barrier(of_all)
    only = symm_mem.rendezvous(mine, alone[me])
    assert (only.rank, only.world_size) == (0, 1)
    barrier(only)
    assert len(only.buffer_ptrs) == 1
    # Each pair by itself, for a while.
    for turn in range(50):
        if (turn + me // 2) % 2:
            barrier(handle, 5)
            barrier(handle, 6)
    barrier(of_all)


def meanwhile(me, n):
    """While a thread waits for the others in a new group, the process goes on, also with operations."""
    group = dist.new_group(list(range(n)))
    mine, told = empty(8), empty(1)
    handle = symm_mem.rendezvous(mine, dist.group.WORLD)
    told.zero_()
    barrier(handle)
    if me == 0:
        found = []
        waits = threading.Thread(target=lambda: found.append(symm_mem.rendezvous(mine, group)))
        waits.start()
        time.sleep(0.3)
        for to in range(1, n):
            torch.ops.cushmem.put(told, torch.ones_like(told), to, dist.group.WORLD.group_name)
        waits.join()
        assert found, "rendezvous failed in the thread"
    else:
        end = time.monotonic() + LIMIT_MS / 1000
        while told.item() == 0:
            assert time.monotonic() < end, "PE 0 waits with all of its threads"
            time.sleep(0.01)
        symm_mem.rendezvous(mine, group)
    barrier(handle)


def late(me, n):
    """The last one comes late: the others say so, on which channel, and who it is."""
    mine = empty(8)
    handle = symm_mem.rendezvous(mine, dist.group.WORLD)
    barrier(handle)
    if me == n - 1:
        dist.barrier()
        return
    raises(
        RuntimeError,
        lambda: handle.barrier(channel=7, timeout_ms=100),
        f"{NAME}: rank {me} (PE {me}) waited 100 ms in barrier on channel 7; late: rank {n - 1} (PE {n - 1})",
    )
    raises(
        RuntimeError,
        lambda: handle.wait_signal(n - 1, channel=8, timeout_ms=50),
        f"{NAME}: rank {me} (PE {me}) waited 50 ms in wait_signal on channel 8; late: rank {n - 1} (PE {n - 1})",
    )
    # Other threads run meanwhile.
    turns = []
    other = threading.Thread(target=lambda: [turns.append(time.sleep(0.01)) for _ in range(10)])
    other.start()
    raises(RuntimeError, lambda: handle.wait_signal(n - 1, channel=8, timeout_ms=1000), "late")
    assert len(turns) == 10, turns
    other.join()
    dist.barrier()


def agreement(me, n):
    """PEs that ask for different memory all get an error, and go on."""
    of = "the host" if not ON_GPU else "its GPU"
    # The pool asks for 20 MiB and more by itself.
    size = (32 << 20) * (1 + (me == 1))
    raises(
        RuntimeError,
        lambda: empty(size, dtype=torch.uint8),
        f"the PEs ask for different memory: PE 0 for {32 << 20} bytes of {of}, PE 1 for {64 << 20} bytes of {of}",
    )
    pad = symm_mem.get_signal_pad_size()
    symm_mem.set_signal_pad_size(65536 * (1 + (me == 1)))
    want = (
        "the PEs ask for different memory: PE 0 for a signal pad of 65536 bytes, PE 1 for a signal pad of 131072 bytes"
    )
    raises(RuntimeError, lambda: empty(32 << 20, dtype=torch.uint8), want)
    symm_mem.set_signal_pad_size(pad)
    mine = empty(8)
    barrier(symm_mem.rendezvous(mine, dist.group.WORLD))


def compared(me, n):
    """In check mode, PEs that give different tensors are told so, and go on."""
    first, second = empty(8), empty(8)
    for _ in range(2):
        symm_mem.rendezvous(first, dist.group.WORLD)
    mine = second if me == 1 else first
    raises(
        RuntimeError,
        lambda: symm_mem.rendezvous(mine, dist.group.WORLD),
        f"{NAME}: the members give rendezvous different memory: rank 0 (PE 0) has byte ",
        "rank 1 (PE 1) has byte ",
    )
    barrier(symm_mem.rendezvous(second, dist.group.WORLD))


def dropped(me, n):
    """Tensors may be dropped in any order; the memory comes back when all have dropped it."""
    if ON_GPU:
        return
    # Three times what the heap has.
    for _ in range(60):
        kept = [empty(32 << 20, dtype=torch.uint8) for _ in range(4)]
        for handle in [symm_mem.rendezvous(tensor, dist.group.WORLD) for tensor in kept]:
            barrier(handle)
        for k in range(4):
            kept[(k + me) % 4] = None
    gc.collect()
    # What others have written is not taken for signals.
    full = empty(1 << 20, dtype=torch.uint8)
    full.fill_(255)
    address = full.data_ptr()
    del full
    parts = [empty(8) for _ in range(4)]
    assert any(address <= part.data_ptr() < address + (1 << 20) for part in parts)
    for handle in [symm_mem.rendezvous(part, dist.group.WORLD) for part in parts]:
        assert not handle.get_signal_pad(me, (512,), torch.int32).any()
        raises(RuntimeError, lambda: handle.wait_signal((me + 1) % n, channel=15, timeout_ms=1), "late")  # noqa: B023
    mine = empty(8)
    address = mine.data_ptr()
    if me == 0:
        del mine
    other = empty(8)
    # One still has it.
    assert other.data_ptr() != address
    # A handle keeps its memory.
    mine = empty(8)
    address, kept = mine.data_ptr(), symm_mem.rendezvous(mine, dist.group.WORLD)
    del mine
    others = [empty(8) for _ in range(3)]
    assert address not in [tensor.data_ptr() for tensor in others]
    barrier(kept)
    del kept
    assert address in [tensor.data_ptr() for tensor in [empty(8) for _ in range(4)]]
    barrier(symm_mem.rendezvous(other, dist.group.WORLD))


def operations(me, n):
    """What `torch.ops.cushmem` has, as it is and compiled."""
    ops, group = torch.ops.cushmem, dist.group.WORLD.group_name
    inbox, outbox, arrived = empty(16), empty(16), empty(1)
    handle = symm_mem.rendezvous(inbox, dist.group.WORLD)
    to, of = (me + 1) % n, (me - 1) % n
    arrived.zero_()
    outbox.fill_(10 + me)
    barrier(handle)
    ops.put(inbox, torch.full((16,), me, dtype=torch.int64, device=DEVICE), to, group)
    barrier(handle)
    assert inbox.tolist() == [of] * 16
    got = torch.zeros(16, dtype=torch.int64, device=DEVICE)
    ops.get(got, outbox, to, group)
    assert got.tolist() == [10 + to] * 16

    def send(x, turn: int):
        ops.put_signal(inbox, x * 2, arrived, turn, to, group)
        ops.wait_signal(arrived, turn, inbox)
        return inbox + 1

    def compiled(inbox, arrived, x, turn: int):
        ops.put_signal(inbox, x * 2, arrived, turn, to, group)
        ops.wait_signal(arrived, turn, inbox)
        return inbox + 1

    x = torch.arange(16, device=DEVICE) + me
    want = [2 * (k + of) + 1 for k in range(16)]
    barrier(handle)
    assert send(x, 1).tolist() == want
    # That takes a while.
    backend = "inductor" if n == 2 and BY_TORCHRUN else "eager"
    fast = torch.compile(compiled, fullgraph=True, backend=backend)
    for turn in range(2, 6):
        barrier(handle)
        assert fast(inbox, arrived, x + turn, turn).tolist() == [w + 2 * turn for w in want]
    barrier(handle)
    raises(RuntimeError, lambda: ops.put(inbox, x[:8], to, group), "put: dst has 16 of ", ", src 8 of ")
    raises(RuntimeError, lambda: ops.put(x, x, to, group), "put: dst is not in memory that CUSHMEM or ")
    raises(RuntimeError, lambda: ops.put(inbox, x, n, group), f"put: peer is {n}; the valid range is 0 to {n - 1}")
    raises(RuntimeError, lambda: ops.get(got[::2], outbox[::2], to, group), "get: src is not contiguous")
    small = empty(1, dtype=torch.int32)
    raises(
        RuntimeError, lambda: ops.wait_signal(small, 1, inbox), "wait_signal: signal has 1 of Int; it takes one of 8"
    )
    # Rows of two: to rank r go r + 1 rows.
    rows, width = n * (n + 1) // 2, 2
    tokens, received, splits = empty(rows, width), empty(n * n, width), empty(2, n)
    counts = torch.arange(1, n + 1, device=DEVICE)
    tokens.copy_((torch.arange(rows, device=DEVICE) + 100 * me).unsqueeze(1).expand(rows, width))
    barrier(handle)
    ops.all_to_all_vdev(tokens, received, counts, splits, group)
    assert splits[0].tolist() == [me + 1] * n and splits[1].tolist() == [(me + 1) * k for k in range(n)]
    first = me * (me + 1) // 2
    want = [100 * rank + first + k for rank in range(n) for k in range(me + 1)]
    assert received[: len(want)].tolist() == [[word, word] for word in want]
    raises(RuntimeError, lambda: ops.all_to_all_vdev(tokens, received, counts[:1], splits, group), "in_splits is not ")
    if not ON_GPU:
        # They would fit into `received`.
        many = torch.full((n,), rows // n + 1)
        for wrong in (many, counts - 2):
            raises(
                RuntimeError,
                lambda: ops.all_to_all_vdev(tokens, received, wrong, splits, group),  # noqa: B023
                f"all_to_all_vdev: in_splits has {wrong.tolist()}; the rows of input are {rows}",
            )
    barrier(handle)


def kernels(me, n):
    """What torch does with pointers and pads."""
    group = dist.group.WORLD.group_name
    numbers = torch.arange(4096, dtype=torch.float32, device=DEVICE) + me
    want = n * torch.arange(4096.0) + n * (n - 1) / 2
    ours = empty(4096, dtype=torch.float32)
    handle = symm_mem.rendezvous(ours, dist.group.WORLD)
    for turn in range(50):
        ours.copy_(numbers)
        if turn % 2:
            barrier(handle)
        assert torch.equal(torch.ops.symm_mem.one_shot_all_reduce(ours, "sum", group).cpu(), want)
        torch.ops.symm_mem.two_shot_all_reduce_(ours, "sum", group)
        assert torch.equal(ours.cpu(), want)
    raises(RuntimeError, lambda: torch.ops.symm_mem.multimem_all_reduce_(ours, "sum", group), "multicast support")
    # It runs on a stream of torch's own, and its result is an asynchronous tensor.
    whole = torch.ops._c10d_functional.wait_tensor(torch.ops.symm_mem._low_contention_all_gather(numbers, group))
    assert torch.equal(whole.cpu(), torch.cat([torch.arange(4096.0) + rank for rank in range(n)]))
    a = torch.full((64, 64), me + 1.0, device=DEVICE)
    b = torch.eye(64, device=DEVICE)
    gathered, (product,) = torch.ops.symm_mem.fused_all_gather_matmul(a, [b], 0, group)
    assert torch.equal(gathered, product) and gathered[-1, 0].item() == n
    # A graph with barriers, replayed.
    graph, count = torch.cuda.CUDAGraph(), torch.zeros(1, device=DEVICE)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        handle.barrier(channel=9)
        count += 1
        handle.barrier(channel=9)
    for _ in range(20):
        graph.replay()
    assert count.item() == 20
    with torch.cuda.use_mem_pool(symm_mem.get_mem_pool(DEVICE)):
        pooled = torch.full((1024,), float(me), device=DEVICE)
    symm_mem.rendezvous(pooled, dist.group.WORLD)
    assert torch.ops.symm_mem.one_shot_all_reduce(pooled, "sum", group)[0].item() == n * (n - 1) / 2
    barrier(handle)


def main():
    global DEVICE  # noqa: PLW0603
    if not BY_TORCHRUN:
        # shmemrun tells the number in variables of its own; the processes find each other by a file.
        me, n = int(os.environ["CUSHMEM_PE"]), int(os.environ["CUSHMEM_N_PES"])
        store = dist.FileStore(f"{FOLDER}/symmetric-{os.getppid()}", n)
        dist.init_process_group("gloo", store=store, rank=me, world_size=n)
    else:
        dist.init_process_group("gloo")
    me, n = dist.get_rank(), dist.get_world_size()
    if sys.argv[1:2] == ["checked"] and me == 0:
        # For all.
        os.environ["CUSHMEM_CHECK"] = "1"
    DEVICE = torch.device("cuda", me % torch.cuda.device_count()) if ON_GPU else torch.device("cpu")
    if ON_GPU:
        torch.cuda.set_device(DEVICE)
    symm_mem.set_backend(NAME)
    assert symm_mem.get_backend(DEVICE) == NAME
    if not BY_TORCHRUN:
        nvshmem.init()
    if sys.argv[1:2] in (["fails"], ["exits"]):
        mine = empty(8)
        handle = symm_mem.rendezvous(mine, dist.group.WORLD)
        if me == 0 and sys.argv[1] == "exits":
            sys.exit("this one fails")
        assert me != 0, "this one fails"
        # It ends with the job.
        handle.wait_signal(0)
        return
    if sys.argv[1:2] == ["checked"]:
        for test in (views, compared):
            test(me, n)
        nvshmem.finalize()
        print(f"PE {me} of {n}: ok\n", end="", flush=True)
        return
    for test in (views, ring, groups, meanwhile, late, agreement, dropped, operations, *([kernels] if ON_GPU else [])):
        test(me, n)
        print(f"PE {me}: {test.__name__}\n", end="", file=sys.stderr, flush=True)
    kept = empty(8)
    handle = symm_mem.rendezvous(kept, dist.group.WORLD)
    barrier(handle)
    nvshmem.finalize()
    raises(RuntimeError, handle.barrier, "barrier: the job of this memory is over")
    del kept
    # Another job, with another group of the same name that counts the other way round. Each PE has another GPU.
    dist.destroy_process_group()
    if ON_GPU:
        DEVICE = torch.device("cuda", (n - 1 - me) % torch.cuda.device_count())
        torch.cuda.set_device(DEVICE)
    store = dist.FileStore(f"{FOLDER}/symmetric-again-{os.getppid()}", n)
    dist.init_process_group("gloo", store=store, rank=n - 1 - me, world_size=n)
    again = empty(8)
    assert (nvshmem.my_pe(), nvshmem.n_pes()) == (n - 1 - me, n)
    new = symm_mem.rendezvous(again, dist.group.WORLD)
    again.fill_(me)
    barrier(new)
    assert [new.get_buffer(rank, (1,), torch.int64, first_element(new, again)).item() for rank in range(n)] == [
        n - 1 - rank for rank in range(n)
    ]
    raises(RuntimeError, handle.barrier, "barrier: the job of this memory is over")
    dist.destroy_process_group()
    store = dist.FileStore(f"{FOLDER}/symmetric-third-{os.getppid()}", n)
    dist.init_process_group("gloo", store=store, rank=me, world_size=n)
    third = symm_mem.rendezvous(again, dist.group.WORLD)
    assert third.rank == me and third.buffer_ptrs == new.buffer_ptrs[::-1]
    barrier(third)
    # The job, which started by itself, ends with the process.
    del again
    dist.destroy_process_group()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


if __name__ == "__main__":
    main()
