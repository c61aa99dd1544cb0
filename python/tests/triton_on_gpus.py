"""Triton kernels on GPUs: every word of a ring, and the bandwidth of one block. Prints JSON lines."""

import json
import sys

import torch
import triton
import triton.language as tl

import cushmem.core as core
import cushmem.triton
import cushmem.triton.language as shmem


@cushmem.triton.kernel
@triton.jit
def ring(inbox, outbox, arrived, taken, wrong, rounds, n: tl.constexpr):
    """Each PE sends n words to the next one, round after round, and checks what it gets. An inbox has two halves."""
    me = shmem.my_pe()
    pes = shmem.n_pes()
    following = (me + 1) % pes
    previous = (me + pes - 1) % pes
    words = tl.arange(0, n)
    bad = tl.zeros([n], tl.int32)
    for r in range(1, rounds + 1):
        half = inbox + (r % 2) * n
        tl.store(outbox + words, me * 1000003 + r * 17 + words)
        if r > 2:
            shmem.signal_wait_until(taken, shmem.CMP_GE, r - 2)
        shmem.put_signal(half, outbox, n, arrived, r, shmem.SIGNAL_SET, following)
        shmem.signal_wait_until(arrived, shmem.CMP_GE, r)
        bad += (tl.load(half + words, volatile=True) != previous * 1000003 + r * 17 + words).to(tl.int32)
        shmem.signal_op(taken, r, shmem.SIGNAL_SET, previous)
    shmem.quiet()
    tl.store(wrong + words, bad)


@cushmem.triton.kernel
@triton.jit
def words(floats, halves, numbers, sums, seen, n: tl.constexpr):
    """All routines that the ring has no use for, each checked by the host."""
    me = shmem.my_pe()
    following = (me + 1) % shmem.n_pes()
    shmem.p(floats, me + 0.5, following)
    shmem.p(halves, me + 1.5, following)
    shmem.p(numbers, me + 7, following)
    shmem.atomic_add(sums, me + 1, 0)
    shmem.atomic_set(sums + 1, me + 9, following)
    shmem.put(floats + 16, floats + 16 + n, n, following)
    shmem.put_nbi(halves + 16, halves + 16 + n, n, following)
    shmem.barrier_all()
    shmem.wait_until(numbers, shmem.CMP_NE, 0)
    shmem.get(floats + 16 + 2 * n, floats + 16 + n, n, following)
    shmem.get_nbi(halves + 16 + 2 * n, halves + 16 + n, n, following)
    shmem.quiet()
    tl.store(seen, shmem.g(numbers, following))
    direct = shmem.ptr(numbers, following)
    tl.store(seen + 1, tl.load(direct))
    shmem.fence()
    shmem.sync_all()


@cushmem.triton.kernel
@triton.jit
def copy(dest, source, n, pe, rounds):
    """Puts n words several times."""
    for _ in range(rounds):
        shmem.put_nbi(dest, source, n, pe)
    shmem.quiet()


def check_words(me: int, pes: int) -> int:
    n = 1000
    floats = core.tensor((16 + 3 * n,), torch.float32)
    halves = core.tensor((16 + 3 * n,), torch.float16)
    numbers = core.tensor((4,), torch.int32)
    sums = core.tensor((4,), torch.int64)
    seen = torch.zeros(2, dtype=torch.int32, device="cuda")
    for one in (floats, halves, numbers, sums):
        one.zero_()
    own = torch.arange(n, device="cuda") % 500 + me
    floats[16 + n : 16 + 2 * n] = own
    halves[16 + n : 16 + 2 * n] = own
    torch.cuda.synchronize()
    core.barrier_all(torch.cuda.current_stream())
    torch.cuda.synchronize()
    words[(1,)](floats, halves, numbers, sums, seen, n)
    torch.cuda.synchronize()
    previous, following = (me - 1) % pes, (me + 1) % pes
    from_previous = torch.arange(n, device="cuda") % 500 + previous
    from_following = torch.arange(n, device="cuda") % 500 + following
    expected = [
        (floats[0], previous + 0.5),
        (halves[0], previous + 1.5),
        (numbers[0], previous + 7),
        (sums[0], sum(range(1, pes + 1)) if me == 0 else 0),
        (sums[1], previous + 9),
        (floats[16 : 16 + n], from_previous),
        (halves[16 : 16 + n], from_previous),
        (floats[16 + 2 * n :], from_following),
        (halves[16 + 2 * n :], from_following),
        (seen, me + 7),
    ]
    bad = [index for index, (got, wanted) in enumerate(expected) if not bool((got == wanted).all())]
    if bad:
        print(f"PE {me}: wrong: {bad}", file=sys.stderr)
    for one in (floats, halves, numbers, sums):
        core.free_tensor(one)
    return len(bad)


def check_ring(rounds: int) -> int:
    n = 1024
    inbox, outbox = core.tensor((2 * n,), torch.int32), core.tensor((n,), torch.int32)
    signals = core.tensor((32,), torch.int64)
    signals.zero_()
    wrong = torch.full((n,), -1, dtype=torch.int32, device="cuda")
    torch.cuda.synchronize()
    core.barrier_all(torch.cuda.current_stream())
    ring[(1,)](inbox, outbox, signals[:1], signals[16:], wrong, rounds, n)
    torch.cuda.synchronize()
    for one in (inbox, outbox, signals):
        core.free_tensor(one)
    return int(wrong.abs().sum())


def bandwidth(me: int, pes: int) -> None:
    most = 64 << 20
    dest, source = core.tensor((most,), torch.uint8), core.tensor((most,), torch.uint8)
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for shift in range(10, 27, 4):
        nbytes = 1 << shift
        rounds = max(4, min(1000, (64 << 20) // nbytes))
        core.barrier_all(torch.cuda.current_stream())
        if me == 0:
            samples = []
            for _ in range(6):
                start.record()
                copy[(1,)](dest.view(torch.int32), source.view(torch.int32), nbytes // 4, pes - 1, rounds, num_warps=16)
                end.record()
                torch.cuda.synchronize()
                samples.append(nbytes * rounds / start.elapsed_time(end) / 1e6)
            gb = round(sorted(samples[1:])[2], 2)
            print(json.dumps({"row": "triton_put_block", "bytes": nbytes, "threads": 512, "gb_per_s": gb}))
        core.barrier_all(torch.cuda.current_stream())
        torch.cuda.synchronize()
    core.free_tensor(dest)
    core.free_tensor(source)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    core.init()
    me, pes = core.my_pe(), core.n_pes()
    bad = check_words(me, pes)
    wrong = check_ring(rounds)
    print(json.dumps({"pe": me, "triton": triton.__version__, "rounds": rounds, "wrong_words": wrong, "wrong": bad}))
    bandwidth(me, pes)
    core.finalize()
    return int(bool(bad or wrong))


if __name__ == "__main__":
    sys.exit(main())
