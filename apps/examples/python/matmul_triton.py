"""Each PE has some rows of a matrix; a kernel in Triton gathers all and multiplies: `shmemrun -n 2 python3 FILE`.

Rows travel in tiles, and each is multiplied as soon as it is there. Needs GPUs, torch and Triton.
"""

import torch
import triton
import triton.language as tl

import cushmem.core as nvshmem
import cushmem.triton
import cushmem.triton.language as shmem

ROWS, INNER, COLUMNS, TURNS = 512, 1024, 512, 5
TILE, STEP = 64, 32


@cushmem.triton.kernel
@triton.jit
def gather_matmul(a, b, product, arrived, turn, rows, inner, columns, tile: tl.constexpr, step: tl.constexpr):
    """Put this PE's tiles to all others, and multiply each of all tiles by `b`.

    A program puts before it waits. There must be no more programs than the GPU runs at the same time: then those for
    which others wait have begun.
    """
    me = shmem.my_pe()
    pes = shmem.n_pes()
    tiles = rows // tile
    for task in range(tl.program_id(0), tiles * (pes - 1), tl.num_programs(0)):
        mine = me * tiles + task // (pes - 1)
        peer = (me + 1 + task % (pes - 1)) % pes
        there = a + mine * tile * inner
        shmem.put_signal(there, there, tile * inner, arrived + mine, turn, shmem.SIGNAL_SET, peer)
    across = columns // tile
    i = tl.arange(0, tile)
    k = tl.arange(0, step)
    for task in range(tl.program_id(0), pes * tiles * across, tl.num_programs(0)):
        # The own ones first.
        row = (me * tiles + task // across) % (pes * tiles)
        column = task % across
        if row // tiles != me:
            shmem.signal_wait_until(arrived + row, shmem.CMP_GE, turn)
        of_a = a + (row * tile + i)[:, None] * inner + k[None, :]
        of_b = b + k[:, None] * columns + (column * tile + i)[None, :]
        total = tl.zeros([tile, tile], tl.float32)
        for _ in range(0, inner, step):
            total = tl.dot(tl.load(of_a), tl.load(of_b), total)
            of_a += step
            of_b += step * columns
        tl.store(product + (row * tile + i)[:, None] * columns + (column * tile + i)[None, :], total)


def numbers(seed, *shape):
    """Return small whole numbers, with which no sum is rounded; the same on all PEs."""
    return torch.randint(-4, 5, shape, generator=torch.Generator().manual_seed(seed)).to("cuda", torch.bfloat16)


def main():
    """Multiply several times, and compare with what torch computes of the whole matrix."""
    nvshmem.init()
    me, pes = nvshmem.my_pe(), nvshmem.n_pes()
    torch.cuda.set_device(me % torch.cuda.device_count())
    stream = torch.cuda.current_stream()
    a = nvshmem.tensor((pes * ROWS, INNER), torch.bfloat16)
    # A word for each tile.
    arrived = nvshmem.tensor(pes * ROWS // TILE, torch.int64)
    arrived.zero_()
    b, product = numbers(0, INNER, COLUMNS), torch.empty((pes * ROWS, COLUMNS), device="cuda")
    programs = torch.cuda.get_device_properties(a.device).multi_processor_count
    for turn in range(1, TURNS + 1):
        whole = numbers(turn, pes * ROWS, INNER)
        mine = slice(me * ROWS, (me + 1) * ROWS)
        a[mine] = whole[mine]
        # The others have multiplied what was here, so theirs may be overwritten.
        nvshmem.barrier_all(stream)
        gather_matmul[(programs,)](a, b, product, arrived, turn, ROWS, INNER, COLUMNS, TILE, STEP)
        assert torch.equal(product, whole.float() @ b.float()), f"turn {turn}: another product"
    print(f"PE {me} of {pes}: {TURNS} products, as with torch\n", end="", flush=True)
    nvshmem.barrier_all(stream)
    for tensor in (arrived, a):
        nvshmem.free_tensor(tensor)
    nvshmem.finalize()


if __name__ == "__main__":
    main()
