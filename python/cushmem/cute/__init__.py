"""Kernels of CuTe DSL that put, signal and wait: the routines of C under their names.

`import cushmem.cute as shmem`, and in a kernel `shmem.shmemx_putmem_signal_block(inbox, outbox, nbytes, ...)`. For a
pointer, pass a tensor, which stands for its first element, a pointer of CuTe, or an address as a number. The compiler
makes the routines part of the kernel. Tell each compiled function about the job before its first launch:
`shmem.init(f)` after `f = cute.compile(...)`. Kernels reach the PEs of this node whose GPU memory is mapped. Works with
nvidia-cutlass-dsl 4.8.
"""

import inspect
from typing import Any, Callable

import cutlass
from cutlass import cute

from cushmem import core, device_library
from cushmem._routines import NUMBERS, Routine, fill

__all__ = ["BITCODE", "finalize", "init"]
__all__ += list(NUMBERS)

# For `cute.extern(source=...)` and `cute.ffi`.
BITCODE = cute.BitCode(device_library("bc"))

_TYPES = {
    "void": None,
    "float": cutlass.Float32,
    "double": cutlass.Float64,
    **{f"i{bits}": getattr(cutlass, f"Int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": getattr(cutlass, f"Uint{bits}") for bits in (8, 16, 32, 64)},
}


def init(compiled: Any) -> None:
    """Tell the kernels of a compiled function about the job, before their first launch."""
    core.library_init(int(compiled.library))


def finalize(compiled: Any) -> None:
    """Make the kernels of a compiled function forget the job."""
    core.library_finalize(int(compiled.library))


def _passed(value: Any, kind: str) -> Any:
    # A tensor's first element.
    value = getattr(value, "iterator", value)
    if hasattr(value, "toint"):
        value = value.toint()
    return _TYPES[kind](value)


def _routine(name: str, routine: Routine) -> "Callable[..., Any]":
    def declared() -> None: ...

    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(one, positional, annotation=_TYPES[t]) for one, t in routine.parameters.items()]
    result = _TYPES[routine.result]
    declared.__name__ = declared.__qualname__ = name
    declared.__signature__ = inspect.Signature(parameters, return_annotation=result)  # type: ignore[attr-defined]
    extern = cute.extern(declared, name=name, source=BITCODE)
    takes = ", ".join(routine.parameters)

    def call(*arguments: Any) -> Any:
        if len(arguments) != len(parameters):
            raise TypeError(f"{name}: {len(arguments)} arguments; it takes ({takes})")
        made = extern(*map(_passed, arguments, routine.parameters.values()))
        # What the compiler makes of it has no sign.
        return None if result is None else result(made)

    call.__name__, call.__doc__ = name, f"`{name}({takes})`"
    return call


__getattr__, __dir__ = fill(globals(), _routine)
