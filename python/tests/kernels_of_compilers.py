"""
Compiles a ring and a kernel of single words for GPUs of sm_90, without a GPU and without a job; numba-cuda also that of
the example halo_numba.py.

Usage: kernels_of_compilers.py numba|cute OUT LIB [PACKAGES]. LIB is the folder of libcushmem_device, and PACKAGES one
where pip has installed the compilers; the cubins in the folder OUT are for kernels_run.py and halo_from_cubin.py.
"""

import os
import re
import site
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
for packages in sys.argv[4:]:
    # Packages have files there that say where more of them are.
    site.addsitedir(packages)
import cushmem  # noqa: E402

WHICH, OUT, LIB = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
cushmem.device_library = lambda form="ll": f"{LIB}/libcushmem_device.{form}"
WORDS = 1024


def by_numba():
    from cuda.core import Linker, LinkerOptions, ObjectCode
    from numba import cuda, types
    from numba.cuda.compiler import compile_all
    from numba.cuda.cudadrv.linkable_code import LinkableCode

    import cushmem.core as core
    import cushmem.numba as shmem
    from cushmem.numba import shmem_float_p

    def ring(inbox, outbox, arrived, taken, wrong, rounds):
        me = shmem.shmem_my_pe()
        pes = shmem.shmem_n_pes()
        following = (me + 1) % pes
        previous = (me + pes - 1) % pes
        i = cuda.threadIdx.x
        for turn in range(1, rounds + 1):
            outbox[i] = me * 1000003 + turn * 17 + i
            cuda.syncthreads()
            shmem.shmemx_putmem_signal_block(inbox, outbox, 4 * WORDS, arrived, turn, shmem.SIGNAL_SET, following)
            shmem.shmemx_signal_wait_until_block(arrived, shmem.CMP_GE, turn)
            if inbox[i] != previous * 1000003 + turn * 17 + i:
                wrong[i] += 1
            cuda.syncthreads()
            shmem.shmemx_signal_op_block(taken, turn, shmem.SIGNAL_SET, previous)
            shmem.shmemx_signal_wait_until_block(taken, shmem.CMP_GE, turn)
        shmem.shmemx_quiet_block()

    def words(floats, sums, seen):
        me = shmem.shmem_my_pe()
        following = (me + 1) % shmem.shmem_n_pes()
        shmem_float_p(floats[3:], me + 0.5, following)
        shmem.shmem_int64_atomic_add(sums, -1 - me, 0)
        shmem.shmem_fence()
        shmem.shmem_barrier_all()
        seen[0] = shmem.shmem_float_g(floats[3:], following)
        seen[1] = shmem.shmem_int64_atomic_fetch(sums, 0)

    def of(dtype, dimensions=1):
        return types.Array(dtype, dimensions, "C")

    def inlined(name, parts, arch):
        options = LinkerOptions(arch=arch, link_time_optimization=True, ptx=True)
        text = Linker(*parts, options=options).link("ptx").code.decode()
        assert ".extern .func" not in text, f"{name}: a routine is not in the library"
        context = [line for line in text.splitlines() if "cushmem_context[" in line and line.startswith(".visible")]
        assert len(context) == 1, f"{name}: {context}"
        # Only what ends a kernel, or waits long, is called.
        calls = re.findall(r"call[.\w]* (?:\(\w+\), )?(\w+)", text)
        assert calls and not [call for call in calls if call.startswith("shmem")], f"{name}: {calls}"
        print(f"numba: {name} is one with its routines for {arch}")

    reads = {form: getattr(ObjectCode, f"from_{form}") for form in ("ptx", "ltoir", "fatbin")}
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "apps/examples/python"))
    from halo_numba import relax

    ints, signal, plate = of(types.int32), of(types.uint64), of(types.float64, 2)
    for kernel, parameters in (
        (ring, (ints, ints, signal, signal, ints, types.int32)),
        (words, (of(types.float32), of(types.int64), of(types.float64))),
        (relax.py_func, (plate, plate, signal, types.int64)),
    ):
        # Blackwell first: what is kept is for Hopper.
        for major, output in ((10, "ltoir"), (10, "ptx"), (9, "ltoir"), (9, "ptx")):
            (code, *linked), _ = compile_all(
                kernel, types.void(*parameters), device=False, abi="numba", cc=(major, 0), output=output
            )
            # Each routine adds the library; Numba links it once.
            (library,) = set(linked)
            assert isinstance(library, LinkableCode) and library.setup_callback is core.library_init
            if output == "ptx":
                code = code if isinstance(code, bytes) else code.encode()
                assert b".extern .func shmem" in code, "nothing is linked"
            parts = reads[output](code), reads[library.name.rsplit(".")[-1]](library.data)
            # Numba sets the same.
            options = LinkerOptions(arch=f"sm_{major}0", link_time_optimization=True if output == "ltoir" else None)
            cubin = Linker(*parts, options=options).link("cubin").code
            if (major, output) == (10, "ltoir"):
                inlined(kernel.__name__, parts, f"sm_{major}0")
        yield kernel.__name__, cubin
    try:
        compile_all(
            lambda x: shmem.shmem_float_p(x, 1), types.void(of(types.float32)), device=False, abi="numba", cc=(9, 0)
        )
    except Exception as error:
        assert "shmem_float_p" in str(error), error
    else:
        raise AssertionError("a call with too few arguments is compiled")


def by_cute():
    os.environ |= {"CUTE_DSL_ARCH": "sm_90a", "CUTE_DSL_KEEP": "ptx,cubin", "CUTE_DSL_DUMP_DIR": str(OUT / "dump")}
    (OUT / "dump").mkdir(parents=True, exist_ok=True)
    import cutlass
    from cutlass import Float32, Float64, Int32, Int64, Uint64, cute
    from cutlass.cute.runtime import make_ptr

    import cushmem.cute as shmem

    @cute.kernel
    def ring(
        inbox: cute.Pointer,
        outbox: cute.Pointer,
        arrived: cute.Pointer,
        taken: cute.Pointer,
        wrong: cute.Pointer,
        rounds: Int32,
    ):
        me, pes = shmem.shmem_my_pe(), shmem.shmem_n_pes()
        following, previous = (me + 1) % pes, (me + pes - 1) % pes
        i, _, _ = cute.arch.thread_idx()
        mine, theirs, bad = (cute.make_tensor(at, cute.make_layout(WORDS)) for at in (outbox, inbox, wrong))
        for turn in range(1, rounds + 1):
            mine[i] = me * 1000003 + turn * 17 + i
            cute.arch.sync_threads()
            shmem.shmemx_putmem_signal_block(inbox, mine, 4 * WORDS, arrived, turn, shmem.SIGNAL_SET, following)
            shmem.shmemx_signal_wait_until_block(arrived, shmem.CMP_GE, turn)
            if theirs[i] != previous * 1000003 + turn * 17 + i:
                bad[i] = bad[i] + 1
            cute.arch.sync_threads()
            shmem.shmemx_signal_op_block(taken, turn, shmem.SIGNAL_SET, previous)
            shmem.shmemx_signal_wait_until_block(taken, shmem.CMP_GE, turn)
        shmem.shmemx_quiet_block()

    @cute.kernel
    def words(floats: cute.Pointer, sums: cute.Pointer, seen: cute.Pointer):
        me = shmem.shmem_my_pe()
        following = (me + 1) % shmem.shmem_n_pes()
        third = floats + 3
        shmem.shmem_float_p(third, Float32(me) + 0.5, following)
        shmem.shmem_int64_atomic_add(sums, -1 - me, 0)
        shmem.shmem_fence()
        shmem.shmem_barrier_all()
        out = cute.make_tensor(seen, cute.make_layout(2))
        out[0] = Float64(shmem.shmem_float_g(third, following))
        out[1] = Float64(shmem.shmem_int64_atomic_fetch(sums, 0))

    @cute.jit
    def launch_ring(
        inbox: cute.Pointer,
        outbox: cute.Pointer,
        arrived: cute.Pointer,
        taken: cute.Pointer,
        wrong: cute.Pointer,
        rounds: Int32,
    ):
        ring(inbox, outbox, arrived, taken, wrong, rounds).launch(grid=[1, 1, 1], block=[WORDS, 1, 1])

    @cute.jit
    def launch_words(floats: cute.Pointer, sums: cute.Pointer, seen: cute.Pointer):
        words(floats, sums, seen).launch(grid=[1, 1, 1], block=[1, 1, 1])

    def of(dtype):
        return make_ptr(dtype, 0, cute.AddressSpace.gmem, assumed_align=16)

    ints, signal = of(Int32), of(Uint64)
    for name, launch, parameters in (
        ("ring", launch_ring, (ints, ints, signal, signal, ints, Int32(0))),
        ("words", launch_words, (of(Float32), of(Int64), of(Float64))),
    ):
        cute.compile(launch, *parameters)
        (cubin,) = (OUT / "dump").glob(f"*launch_{name}*.cubin")
        yield name, cubin.read_bytes()
        (text,) = (OUT / "dump").glob(f"*launch_{name}*.ptx")
        assert ".extern .func" not in text.read_text(), "a routine is not in the library"
        # Only what ends a kernel, or waits long, is called.
        calls = re.findall(r"call[.\w]* (?:\(\w+\), )?(\w+)", text.read_text())
        assert not [call for call in calls if "shmem_" in call.replace("cushmem_", "")], calls
    print(f"CuTe DSL {cutlass.__version__}")


found = {"numba": by_numba, "cute": by_cute}[WHICH]()
OUT.mkdir(parents=True, exist_ok=True)
for name, cubin in found:
    assert b"cushmem_context" in cubin, f"{name}: nobody can tell the kernel about the job"
    (OUT / f"{WHICH}.{name}.cubin").write_bytes(cubin)
    print(f"{WHICH}: {name}, {len(cubin)} bytes")
