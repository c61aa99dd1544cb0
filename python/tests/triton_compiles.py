"""
Compiles the kernels of triton_on_gpus.py and of the example matmul_triton.py for GPUs of several kinds, without one and
without a job.

Usage: triton_compiles.py libcushmem_device.ll [REGISTERS [--write]]. The registers of the kernels are compared with the
file REGISTERS if it was written with this version of Triton, or written there.
"""

import os
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path

HERE = Path(__file__).parent
LIBRARY = sys.argv[1]
HEAD = """\
# Registers of kernels in Triton that are linked with libcushmem_device. The tests compare this file with what this
# version of Triton needs; `python3 python/tests/triton_compiles.py libcushmem_device.ll device/triton-registers.toml
# --write` writes it. The stack is for what waits long or ends a kernel, which is called, and for spilled registers.
"""

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


def registers_in(cubin):
    """Return how many registers the kernel has, and how many bytes of stack."""
    (program,) = Path(triton.__file__).parent.glob("backends/nvidia/bin/cuobjdump")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run([program, "--dump-resource-usage", file.name], capture_output=True, check=True)
    (found,) = re.findall(r" REG:(\d+) STACK:(\d+) ", done.stdout.decode())
    return tuple(map(int, found))


REGISTERS = {}
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
        REGISTERS[f"sm_{capability}", name] = registers_in(made["cubin"])
        print(f"Triton {triton.__version__}: {name} for {capability}")


def compare_registers(path, write):
    text = HEAD + f'triton = "{triton.__version__}"\n'
    for build in sorted({build for build, _ in REGISTERS}):
        kernels = sorted((name, *found) for (of, name), found in REGISTERS.items() if of == build)
        lines = (f"{name} = {{ registers = {count}, stack = {stack} }}\n" for name, count, stack in kernels)
        text += f"\n[{build}]\n" + "".join(lines)
    if write:
        path.write_text(text)
        return
    old = path.read_text()
    if f'triton = "{triton.__version__}"\n' in old:
        assert old == text, f"{path} differs from what the kernels need:\n{text}"
        print(f"{path.name}: up to date")


if len(sys.argv) > 2:
    compare_registers(Path(sys.argv[2]), sys.argv[3:] == ["--write"])


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
