"""Barriers and collectives of a team.

On a stream, a call enqueues the operation and returns. Without one, it returns when this PE's part is complete;
barriers then also wait for the default stream.
"""

from typing import Any, Optional

from cushmem import c
from cushmem.core._checks import STATE, NvshmemError, NvshmemInvalid, member, not_offered, started
from cushmem.core._dtypes import C_NAMES, dtype_of
from cushmem.core._operands import Operand, operand, stream_handle
from cushmem.core.memory import Buffer
from cushmem.core.teams import handle

__all__ = [
    "alltoall",
    "barrier",
    "barrier_all",
    "broadcast",
    "collective_on_buffer",
    "fcollect",
    "reduce",
    "reducescatter",
    "sync",
    "sync_all",
]

_ARITHMETIC = ("sum", "prod", "min", "max")
_BITWISE = ("and", "or", "xor")
_COLLECTIVES = ("alltoall", "broadcast", "fcollect", "reduce", "reducescatter")


def _settle() -> None:
    """Let the CPU catch up with the default stream."""
    if STATE.uses_gpu:
        c.shmemx_quiet_on_stream(0)
        c.shmemx_stream_synchronize(0)


def barrier(team: Any, stream: Any = None) -> None:
    """Wait for all members of a team, and complete the puts before it."""
    number, on = handle("barrier", team), stream_handle("barrier", stream)
    if on is not None:
        _succeed("barrier", c.shmemx_barrier_on_stream(number, on))
        return
    _settle()
    c.shmem_quiet()
    _succeed("barrier", c.shmem_team_sync(number))


def barrier_all(stream: Any = None) -> None:
    """Wait for all PEs, and complete the puts before it."""
    started("barrier_all")
    on = stream_handle("barrier_all", stream)
    if on is not None:
        c.shmemx_barrier_all_on_stream(on)
        return
    _settle()
    c.shmem_barrier_all()


def sync(team: Any, stream: Any = None) -> None:
    """Wait for all members of a team."""
    number, on = handle("sync", team), stream_handle("sync", stream)
    if on is not None:
        _succeed("sync", c.shmemx_team_sync_on_stream(number, on))
        return
    _settle()
    _succeed("sync", c.shmem_team_sync(number))


def sync_all(stream: Any = None) -> None:
    """Wait for all PEs."""
    started("sync_all")
    on = stream_handle("sync_all", stream)
    if on is not None:
        c.shmemx_sync_all_on_stream(on)
        return
    _settle()
    c.shmem_sync_all()


def _succeed(call: str, status: int) -> None:
    if status != 0:
        raise NvshmemError(f"{call}: the library returned {status}")


def reduce(team: Any, dst_array: Any, src_array: Any, op: str, stream: Any = None) -> None:
    """Combine the members' `src_array` element by element, into `dst_array` of all of them."""
    _collective("reduce", team, dst_array, src_array, op=op, stream=stream)


def reducescatter(team: Any, dst_array: Any, src_array: Any, op: str, stream: Any = None) -> None:
    """Combine the members' `src_array` element by element, and give each member its part, as long as `dst_array`."""
    _collective("reducescatter", team, dst_array, src_array, op=op, stream=stream)


def alltoall(team: Any, dst_array: Any, src_array: Any, stream: Any = None) -> None:
    """Send part `i` of `src_array` to member `i`; the parts that are received follow each other in `dst_array`."""
    _collective("alltoall", team, dst_array, src_array, stream=stream)


def fcollect(team: Any, dst_array: Any, src_array: Any, stream: Any = None) -> None:
    """Put the members' `src_array` one after the other into `dst_array` of all of them."""
    _collective("fcollect", team, dst_array, src_array, stream=stream)


def broadcast(team: Any, dst_array: Any, src_array: Any, root: int = 0, stream: Any = None) -> None:
    """Copy `src_array` of member `root` into `dst_array` of all members."""
    _collective("broadcast", team, dst_array, src_array, root=root, stream=stream)


def _collective(
    call: str,
    team: Any,
    dst_array: Any,
    src_array: Any,
    op: Optional[str] = None,
    root: int = 0,
    stream: Any = None,
) -> None:
    number = handle(call, team)
    to, source = operand(call, "dst_array", dst_array), operand(call, "src_array", src_array)
    if to.dtype != source.dtype:
        raise NvshmemInvalid(f"{call}: dst_array has elements of {to.dtype.name}, src_array of {source.dtype.name}")
    _carry_out(call, number, to, source, op, root, stream)


def collective_on_buffer(
    coll: str,
    team: Any,
    dest: Buffer,
    src: Buffer,
    dtype: Optional[str] = None,
    op: Optional[str] = None,
    root: int = 0,
    stream: Any = None,
    enable_timing: bool = False,
) -> float:
    """Carry out a collective, by its name, on buffers whose elements are of type `dtype`. Returns 0."""
    call = "collective_on_buffer"
    number = handle(call, team)
    if enable_timing:
        not_offered(f"{call}(enable_timing=True)", "record events on the stream")
    if coll not in _COLLECTIVES:
        raise NvshmemInvalid(f"{call}: coll is {coll!r}; valid are {', '.join(_COLLECTIVES)}")
    for name, value in (("dest", dest), ("src", src)):
        if not isinstance(value, Buffer):
            raise TypeError(f"{call}: {name} is a {type(value).__name__}, not a Buffer")
    of = dtype_of(call, dtype or "uint8")
    to, source = (operand(call, "", value)._replace(dtype=of) for value in (dest, src))
    _carry_out(coll, number, to, source, op, root, stream)
    return 0.0


def _carry_out(call: str, team: int, to: Operand, source: Operand, op: Optional[str], root: Any, stream: Any) -> None:
    members = c.shmem_team_n_pes(team)
    # As in nvshmem.core, what counts is the length of one of the two.
    counted = source if call in ("alltoall", "fcollect") else to
    share = members if call == "alltoall" else 1
    nbytes = counted.nbytes // share
    need_to = counted.nbytes * (members if call == "fcollect" else 1)
    need_source = counted.nbytes * (members if call == "reducescatter" else 1)
    if counted.nbytes % (share * to.dtype.nbytes) != 0 or to.nbytes < need_to or source.nbytes < need_source:
        sizes = f"dst_array has {to.nbytes} bytes and src_array {source.nbytes}"
        raise NvshmemInvalid(f"{call}: {sizes}, which do not fit each other in a team of {members}")
    given = stream_handle(call, stream)
    # Only streams have these.
    needs_stream = call == "reducescatter" or (call == "reduce" and to.dtype.name in ("float16", "bfloat16"))
    on = 0 if given is None and (to.is_gpu or source.is_gpu) else given
    if on is None and needs_stream:
        not_offered(f"{call} of {to.dtype.name} in host memory without a stream", "pass a stream")
    first, last = ("shmem", "") if on is None else ("shmemx", "_on_stream")
    end = () if on is None else (on,)
    if call in ("reduce", "reducescatter"):
        routine = f"{first}_{to.dtype.c_name}_{_operator(call, op, to)}_{call}{last}"
        status = getattr(c, routine)(team, to.address, source.address, nbytes // to.dtype.nbytes, *end)
    else:
        middle = (member(call, "root", root, members),) if call == "broadcast" else ()
        status = getattr(c, f"{first}_{call}mem{last}")(team, to.address, source.address, nbytes, *middle, *end)
    _succeed(call, status)
    if given is None and on is not None:
        c.shmemx_stream_synchronize(on)


def _operator(call: str, op: Optional[str], to: Operand) -> str:
    is_integer = to.dtype.kind[0] in (0, 1)
    valid = _ARITHMETIC + (_BITWISE if is_integer else ())
    if to.dtype.c_name not in C_NAMES:
        not_offered(f"{call} of {to.dtype.name}", "reduce a view of its parts")
    if op not in valid:
        raise NvshmemInvalid(f"{call}: op is {op!r}; valid for {to.dtype.name} are {', '.join(valid)}")
    return op
