"""Memory of the GPU, real or emulated, and operations on a stream."""

import ctypes

import numpy as np

import cushmem.core as nvshmem
from cushmem import c
from cushmem.core import ComparisonType, SignalOp, Teams

N = 1000


class Stream:
    """A stream of the library, in the form that cuda.core gives its own."""

    def __init__(self):
        new = ctypes.c_void_p()
        assert c.shmemx_stream_create(ctypes.byref(new)) == 0
        self.handle = new.value

    def __cuda_stream__(self):
        return 0, self.handle

    def wait(self):
        c.shmemx_stream_synchronize(self.handle)


def filled(values):
    """Return new GPU memory with these bytes."""
    values = np.ascontiguousarray(values)
    new = nvshmem.buffer(values.nbytes)
    nvshmem.put(new, values, nvshmem.my_pe())
    return new


def read(of, dtype):
    """Return the values in a buffer of this PE."""
    values = np.zeros(of.size // np.dtype(dtype).itemsize, dtype)
    nvshmem.get(values, of, nvshmem.my_pe())
    return values


def main():
    nvshmem.init()
    me, n = nvshmem.my_pe(), nvshmem.n_pes()
    following, before = (me + 1) % n, (me - 1) % n
    stream = Stream()
    source = filled(np.arange(N, dtype="float32") + me)
    there, signal = filled(np.zeros(N, "float32")), filled(np.zeros(1, "uint64"))
    if there.device_id < 0:
        for use in (there.__dlpack_device__, there.__dlpack__):
            try:
                use()
            except BufferError as error:
                assert "emulated GPU" in str(error)
            else:
                raise AssertionError("memory of the emulated GPU is given away")
    assert not hasattr(there, "__array_interface__")
    nvshmem.barrier_all()

    nvshmem.put_signal(there, source, signal, 1, SignalOp.SIGNAL_SET, following, stream)
    nvshmem.signal_wait(signal, 1, ComparisonType.CMP_GE, stream)
    stream.wait()
    assert (read(there, "float32") == np.arange(N) + before).all()
    nvshmem.barrier_all(stream)
    nvshmem.put(there, source, before, stream.handle)
    nvshmem.signal_op(signal, 5, SignalOp.SIGNAL_ADD, before, stream)
    nvshmem.signal_wait(signal, 6, ComparisonType.CMP_EQ, stream)
    nvshmem.quiet(stream)
    nvshmem.barrier(Teams.TEAM_WORLD, stream)
    stream.wait()
    assert (read(there, "float32") == np.arange(N) + following).all()
    nvshmem.get(there, source, following, stream)
    nvshmem.sync(Teams.TEAM_WORLD, stream)
    nvshmem.sync_all(stream)
    stream.wait()
    assert (read(there, "float32") == np.arange(N) + following).all()

    on = {"stream": stream}
    typed = {"dtype": "float", **on}
    world = Teams.TEAM_WORLD
    nvshmem.collective_on_buffer("reduce", world, there, source, op="sum", **typed)
    stream.wait()
    assert (read(there, "float32") == n * np.arange(N) + n * (n - 1) / 2).all()
    each = nvshmem.buffer(4 * N * n)
    nvshmem.collective_on_buffer("fcollect", world, each, source, **typed)
    nvshmem.collective_on_buffer("reducescatter", world, there, each, op="max", **typed)
    stream.wait()
    assert (read(there, "float32") == np.arange(N) + me).all()
    swapped = nvshmem.buffer(4 * N * n)
    nvshmem.collective_on_buffer("alltoall", world, swapped, each, **typed)
    stream.wait()
    assert (read(swapped, "float32").reshape(n, N) == np.arange(N) + me).all()
    nvshmem.collective_on_buffer("broadcast", world, there, source, root=n - 1, **typed)
    stream.wait()
    assert (read(there, "float32") == np.arange(N) + n - 1).all()
    # Without a stream, the CPU waits.
    nvshmem.collective_on_buffer("reduce", world, there, source, dtype="float", op="max")
    assert (read(there, "float32") == np.arange(N) + n - 1).all()

    for of in (swapped, each, signal, there, source):
        nvshmem.free(of)
    c.shmemx_stream_destroy(stream.handle)
    nvshmem.finalize()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


if __name__ == "__main__":
    main()
