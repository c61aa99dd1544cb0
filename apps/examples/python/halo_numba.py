"""Each PE has some rows of a plate; a kernel of numba-cuda exchanges those at its edges: `shmemrun -n 2 python3 FILE`.

In each turn every point inside becomes the mean of its four neighbours. Needs GPUs and numba-cuda.
"""

import numpy as np
from numba import cuda

import cushmem.core as nvshmem
import cushmem.numba as shmem

ROWS, COLUMNS, TURNS = 96, 1000, 200
THREADS = 256


@cuda.jit
def relax(new, old, arrived, turn):
    """Compute a row with each block, and send the first and the last row to the PEs above and below.

    Row 0 and the last one of an array are the halos: copies of rows of these PEs. The blocks next to a halo wait until
    it has what was computed in the turn before. Its sender had then read the halo on its own side, so that these blocks
    may overwrite that one with what they compute.
    """
    me, pes = shmem.shmem_my_pe(), shmem.shmem_n_pes()
    rows, columns = new.shape[0] - 2, new.shape[1]
    row = cuda.blockIdx.x + 1
    has_above, has_below = row == 1 and me > 0, row == rows and me < pes - 1
    if has_above:
        shmem.shmemx_signal_wait_until_block(arrived, shmem.CMP_GE, turn)
    if has_below:
        shmem.shmemx_signal_wait_until_block(arrived[1:], shmem.CMP_GE, turn)
    for column in range(cuda.threadIdx.x + 1, columns - 1, cuda.blockDim.x):
        beside = old[row, column - 1] + old[row, column + 1]
        new[row, column] = 0.25 * (old[row - 1, column] + old[row + 1, column] + beside)
    cuda.syncthreads()
    if has_above:
        halo = new[rows + 1]
        shmem.shmemx_putmem_signal_block(halo, new[1], 8 * columns, arrived[1:], turn + 1, shmem.SIGNAL_SET, me - 1)
    if has_below:
        halo = new[0]
        shmem.shmemx_putmem_signal_block(halo, new[rows], 8 * columns, arrived, turn + 1, shmem.SIGNAL_SET, me + 1)


def by_numpy(plate):
    """Return the whole plate after all turns."""
    for _ in range(TURNS):
        beside = plate[1:-1, :-2] + plate[1:-1, 2:]
        plate[1:-1, 1:-1] = 0.25 * (plate[:-2, 1:-1] + plate[2:, 1:-1] + beside)
    return plate


def main():
    """Compute the plate, this PE's rows in kernels and all of them with NumPy, and compare."""
    nvshmem.init()
    me, pes = nvshmem.my_pe(), nvshmem.n_pes()
    cuda.select_device(me % len(cuda.gpus))
    plate = np.random.default_rng(1).random((pes * ROWS + 2, COLUMNS))
    mine = plate[me * ROWS : (me + 1) * ROWS + 2]

    buffers = [nvshmem.buffer(mine.nbytes) for _ in range(2)]
    arrays = [cuda.as_cuda_array(buffer).view("float64").reshape(mine.shape) for buffer in buffers]
    # A word for what comes from above, and one for below.
    signals = nvshmem.buffer(16)
    arrived = cuda.as_cuda_array(signals).view("uint64")
    arrived.copy_to_device(np.zeros(2, "uint64"))
    for array in arrays:
        array.copy_to_device(mine)
    # Nobody may send before this.
    nvshmem.barrier_all()
    for turn in range(TURNS):
        relax[ROWS, THREADS](arrays[(turn + 1) % 2], arrays[turn % 2], arrived, turn)
    nvshmem.barrier_all()
    found, wanted = arrays[TURNS % 2].copy_to_host(), by_numpy(plate)[me * ROWS : (me + 1) * ROWS + 2]
    # The last halos too: they came before the barrier.
    assert np.array_equal(found, wanted), f"{np.count_nonzero(found != wanted)} points differ"
    print(f"PE {me} of {pes}: {TURNS} turns of {ROWS} rows, as with NumPy\n", end="", flush=True)
    for buffer in (signals, *buffers):
        nvshmem.free(buffer)
    nvshmem.finalize()


if __name__ == "__main__":
    main()
