"""
Compiles the kernels of triton_on_gpus.py and of the example matmul_triton.py for GPUs of several kinds, without one and
without a job.

Usage: triton_compiles.py libcushmem_device.ll
"""

import os
import sys
import types
from pathlib import Path

HERE = Path(__file__).parent
LIBRARY = sys.argv[1]

# What the programs need at run time alone.
sys.modules["torch"] = types.ModuleType("torch")
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "apps/examples/python")]
import matmul_triton  # noqa: E402
import triton  # noqa: E402
import triton_on_gpus  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402

import cushmem.triton  # noqa: E402

SIGNATURES = {
    "ring": {"inbox": "*i32", "outbox": "*i32", "arrived": "*i64", "taken": "*i64", "wrong": "*i32", "rounds": "i32"},
    "words": {"floats": "*fp32", "halves": "*fp16", "numbers": "*i32", "sums": "*i64", "seen": "*i32"},
    "copy": {"dest": "*i32", "source": "*i32", "n": "i32", "pe": "i32", "rounds": "i32"},
    "gather_matmul": {"a": "*bf16", "b": "*bf16", "product": "*fp32", "arrived": "*i64"}
    | dict.fromkeys(("turn", "rows", "inner", "columns"), "i32"),
}
CONSTANTS = {"ring": {"n": 1024}, "words": {"n": 1024}, "copy": {}, "gather_matmul": {"tile": 64, "step": 32}}

for name, of_variables in SIGNATURES.items():
    constants = CONSTANTS[name]
    signature = of_variables | dict.fromkeys(constants, "constexpr")
    fn = getattr(matmul_triton if name == "gather_matmul" else triton_on_gpus, name).fn
    source = triton.compiler.ASTSource(fn=fn, signature=signature, constexprs=constants)
    for capability in (80, 90, 100):
        options = {"extern_libs": {"libcushmem_device": LIBRARY}}
        made = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options).asm
        context = [line for line in made["ptx"].splitlines() if "cushmem_context[" in line and ".const" in line]
        assert len(context) == 1 and context[0].startswith(".visible"), f"{name}: {context}"
        assert "%envreg" not in made["ptx"], f"{name}: it reads the context from registers that CUDA does not have"
        assert ".extern .func" not in made["ptx"], f"{name}: a routine is not in the library"
        assert "call.uni shmem" not in made["ptx"].replace("\n", ""), f"{name}: a routine is called"
        assert b"cushmem_context" in made["cubin"], f"{name}: nobody can tell the kernel about the job"
        print(f"Triton {triton.__version__}: {name} for {capability}")


# Routines without a result. Triton has no calls for those, so the wrappers declare a result that nobody uses.
@triton.language.core.extern
def void(_semantic=None):
    symbols = {(): ("shmemx_quiet_block", triton.language.core.void)}
    return triton.language.core.extern_elementwise("", "", [], symbols, is_pure=False, _semantic=_semantic)


@triton.jit
def calls_void(seen):
    void()


@triton.jit
def calls_one(seen, which: triton.language.constexpr):
    if which == "fence":
        triton_on_gpus.shmem.fence()
    elif which == "quiet":
        triton_on_gpus.shmem.quiet()
    elif which == "barrier_all":
        triton_on_gpus.shmem.barrier_all()
    elif which == "sync_all":
        triton_on_gpus.shmem.sync_all()
    elif which == "signal_op":
        triton_on_gpus.shmem.signal_op(seen, 1, triton_on_gpus.shmem.SIGNAL_ADD, 1)
    triton.language.store(seen, 7)


def compiled(fn, constants):
    signature = {"seen": "*u64"} | dict.fromkeys(constants, "constexpr")
    source = triton.compiler.ASTSource(fn=fn, signature=signature, constexprs=constants)
    options = {"extern_libs": {"libcushmem_device": LIBRARY}}
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options).asm["ptx"]


try:
    compiled(calls_void, {})
except Exception as error:
    assert "encountered" in str(error) or "void" in str(error), error
else:
    raise AssertionError("Triton has calls without a result now: _none in cushmem/triton/language.py should use them")
for which, instructions in {
    "": [],
    "fence": ["fence."],
    "quiet": ["fence.sc.sys", "bar.sync"],
    "barrier_all": ["fence.sc.sys", "bar.sync", "ld.acquire.sys"],
    "sync_all": ["bar.sync", "ld.acquire.sys"],
    "signal_op": ["bar.sync", "red."],
}.items():
    ptx = compiled(calls_one, {"which": which})
    # What follows the routine is still there, so LLVM has not taken the call for one that cannot be.
    for instruction in [*instructions, "st.global"]:
        assert instruction in ptx, f"{which}: {instruction} is not in\n{ptx}"
    if which == "":
        assert "fence." not in ptx and "bar.sync" not in ptx, ptx
    print(f"Triton {triton.__version__}: {which or 'nothing'}")
os.environ["DISABLE_LLVM_OPT"] = "1"
try:
    cushmem.triton.kernel(calls_one)
except cushmem.core.NvshmemError as error:
    assert "DISABLE_LLVM_OPT" in str(error)
else:
    raise AssertionError("kernels are linked without optimisation")
