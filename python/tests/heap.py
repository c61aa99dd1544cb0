"""Memory of the host: buffers, arrays, views of peers and of other libraries, teams, collectives, errors."""

import pickle
import warnings
from pathlib import Path

import numpy as np

import cushmem.core as nvshmem
from cushmem.core import ComparisonType, SignalOp, Teams


def fails(kind, text, call, *arguments, **named):
    """Check that a call raises one line that contains `text`."""
    try:
        call(*arguments, **named)
    except kind as error:
        assert text in str(error) and "\n" not in str(error), f"{text!r} is not in {error!r}"
        return
    raise AssertionError(f"{call.__name__} raises nothing that contains {text!r}")


def views():
    of = nvshmem.buffer(24, host=True)
    plain, by_dlpack = np.asarray(of), np.from_dlpack(of)
    for view in (plain, by_dlpack):
        assert view.ctypes.data == of.handle and view.shape == (24,) and view.flags.writeable
    by_dlpack[3] = 7
    assert plain[3] == 7
    matrix = nvshmem.array((2, 3, 4), "complex64", host=True)
    assert matrix.shape == (2, 3, 4) and matrix.dtype == np.complex64 and matrix.flags.c_contiguous
    nothing = nvshmem.buffer(0, host=True)
    assert len(np.from_dlpack(nothing)) == 0
    fails(BufferError, "not copied", of.__dlpack__, copy=True)
    fails(BufferError, "device (1, 0)", of.__dlpack__, dl_device=(2, 0))
    # Types of Python are those that NumPy takes them for.
    for of_python in (int, float, complex, bool):
        ours = nvshmem.array(2, of_python, host=True)
        assert ours.dtype == np.dtype(of_python), ours.dtype
        nvshmem.free_array(ours)
    # What C would take for 8 bytes.
    for call, much in ((nvshmem.buffer, (1 << 64) + 8), (nvshmem.array, (1 << 33, 1 << 31, 2))):
        fails(nvshmem.NvshmemInvalid, f"; the valid range is 0 to {(1 << 63) - 1}", call, much, host=True)
    fails(nvshmem.NvshmemError, "SHMEM_SYMMETRIC_SIZE limits the heap", nvshmem.buffer, 1 << 60, host=True)
    nvshmem.free(nothing)
    nvshmem.free(of)
    nvshmem.free_array(matrix)


def exchange(me, n):
    following, before = (me + 1) % n, (me - 1) % n
    numbers = nvshmem.array((5, 7), "int64", host=True)
    signal = nvshmem.array(1, "uint64", host=True)
    numbers[:], signal[:] = me, 0
    nvshmem.barrier_all()
    nvshmem.put_signal(numbers, np.full((5, 7), 100 + me), signal, 3, SignalOp.SIGNAL_ADD, following)
    nvshmem.signal_wait(signal, 3, ComparisonType.CMP_EQ)
    assert nvshmem.signal_fetch(signal) == 3 and (numbers == 100 + before).all()
    peer = nvshmem.get_peer_array(numbers, following)
    assert (peer == 100 + me).all() and peer.shape == (5, 7)
    nvshmem.barrier_all()
    peer[0, 1] = 5
    source = np.arange(7)
    nvshmem.put_nbi(numbers[1:2], source, following)
    nvshmem.signal_op(signal, 9, SignalOp.SIGNAL_SET, following)
    nvshmem.quiet()
    nvshmem.barrier(Teams.TEAM_WORLD)
    assert numbers[0, 1] == 5 and (numbers[1] == range(7)).all() and signal[0] == 9
    back = np.zeros(7, "int64")
    nvshmem.get(back, numbers[1:2], following)
    assert (back == range(7)).all()
    fails(
        nvshmem.NvshmemInvalid, f"put: remote_pe is {n}; the valid range is 0 to {n - 1}", nvshmem.put, numbers, back, n
    )
    fails(nvshmem.NvshmemInvalid, "put: remote_pe is -1", nvshmem.put, numbers, back)
    fails(nvshmem.NvshmemInvalid, "put: src is not contiguous", nvshmem.put, numbers, numbers.T, 0)
    fails(nvshmem.NvshmemInvalid, "put: src is not contiguous", nvshmem.put, numbers, numbers[:, 1:2], 0)
    # An object that has nothing but the protocol, and elements without a name in C.
    elements = np.arange(3.0)
    plain = type("Plain", (), {"__array_interface__": elements.__array_interface__})
    nvshmem.put(numbers, plain, me)
    assert (numbers[0, :3].view("float64") == range(3)).all()
    nvshmem.put(numbers, np.array(["1970-01-01"], "M8[s]"), me)
    assert numbers[0, 0] == 0
    nvshmem.put(numbers, np.array(["abc"]), me)
    assert numbers.view("uint32")[0, :3].tolist() == [ord(letter) for letter in "abc"]
    bits = type("Bits", (), {"__array_interface__": {**elements.__array_interface__, "typestr": "|t1"}})
    for other in (np.array([None]), np.zeros(1, [("number", "int64"), ("object", "O")]), bits):
        fails(TypeError, "get: dst has elements of type ", nvshmem.get, other, numbers, me)
    fails(TypeError, "put: src is a list", nvshmem.put, numbers, [1], 0)
    fails(nvshmem.NvshmemInvalid, "an aligned word", nvshmem.signal_op, numbers.view("uint8")[0, 1:3], 1, 9, 0)
    fails(nvshmem.NvshmemInvalid, "signal_op is 3", nvshmem.signal_op, signal, 1, 3, 0)
    fails(nvshmem.NvshmemInvalid, "signal_val is -1; the valid range is 0", nvshmem.signal_op, signal, -1, 9, 0)
    fails(nvshmem.NvshmemInvalid, "not symmetric", nvshmem.get_peer_array, back, 0)
    nvshmem.barrier_all()
    nvshmem.free_array(signal)
    nvshmem.free_array(numbers)
    fails(nvshmem.NvshmemInvalid, "freed already", nvshmem.free_array, numbers)
    # What is allocated at the same address later is not what was freed.
    old = nvshmem.buffer(48, host=True)
    nvshmem.free(old)
    new = nvshmem.buffer(48, host=True)
    assert new.handle == old.handle
    fails(nvshmem.NvshmemInvalid, "freed already", nvshmem.free, old)
    fails(nvshmem.NvshmemInvalid, "freed already", nvshmem.get_peer_buffer, old, 0)
    there = nvshmem.get_peer_buffer(new, following)
    fails(nvshmem.NvshmemInvalid, "is another PE's", nvshmem.get_peer_buffer, there, me)
    nvshmem.free(new)
    assert not hasattr(nvshmem, "amo")


def collectives(me, n):
    world = Teams.TEAM_WORLD
    one, all_of = (nvshmem.array(size, "float64", host=True) for size in (n, n * n))
    one[:] = np.arange(n) + 10 * me
    nvshmem.fcollect(world, all_of, one)
    assert (all_of.reshape(n, n) == np.arange(n) + 10 * np.arange(n)[:, None]).all()
    to = nvshmem.array(n, "float64", host=True)
    nvshmem.alltoall(world, to, one)
    assert (to == me + 10 * np.arange(n)).all()
    # The next one writes it, on all PEs.
    nvshmem.barrier_all()
    nvshmem.broadcast(world, to, one, root=n - 1)
    assert (to == np.arange(n) + 10 * (n - 1)).all()
    nvshmem.barrier_all()
    for op, expected in (("sum", n * (n - 1) * 5), ("max", 10 * (n - 1)), ("min", 0)):
        nvshmem.reduce(world, to, one, op)
        assert (to == expected + np.arange(n) * (n if op == "sum" else 1)).all(), op
        nvshmem.barrier_all()
    nvshmem.collective_on_buffer("reduce", world, *map(whole, (to, one)), dtype="double", op="sum")
    assert to[0] == n * (n - 1) * 5
    fails(nvshmem.NvshmemInvalid, "op is 'xor'; valid for float64", nvshmem.reduce, world, to, one, "xor")
    fails(nvshmem.NvshmemInvalid, "do not fit", nvshmem.fcollect, world, one, all_of)
    fails(nvshmem.NvshmemInvalid, "root is 99", nvshmem.broadcast, world, to, one, 99)
    fails(NotImplementedError, "pass a stream", nvshmem.reducescatter, world, to, all_of, "sum")
    nvshmem.barrier_all()
    for array in (to, all_of, one):
        nvshmem.free_array(array)


def whole(array):
    """Return an array's symmetric memory."""
    return nvshmem.array_get_buffer(array)[0]


def teams(me, n):
    even = nvshmem.team_split_strided(Teams.TEAM_WORLD, 0, 2, (n + 1) // 2, None, 0, "EVEN")
    assert nvshmem.team_my_pe(even) == (me // 2 if me % 2 == 0 else -1)
    if me % 2 == 0:
        assert even == Teams.EVEN and nvshmem.team_n_pes("EVEN") == (n + 1) // 2
        assert nvshmem.team_translate_pe(even, nvshmem.team_my_pe(even), Teams.TEAM_WORLD) == me
        nvshmem.sync(even)
        nvshmem.team_destroy(even)
        assert "EVEN" not in Teams
    row, column = nvshmem.team_split_2d(Teams.TEAM_WORLD, 2)
    assert (nvshmem.team_my_pe(row), nvshmem.team_my_pe(column)) == (me % 2, me // 2)
    nvshmem.team_destroy(column)
    nvshmem.team_destroy(row)
    fails(nvshmem.NvshmemInvalid, "no team is called 'ODD'", nvshmem.team_my_pe, "ODD")
    fails(nvshmem.NvshmemInvalid, "team is TEAM_INVALID", nvshmem.barrier, Teams.TEAM_INVALID)
    fails(nvshmem.NvshmemInvalid, "cannot be destroyed", nvshmem.team_destroy, Teams.TEAM_NODE)
    fails(NotImplementedError, "team_split_strided", getattr, Teams, "TEAM_SAME_MYPE_NODE")


def not_offered():
    fails(NotImplementedError, "cushmem.device_library", getattr, nvshmem, "find_device_bitcode_library")
    fails(NotImplementedError, "use quiet", nvshmem.flush)
    fails(NotImplementedError, "broadcast", nvshmem.get_multicast_tensor, 1, None)
    fails(AttributeError, "has no nonsense", getattr, nvshmem, "nonsense")


def leaks():
    """One that is dropped and one that is kept: each warns once, and both are listed at the end."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept = nvshmem.buffer(16, host=True)
        # By a file beside the package whose name begins like its own.
        beside = f"{Path(nvshmem.__file__).parents[1]}-programs/heap.py"
        exec(compile('nvshmem.array(4, "int32", host=True)', beside, "exec"))
        dropped = str(caught[-1].message)
        # A warning that is an exception must not keep this PE from the end of the job, for which the others wait.
        warnings.simplefilter("error")
        try:
            nvshmem.finalize()
        except nvshmem.NvshmemWarning as warning:
            left = str(warning)
    assert len(caught) == 1 and dropped.startswith("dropped without free(): 16 bytes of host memory, allocated at "), (
        dropped
    )
    assert left.count("16 bytes of host memory") == 2 and left.count("heap.py:") == 2 and beside in left, left
    assert all(warning.category is nvshmem.NvshmemWarning for warning in caught)
    fails(nvshmem.NvshmemError, "free: called after finalize()", nvshmem.free, kept)


def main():
    fails(nvshmem.NvshmemError, "my_pe: called before init()", nvshmem.my_pe)
    assert nvshmem.init_status() == nvshmem.InitStatus.STATUS_NOT_INITIALIZED
    fails(nvshmem.NvshmemInvalid, "uid is missing", nvshmem.init, rank=0, nranks=1)
    fails(nvshmem.NvshmemInvalid, "uid is empty", nvshmem.init, uid=nvshmem.get_unique_id(empty=True), rank=0, nranks=1)
    fails(NotImplementedError, "mpirun", nvshmem.init, initializer_method="mpi")
    uid = nvshmem.UniqueID(bytes(range(128)))
    assert pickle.loads(pickle.dumps(uid)) == uid and (uid._data == range(128)).all() and "7" not in repr(uid)
    nvshmem.init()
    fails(nvshmem.NvshmemError, "a PE already", nvshmem.init)
    assert nvshmem.get_version().openshmem_spec_version == "1.6"
    me, n = nvshmem.my_pe(), nvshmem.n_pes()
    views()
    exchange(me, n)
    collectives(me, n)
    teams(me, n)
    not_offered()
    fails(nvshmem.NvshmemError, "no GPU", nvshmem.buffer, 8)
    leaks()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


if __name__ == "__main__":
    main()
