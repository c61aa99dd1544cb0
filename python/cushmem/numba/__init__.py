"""Kernels of numba-cuda that put, signal and wait: the routines of C under their names.

`import cushmem.numba as shmem`, and in a kernel `shmem.shmemx_putmem_signal_block(inbox, outbox, nbytes, ...)`. For a
pointer, pass an array, which stands for its first element, or an address. Numba links a kernel with the routines when
it compiles it, and tells it about the job at its first launch; launch it anew compiled in a later job. Kernels reach
the PEs of this node whose GPU memory is mapped. Works with numba-cuda 0.30.
"""

import functools
import inspect
from typing import Any, Callable

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadrv.linkable_code import Fatbin, LinkableCode, PTXSource
from numba.cuda.descriptor import cuda_target
from numba.cuda.extending import intrinsic

from cushmem import core, device_library
from cushmem._routines import NUMBERS, Routine, fill

__all__ = list(NUMBERS)

_TYPES = {
    "void": types.none,
    "float": types.float32,
    "double": types.float64,
    **{f"i{bits}": getattr(types, f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": getattr(types, f"uint{bits}") for bits in (8, 16, 32, 64)},
}


@functools.cache
def _library() -> LinkableCode:
    told = {"setup_callback": core.library_init, "teardown_callback": _forget}
    try:
        # Machine code links at once.
        with open(device_library("fatbin"), "rb") as file:
            return Fatbin(file.read(), name="libcushmem_device.fatbin", **told)
    except FileNotFoundError:
        with open(device_library("ptx"), "rb") as file:
            return PTXSource(file.read(), name="libcushmem_device.ptx", **told)


def _forget(kernels: Any) -> None:
    # At the end of the process there may be no job any more.
    if core._checks.STATE.is_initialized:
        core.library_finalize(kernels)


def _llvm(type_name: str) -> ir.Type:
    known = {"void": ir.VoidType(), "float": ir.FloatType(), "double": ir.DoubleType()}
    return known.get(type_name) or ir.IntType(int(type_name[1:]))


def _call(name: str, routine: Routine, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Write the call. Numba's own calls of foreign functions return a pointer where C returns nothing."""
    wanted = list(routine.parameters.values())
    passed = []
    for given, kind, argument in zip(signature.args, wanted, arguments):
        if isinstance(given, types.Array):
            first = context.make_array(given)(context, builder, argument).data
            passed.append(builder.ptrtoint(first, ir.IntType(64)))
        else:
            passed.append(context.cast(builder, argument, given, _TYPES[kind]))
    called = ir.FunctionType(_llvm(routine.result), [_llvm(kind) for kind in wanted])
    function = cgutils.get_or_insert_function(builder.module, called, name)
    context.active_code_library.add_linking_file(_library())
    result = builder.call(function, passed)
    return context.get_dummy_value() if routine.result == "void" else result


def _suits(given: Any, wanted: str) -> bool:
    if isinstance(given, types.Array):
        return wanted == "i64"
    return isinstance(given, (types.Number, types.Boolean))


def _routine(name: str, routine: Routine) -> "Callable[..., Any]":
    wanted = list(routine.parameters.values())

    def typed(_context: Any, *given: Any) -> Any:
        if len(given) != len(wanted) or not all(map(_suits, given, wanted)):
            return None

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _call(name, routine, context, builder, signature, arguments)

        return _TYPES[routine.result](*given), call

    names = ["context", *routine.parameters]
    positional = [inspect.Parameter(one, inspect.Parameter.POSITIONAL_OR_KEYWORD) for one in names]
    typed.__name__, typed.__signature__ = name, inspect.Signature(positional)  # type: ignore[attr-defined]
    made = intrinsic(typed)
    # It may be a kernel that asks, while it is compiled.
    cuda_target.typing_context.refresh()
    cuda_target.target_context.refresh()
    return made  # type: ignore[no-any-return]


__getattr__, __dir__ = fill(globals(), _routine)
