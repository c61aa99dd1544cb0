"""
Compiles the kernels of triton_on_gpus.py for GPUs of several kinds, without one and without a job.

Usage: triton_compiles.py libcushmem_device.ll
"""

import sys
import types
from pathlib import Path

HERE = Path(__file__).parent
LIBRARY = sys.argv[1]

# What cushmem.triton needs at run time alone.
NAMES = ("cushmem", "cushmem.core", "cushmem.core._checks", "torch")
package, core, checks, torch = (types.ModuleType(name) for name in NAMES)
package.__path__ = [str(HERE.parent / "cushmem")]
package.core = core
checks.STATE = None
package.device_library = lambda _: LIBRARY
sys.modules.update(zip(NAMES, (package, core, checks, torch)))

import triton  # noqa: E402
import triton_on_gpus  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402

SIGNATURES = {
    "ring": {"inbox": "*i32", "outbox": "*i32", "arrived": "*i64", "taken": "*i64", "wrong": "*i32", "rounds": "i32"},
    "words": {"floats": "*fp32", "halves": "*fp16", "numbers": "*i32", "sums": "*i64", "seen": "*i32"},
    "copy": {"dest": "*i32", "source": "*i32", "n": "i32", "pe": "i32", "rounds": "i32"},
}

for name, of_variables in SIGNATURES.items():
    constants = {} if "n" in of_variables else {"n": 1024}
    signature = of_variables | dict.fromkeys(constants, "constexpr")
    fn = getattr(triton_on_gpus, name).fn
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
