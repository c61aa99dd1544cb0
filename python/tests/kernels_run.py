"""Runs the cubins of `kernels_of_compilers.py` on GPUs: `kernels_run.py OUT ROUNDS`, with shmemrun. Needs torch."""

import ctypes
import itertools
import sys
from pathlib import Path

import torch

import cushmem.core as core

OUT, ROUNDS, WORDS = Path(sys.argv[1]), int(sys.argv[2]), 1024
cuda = ctypes.CDLL("libcuda.so.1")


def check(code, what):
    assert code == 0, f"the driver fails in {what}: {code}"


def array(tensor):
    """Return what Numba passes for an array of one dimension."""
    size = tensor.element_size()
    return [0, 0, tensor.numel(), size, tensor.data_ptr(), tensor.numel(), size]


def launch(path, threads, tensors, *numbers):
    """Launch the only kernel of a cubin that the compiler of its name has made."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuModuleLoadData(ctypes.byref(module), path.read_bytes()), "cuModuleLoadData")
    check(cuda.cuModuleEnumerateFunctions(ctypes.byref(function), 1, module), "cuModuleEnumerateFunctions")
    core.module_init(module.value)
    if path.name.startswith("numba"):
        words = list(itertools.chain(*map(array, tensors)))
    else:
        words = [tensor.data_ptr() for tensor in tensors]
    values = [*map(ctypes.c_uint64, words), *map(ctypes.c_int32, numbers)]
    pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    core.barrier_all(torch.cuda.current_stream())
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    check(cuda.cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, pointers, None), "cuLaunchKernel")
    torch.cuda.synchronize()
    core.module_finalize(module.value)
    check(cuda.cuModuleUnload(module), "cuModuleUnload")


core.init()
me, pes = core.my_pe(), core.n_pes()
paths = sorted(path for kernel in ("ring", "words") for path in OUT.glob(f"*.{kernel}.cubin"))
assert paths, "there are none"
for path in paths:
    kernel = path.name.split(".")[1]
    if kernel == "ring":
        tensors = [core.tensor((WORDS,), torch.int32) for _ in range(2)] + [
            core.tensor((4,), torch.int64) for _ in range(2)
        ]
        wrong = torch.zeros(WORDS, dtype=torch.int32, device="cuda")
        for tensor in tensors:
            tensor.zero_()
        torch.cuda.synchronize()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        launch(path, WORDS, [*tensors, wrong], ROUNDS)
        end.record()
        end.synchronize()
        bad = int(wrong.sum())
        # The last round is there, so the kernel has run.
        last = torch.arange(WORDS, device="cuda") + (me - 1) % pes * 1000003 + ROUNDS * 17
        assert torch.equal(tensors[0], last.to(torch.int32)), f"{path.name}: another round"
        text = f"{ROUNDS} rounds, {bad} wrong words, {start.elapsed_time(end) * 1000 / ROUNDS:.1f} us each"
    else:
        tensors = [core.tensor((8,), torch.float32), core.tensor((2,), torch.int64)]
        seen = torch.zeros(2, dtype=torch.float64, device="cuda")
        for tensor in tensors:
            tensor.zero_()
        torch.cuda.synchronize()
        launch(path, 1, [*tensors, seen])
        want = [me + 0.5, float(-sum(range(1, pes + 1)))]
        bad = int(seen.tolist() != want) + int(tensors[0][3].item() != (me - 1) % pes + 0.5)
        text = f"{seen.tolist()}, {bad} wrong"
    print(f"PE {me}: {path.name}: {text}", flush=True)
    assert bad == 0, path.name
    for tensor in tensors:
        core.free_tensor(tensor)
core.finalize()
print(f"PE {me} of {pes}: ok", flush=True)
