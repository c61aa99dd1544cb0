"""OpenSHMEM's routines for Triton kernels under `@cushmem.triton.kernel`.

Each is a call of a whole program, that is of all threads of a block, which meet there: copies are shared out among
them, and updates and waits are carried out by one of them. So no routine may be called where only some
warps come, as in a warp-specialised region. Addresses are pointers to symmetric memory of the own PE, `pe` is a number
from 0 to `n_pes() - 1`, and `nelems` counts elements of the pointer's type.

`put`, `put_signal`, `p` and `signal_op` may be under way when they return; `quiet` completes them, `fence` orders them.
"""

from typing import Any

import triton
import triton.language as tl
from triton.language import core

from cushmem.core import ComparisonType, SignalOp

__all__ = [
    "CMP_EQ",
    "CMP_GE",
    "CMP_GT",
    "CMP_LE",
    "CMP_LT",
    "CMP_NE",
    "SIGNAL_ADD",
    "SIGNAL_SET",
    "atomic_add",
    "atomic_set",
    "barrier_all",
    "fence",
    "g",
    "get",
    "get_nbi",
    "my_pe",
    "n_pes",
    "p",
    "ptr",
    "put",
    "put_nbi",
    "put_signal",
    "put_signal_nbi",
    "quiet",
    "signal_op",
    "signal_wait_until",
    "sync_all",
    "wait_until",
]

SIGNAL_SET = tl.constexpr(SignalOp.SIGNAL_SET.value)
SIGNAL_ADD = tl.constexpr(SignalOp.SIGNAL_ADD.value)
CMP_EQ = tl.constexpr(ComparisonType.CMP_EQ.value)
CMP_NE = tl.constexpr(ComparisonType.CMP_NE.value)
CMP_GT = tl.constexpr(ComparisonType.CMP_GT.value)
CMP_LE = tl.constexpr(ComparisonType.CMP_LE.value)
CMP_LT = tl.constexpr(ComparisonType.CMP_LT.value)
CMP_GE = tl.constexpr(ComparisonType.CMP_GE.value)

_ADDRESS = core.uint64
_PE = core.int32
_WORDS = {
    core.float32: "float",
    core.float64: "double",
    core.int8: "int8",
    core.int16: "int16",
    core.int32: "int32",
    core.int64: "int64",
    core.uint8: "uint8",
    core.uint16: "uint16",
    core.uint32: "uint32",
    core.uint64: "uint64",
}
_WAITED = (core.int32, core.int64, core.uint32, core.uint64)
_ADDED = (*_WAITED, core.float32, core.float64)


def _call(args: "list[Any]", symbols: "dict[tuple[Any, ...], tuple[str, Any]]", semantic: Any) -> Any:
    return core.extern_elementwise("libcushmem_device", "", args, symbols, is_pure=False, _semantic=semantic)


def _none(name: str, *types: Any) -> "dict[tuple[Any, ...], tuple[str, Any]]":
    # Triton has no functions without a result. Nobody uses this one, so LLVM drops it.
    return {types: (name, core.int32)}


@core.extern
def my_pe(_semantic: Any = None) -> Any:
    """Return this PE's number."""
    return _call([], {(): ("shmem_my_pe", core.int32)}, _semantic)


@core.extern
def n_pes(_semantic: Any = None) -> Any:
    """Return the number of PEs."""
    return _call([], {(): ("shmem_n_pes", core.int32)}, _semantic)


@core.extern
def fence(_semantic: Any = None) -> Any:
    """Order what the block has put before, for each PE, before what it puts later."""
    return _call([], _none("shmemx_fence_block"), _semantic)


@core.extern
def quiet(_semantic: Any = None) -> Any:
    """Complete what the block has put before."""
    return _call([], _none("shmemx_quiet_block"), _semantic)


@core.extern
def barrier_all(_semantic: Any = None) -> Any:
    """Complete what was put before, and wait until all PEs have come. Only one block of each PE may call it."""
    return _call([], _none("shmemx_barrier_all_block"), _semantic)


@core.extern
def sync_all(_semantic: Any = None) -> Any:
    """Wait until all PEs have come. Only one block of each PE may call it."""
    return _call([], _none("shmemx_sync_all_block"), _semantic)


@core.extern
def _copy_put(dest: Any, source: Any, nbytes: Any, pe: Any, _semantic: Any = None) -> Any:
    types = _none("shmemx_putmem_block", _ADDRESS, _ADDRESS, core.uint64, _PE)
    return _call([dest, source, nbytes, pe], types, _semantic)


@core.extern
def _copy_put_nbi(dest: Any, source: Any, nbytes: Any, pe: Any, _semantic: Any = None) -> Any:
    types = _none("shmemx_putmem_nbi_block", _ADDRESS, _ADDRESS, core.uint64, _PE)
    return _call([dest, source, nbytes, pe], types, _semantic)


@core.extern
def _copy_get(dest: Any, source: Any, nbytes: Any, pe: Any, _semantic: Any = None) -> Any:
    types = _none("shmemx_getmem_block", _ADDRESS, _ADDRESS, core.uint64, _PE)
    return _call([dest, source, nbytes, pe], types, _semantic)


@core.extern
def _copy_get_nbi(dest: Any, source: Any, nbytes: Any, pe: Any, _semantic: Any = None) -> Any:
    types = _none("shmemx_getmem_nbi_block", _ADDRESS, _ADDRESS, core.uint64, _PE)
    return _call([dest, source, nbytes, pe], types, _semantic)


_SIGNALLED = (_ADDRESS, _ADDRESS, core.uint64, _ADDRESS, core.uint64, core.int32, _PE)


@core.extern
def _copy_signal(
    dest: Any, source: Any, nbytes: Any, sig_addr: Any, signal: Any, sig_op: Any, pe: Any, _semantic: Any = None
) -> Any:
    args = [dest, source, nbytes, sig_addr, signal, sig_op, pe]
    return _call(args, _none("shmemx_putmem_signal_block", *_SIGNALLED), _semantic)


@core.extern
def _copy_signal_nbi(
    dest: Any, source: Any, nbytes: Any, sig_addr: Any, signal: Any, sig_op: Any, pe: Any, _semantic: Any = None
) -> Any:
    args = [dest, source, nbytes, sig_addr, signal, sig_op, pe]
    return _call(args, _none("shmemx_putmem_signal_nbi_block", *_SIGNALLED), _semantic)


@core.extern
def _signal(sig_addr: Any, signal: Any, sig_op: Any, pe: Any, _semantic: Any = None) -> Any:
    types = _none("shmemx_signal_op_block", _ADDRESS, core.uint64, core.int32, _PE)
    return _call([sig_addr, signal, sig_op, pe], types, _semantic)


@core.extern
def _signal_wait(sig_addr: Any, cmp: Any, value: Any, _semantic: Any = None) -> Any:
    types = _none("shmemx_signal_wait_until_block", _ADDRESS, core.int32, core.uint64)
    return _call([sig_addr, cmp, value], types, _semantic)


@core.extern
def _wait(ivar: Any, cmp: Any, value: Any, _semantic: Any = None) -> Any:
    types = {(_ADDRESS, _PE, t): (f"shmemx_{_WORDS[t]}_wait_until_block", core.int32) for t in _WAITED}
    return _call([ivar, cmp, value], types, _semantic)


@core.extern
def _store(dest: Any, value: Any, pe: Any, _semantic: Any = None) -> Any:
    types = {(_ADDRESS, t, _PE): (f"shmemx_{name}_p_block", core.int32) for t, name in _WORDS.items()}
    return _call([dest, value, pe], types, _semantic)


@core.extern
def _add(dest: Any, value: Any, pe: Any, _semantic: Any = None) -> Any:
    types = {(_ADDRESS, t, _PE): (f"shmemx_{_WORDS[t]}_atomic_add_block", core.int32) for t in _ADDED}
    return _call([dest, value, pe], types, _semantic)


@core.extern
def _set(dest: Any, value: Any, pe: Any, _semantic: Any = None) -> Any:
    types = {(_ADDRESS, t, _PE): (f"shmemx_{_WORDS[t]}_atomic_set_block", core.int32) for t in _ADDED}
    return _call([dest, value, pe], types, _semantic)


@core.extern
def _load(source: Any, example: Any, pe: Any, _semantic: Any = None) -> Any:
    dtype = example.dtype
    return _call([source, pe], {(_ADDRESS, _PE): (f"shmem_{_WORDS[dtype]}_g", dtype)}, _semantic)


@core.extern
def _ptr(dest: Any, pe: Any, _semantic: Any = None) -> Any:
    return _call([dest, pe], {(_ADDRESS, _PE): ("shmem_ptr", core.uint64)}, _semantic)


@triton.jit
def _address(pointer):
    return tl.cast(pointer, tl.uint64, bitcast=True)


@triton.jit
def _bytes(pointer, nelems):
    # A bool takes a byte.
    return tl.cast(nelems, tl.uint64) * ((pointer.dtype.element_ty.primitive_bitwidth + 7) // 8)


@triton.jit
def ptr(dest, pe):
    """Return where `dest` of a PE can be loaded and stored directly, or a null pointer."""
    return tl.cast(_ptr(_address(dest), tl.cast(pe, tl.int32)), dest.dtype, bitcast=True)


@triton.jit
def put(dest, source, nelems, pe):
    """Copy elements to a PE. `source` may be changed afterwards."""
    tl.debug_barrier()
    _copy_put(_address(dest), _address(source), _bytes(dest, nelems), tl.cast(pe, tl.int32))


@triton.jit
def put_nbi(dest, source, nelems, pe):
    """Copy elements to a PE. `source` may be changed after `quiet`."""
    tl.debug_barrier()
    _copy_put_nbi(_address(dest), _address(source), _bytes(dest, nelems), tl.cast(pe, tl.int32))


@triton.jit
def get(dest, source, nelems, pe):
    """Copy elements from a PE."""
    tl.debug_barrier()
    _copy_get(_address(dest), _address(source), _bytes(dest, nelems), tl.cast(pe, tl.int32))


@triton.jit
def get_nbi(dest, source, nelems, pe):
    """Copy elements from a PE. They are there after `quiet`."""
    tl.debug_barrier()
    _copy_get_nbi(_address(dest), _address(source), _bytes(dest, nelems), tl.cast(pe, tl.int32))


@triton.jit
def put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe):
    """Copy elements to a PE, and then change a signal there."""
    tl.debug_barrier()
    _copy_signal(
        _address(dest),
        _address(source),
        _bytes(dest, nelems),
        _address(sig_addr),
        tl.cast(signal, tl.uint64),
        tl.cast(sig_op, tl.int32),
        tl.cast(pe, tl.int32),
    )


@triton.jit
def put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe):
    """Copy elements to a PE, and then change a signal there. `source` may be changed after `quiet`."""
    tl.debug_barrier()
    _copy_signal_nbi(
        _address(dest),
        _address(source),
        _bytes(dest, nelems),
        _address(sig_addr),
        tl.cast(signal, tl.uint64),
        tl.cast(sig_op, tl.int32),
        tl.cast(pe, tl.int32),
    )


@triton.jit
def signal_op(sig_addr, signal, sig_op, pe):
    """Set a signal of a PE, or add to it."""
    _signal(_address(sig_addr), tl.cast(signal, tl.uint64), tl.cast(sig_op, tl.int32), tl.cast(pe, tl.int32))


@triton.jit
def signal_wait_until(sig_addr, cmp, cmp_value):
    """Wait until a signal of this PE compares so. What was put before it is there then."""
    _signal_wait(_address(sig_addr), tl.cast(cmp, tl.int32), tl.cast(cmp_value, tl.uint64))


@triton.jit
def wait_until(ivar, cmp, cmp_value):
    """Wait until a word of this PE compares so: an integer of 32 or 64 bits."""
    _wait(_address(ivar), tl.cast(cmp, tl.int32), tl.cast(cmp_value, ivar.dtype.element_ty))


@triton.jit
def p(dest, value, pe):
    """Store a value at a PE."""
    if dest.dtype.element_ty.primitive_bitwidth == 16:
        bits = tl.cast(tl.cast(value, dest.dtype.element_ty), tl.uint16, bitcast=True)
        _store(_address(dest), bits, tl.cast(pe, tl.int32))
    else:
        _store(_address(dest), tl.cast(value, dest.dtype.element_ty), tl.cast(pe, tl.int32))


@triton.jit
def g(source, pe):
    """Load a value of a PE. All threads load it."""
    if source.dtype.element_ty.primitive_bitwidth == 16:
        bits = _load(_address(source), tl.cast(0, tl.uint16), tl.cast(pe, tl.int32))
        return tl.cast(bits, source.dtype.element_ty, bitcast=True)
    else:
        return _load(_address(source), tl.cast(0, source.dtype.element_ty), tl.cast(pe, tl.int32))


@triton.jit
def atomic_add(dest, value, pe):
    """Add to a word of a PE: an integer of 32 or 64 bits, float32 or float64."""
    _add(_address(dest), tl.cast(value, dest.dtype.element_ty), tl.cast(pe, tl.int32))


@triton.jit
def atomic_set(dest, value, pe):
    """Set a word of a PE, which others may change at the same time: of the types of `atomic_add`."""
    _set(_address(dest), tl.cast(value, dest.dtype.element_ty), tl.cast(pe, tl.int32))
