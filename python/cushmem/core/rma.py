"""Puts, gets and signals.

On a stream, a call enqueues the operation and returns. Without one, it returns when a put's source may be reused, when
a get's data are there, and when a wait is over; memory of the GPU is then copied behind the default stream.
"""

from typing import Any, NoReturn, Optional

from cushmem import c
from cushmem.core._checks import STATE, NvshmemInvalid, not_offered, pe, started
from cushmem.core._checks import word as signal_value
from cushmem.core._operands import operand, signal_word, stream_handle
from cushmem.core.direct import ComparisonType, SignalOp

__all__ = [
    "SignalOp",
    "flush",
    "get",
    "get_nbi",
    "put",
    "put_nbi",
    "put_signal",
    "put_signal_nbi",
    "quiet",
    "signal_fetch",
    "signal_op",
    "signal_wait",
]


def _wait_for(stream: Optional[int], is_gpu: bool) -> Optional[int]:
    """Return the stream to use, if any: for memory of the GPU always one."""
    return 0 if stream is None and is_gpu else stream


def _copy(call: str, dst: Any, src: Any, remote_pe: Any, stream: Any) -> None:
    started(call)
    to, source, number = operand(call, "dst", dst), operand(call, "src", src), pe(call, "remote_pe", remote_pe)
    nbytes = min(to.nbytes, source.nbytes)
    given = stream_handle(call, stream)
    on = _wait_for(given, to.is_gpu or source.is_gpu)
    kind = call.replace("put", "putmem").replace("get", "getmem")
    if on is None:
        getattr(c, f"shmem_{kind}")(to.address, source.address, nbytes, number)
        return
    getattr(c, f"shmemx_{kind}_on_stream")(to.address, source.address, nbytes, number, on)
    if given is None:
        c.shmemx_stream_synchronize(on)


def put(dst: Any, src: Any, remote_pe: int = -1, stream: Any = None) -> None:
    """Copy `src`, any memory, into `dst` of PE `remote_pe`: as many bytes as the shorter one has."""
    _copy("put", dst, src, remote_pe, stream)


def put_nbi(dst: Any, src: Any, remote_pe: int = -1, stream: Any = None) -> None:
    """Like `put`, but `src` may be reused only after `quiet`."""
    _copy("put_nbi", dst, src, remote_pe, stream)


def get(dst: Any, src: Any, remote_pe: int = -1, stream: Any = None) -> None:
    """Copy `src` of PE `remote_pe` into `dst`, any memory: as many bytes as the shorter one has."""
    _copy("get", dst, src, remote_pe, stream)


def get_nbi(dst: Any, src: Any, remote_pe: int = -1, stream: Any = None) -> None:
    """Like `get`, but the data are there only after `quiet`."""
    _copy("get_nbi", dst, src, remote_pe, stream)


def _operation(call: str, signal_operation: Any) -> int:
    try:
        return int(SignalOp(signal_operation))
    except ValueError:
        names = ", ".join(str(op) for op in SignalOp)
        raise NvshmemInvalid(f"{call}: signal_op is {signal_operation!r}; valid are {names}") from None


def _put_signal(
    call: str, dst: Any, src: Any, signal_var: Any, signal_val: int, operation: Any, remote_pe: int, stream: Any
) -> None:
    started(call)
    to, source, word = operand(call, "dst", dst), operand(call, "src", src), signal_word(call, signal_var)
    number, value = pe(call, "remote_pe", remote_pe), signal_value(call, "signal_val", signal_val)
    given = stream_handle(call, stream)
    on = _wait_for(given, to.is_gpu or source.is_gpu or word.is_gpu)
    kind = call.replace("put", "putmem")
    nbytes = min(to.nbytes, source.nbytes)
    arguments = (to.address, source.address, nbytes, word.address, value, _operation(call, operation), number)
    if on is None:
        getattr(c, f"shmem_{kind}")(*arguments)
        return
    getattr(c, f"shmemx_{kind}_on_stream")(*arguments, on)
    if given is None:
        c.shmemx_stream_synchronize(on)


def put_signal(
    dst: Any,
    src: Any,
    signal_var: Any,
    signal_val: int,
    signal_op: SignalOp,
    remote_pe: int = -1,
    stream: Any = None,
) -> None:
    """Like `put`, and change a word of PE `remote_pe` once the data are there."""
    _put_signal("put_signal", dst, src, signal_var, signal_val, signal_op, remote_pe, stream)


def put_signal_nbi(
    dst: Any,
    src: Any,
    signal_var: Any,
    signal_val: int,
    signal_op: SignalOp,
    remote_pe: int = -1,
    stream: Any = None,
) -> None:
    """Like `put_signal`, but `src` may be reused only after `quiet`."""
    _put_signal("put_signal_nbi", dst, src, signal_var, signal_val, signal_op, remote_pe, stream)


def signal_op(signal_var: Any, signal_val: int, signal_op: SignalOp, remote_pe: int = -1, stream: Any = None) -> None:
    """Change a word of PE `remote_pe`."""
    call = "signal_op"
    started(call)
    word, number, value = (
        signal_word(call, signal_var),
        pe(call, "remote_pe", remote_pe),
        signal_value(call, "signal_val", signal_val),
    )
    operation, given = _operation(call, signal_op), stream_handle(call, stream)
    on = _wait_for(given, word.is_gpu)
    if on is not None:
        c.shmemx_signal_op_on_stream(word.address, value, operation, number, on)
        if given is None:
            c.shmemx_stream_synchronize(on)
    elif operation == SignalOp.SIGNAL_SET:
        c.shmem_signal_set(word.address, value, number)
    else:
        c.shmem_signal_add(word.address, value, number)


def signal_wait(signal_var: Any, signal_val: int, signal_op: ComparisonType, stream: Any = None) -> None:
    """Wait until a word of this PE compares with `signal_val` as `signal_op` says."""
    call = "signal_wait"
    started(call)
    word, value = signal_word(call, signal_var), signal_value(call, "signal_val", signal_val)
    try:
        comparison = int(ComparisonType(signal_op))
    except ValueError:
        names = ", ".join(str(comparison) for comparison in ComparisonType)
        raise NvshmemInvalid(f"{call}: signal_op is {signal_op!r}; valid are {names}") from None
    given = stream_handle(call, stream)
    on = _wait_for(given, word.is_gpu)
    if on is None:
        c.shmem_signal_wait_until(word.address, comparison, value)
        return
    c.shmemx_signal_wait_until_on_stream(word.address, comparison, value, on)
    if given is None:
        c.shmemx_stream_synchronize(on)


def signal_fetch(signal_var: Any) -> int:
    """Return the value of a word of this PE in host memory."""
    started("signal_fetch")
    word = signal_word("signal_fetch", signal_var)
    if word.is_gpu:
        not_offered("signal_fetch of GPU memory", "get the word into host memory")
    return c.shmem_signal_fetch(word.address)


def quiet(stream: Any = None) -> None:
    """Complete all puts and signals before it on the stream; without one, those of the CPU and the default stream."""
    started("quiet")
    on = stream_handle("quiet", stream)
    if on is not None:
        c.shmemx_quiet_on_stream(on)
        return
    if STATE.uses_gpu:
        c.shmemx_quiet_on_stream(0)
        c.shmemx_stream_synchronize(0)
    c.shmem_quiet()


def flush(*_: Any, **__: Any) -> NoReturn:
    """Not offered."""
    not_offered("flush", "use quiet")
