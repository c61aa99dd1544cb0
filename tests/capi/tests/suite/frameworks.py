"""Memory of the allocators of a framework, torch or cupy, as symmetric memory.

    python3 frameworks.py FRAMEWORK SHMEMRUN LIBRARY

runs a job for each allocator: each PE registers an array of its own, puts into that of the next PE, gets it back, and adds to a word of all. It ends with 3 if
the framework is not installed, or finds no GPU: then nothing was run.
"""

import ctypes
import importlib.util
import os
import subprocess
import sys

N = 300_000
OFFSET = 7
ALLOCATORS = {
    "torch": {},
    # Memory of cuMemCreate, and of a pool, which other processes may not be able to map.
    "torch-expandable": {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"},
    "torch-async": {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"},
    "torch-host": {},
    "cupy": {},
    "cupy-async": {},
}
PES = "2"
LIMIT_S = 60


def make(kind, pe, value):
    """Numbers of this PE; how to read them, and to wait for the GPU."""
    if kind.startswith("torch"):
        import torch

        if kind == "torch-host":
            array = torch.full((N,), value, dtype=torch.int64)
            return array, array.data_ptr(), array.tolist
        device = torch.device("cuda", pe % torch.cuda.device_count())
        torch.cuda.set_device(device)
        # So that it does not begin where the allocation begins.
        beside = torch.zeros(1000, dtype=torch.int64, device=device)
        array = torch.full((N,), value, dtype=torch.int64, device=device)
        torch.cuda.synchronize()
        return (array, beside), array.data_ptr(), lambda: array.cpu().tolist()
    import cupy

    cupy.cuda.Device(pe % cupy.cuda.runtime.getDeviceCount()).use()
    if kind == "cupy-async":
        cupy.cuda.set_allocator(cupy.cuda.MemoryAsyncPool().malloc)
    array = cupy.full((N,), value, dtype=cupy.int64)
    cupy.cuda.runtime.deviceSynchronize()
    return array, array.data.ptr, lambda: cupy.asnumpy(array).tolist()


def be_a_pe(kind, path):
    lib = ctypes.CDLL(path)
    lib.shmemx_buffer_register_symmetric.restype = ctypes.c_void_p
    lib.shmemx_buffer_register_symmetric.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    lib.shmemx_buffer_unregister_symmetric.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    for name in ["shmem_putmem", "shmem_getmem"]:
        getattr(lib, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    lib.shmem_uint64_atomic_fetch_add.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int]
    lib.shmem_uint64_atomic_fetch_add.restype = ctypes.c_uint64
    lib.shmem_init()
    me, n = lib.shmem_my_pe(), lib.shmem_n_pes()
    following, before = (me + 1) % n, (me - 1) % n
    kept, start, read = make(kind, me, 1000 + me)
    assert lib.shmemx_buffer_register_symmetric(start, 8 * N, 0) == start, f"PE {me}: {kind} is refused"
    assert read() == [1000 + me] * N, "to register changes nothing"
    lib.shmem_barrier_all()
    mine = (ctypes.c_int64 * N)(*range(5 * me, 5 * me + N))
    count = N - 2 * OFFSET
    lib.shmem_putmem(start + 8 * OFFSET, ctypes.addressof(mine), 8 * count, following)
    lib.shmem_quiet()
    back = (ctypes.c_int64 * count)()
    lib.shmem_getmem(ctypes.addressof(back), start + 8 * OFFSET, 8 * count, following)
    assert list(back) == list(mine)[:count], f"PE {me}: what was put comes back from PE {following}"
    # On the first word, which the puts leave alone.
    if kind != "torch-host":
        for _ in range(10):
            lib.shmem_uint64_atomic_fetch_add(start, 3, 0)
    lib.shmem_barrier_all()
    found = read()
    first = 1000 + me + (30 * n if me == 0 and kind != "torch-host" else 0)
    expected = [first] + [1000 + me] * (OFFSET - 1) + list(range(5 * before, 5 * before + count)) + [1000 + me] * OFFSET
    wrong = [at for at in range(N) if found[at] != expected[at]]
    assert not wrong, f"PE {me}: number {wrong[0]} is {found[wrong[0]]} and not {expected[wrong[0]]}; {len(wrong)} are wrong"
    lib.shmem_barrier_all()
    assert lib.shmemx_buffer_unregister_symmetric(start, 8 * N) == 0
    del kept
    lib.shmem_finalize()


def why_not(framework):
    """Why a framework cannot be used here; None if it can. One that is there and cannot be imported is an error."""
    if importlib.util.find_spec(framework) is None:
        return "is not installed"
    ask = {
        "torch": "import torch; raise SystemExit(0 if torch.cuda.is_available() else 3)",
        # Without a GPU, asking how many there are is an error.
        "cupy": "import cupy; raise SystemExit(0 if cupy.is_available() else 3)",
    }[framework]
    asked = subprocess.run([sys.executable, "-c", ask], capture_output=True, timeout=LIMIT_S)
    if asked.returncode not in (0, 3):
        raise SystemExit(f"import {framework}: {asked.stderr.decode(errors='replace')}")
    return "finds no GPU" if asked.returncode == 3 else None


def main(framework, launcher, library):
    why = why_not(framework)
    if why is not None:
        print(f"not run: {framework} {why}")
        return 3
    failed = 0
    for kind, environment in ALLOCATORS.items():
        if kind.split("-")[0] != framework:
            continue
        job = [launcher, "-n", PES, "--timeout", str(LIMIT_S), sys.executable, __file__, "--pe", kind, library]
        done = subprocess.run(job, env={**os.environ, **environment}, capture_output=True, text=True, timeout=2 * LIMIT_S)
        print(f"{kind}: {'passed' if done.returncode == 0 else 'FAILED'}")
        if done.returncode != 0:
            failed = 1
            print(done.stdout + done.stderr)
    return failed


if __name__ == "__main__":
    if sys.argv[1] == "--pe":
        be_a_pe(sys.argv[2], sys.argv[3])
    else:
        sys.exit(main(*sys.argv[1:4]))
