"""What every call checks, and the errors."""

from typing import Any, Callable, NoReturn

from cushmem import c


class NvshmemInvalid(ValueError):
    """An argument has a value that is not valid here."""


class NvshmemError(RuntimeError):
    """A call cannot be carried out, whatever its arguments."""


class NotOffered(NotImplementedError, AttributeError):
    """A name of nvshmem.core that this package does not offer, also for `hasattr`."""


class NvshmemWarning(UserWarning):
    """Symmetric memory that was not freed."""


class _State:
    """The job of this process."""

    is_initialized = False
    is_over = False
    # How many jobs there have been, this one included.
    jobs = 0
    # Whether the default stream may carry work that the CPU has to wait for.
    uses_gpu = False
    # What is called before the job ends, on all PEs in the same order.
    at_end: "list[Callable[[], None]]" = []  # noqa: RUF012


STATE = _State()


def started(call: str) -> None:
    """Raise unless this process is a PE."""
    if not STATE.is_initialized:
        when = "after finalize()" if STATE.is_over else "before init()"
        raise NvshmemError(f"{call}: called {when}")


def integer(call: str, name: str, value: Any) -> int:
    """Return an argument as an int."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise TypeError(f"{call}: {name} is a {type(value).__name__}, not an int") from None


def word(call: str, name: str, value: Any) -> int:
    """Return an argument as the value of a signal."""
    number = integer(call, name, value)
    if not 0 <= number < 1 << 64:
        raise NvshmemInvalid(f"{call}: {name} is {number}; the valid range is 0 to {(1 << 64) - 1}")
    return number


def size(call: str, name: str, value: Any) -> int:
    """Return an argument as a number of bytes or elements, which C can express."""
    number = integer(call, name, value)
    if not 0 <= number < 1 << 63:
        raise NvshmemInvalid(f"{call}: {name} is {number}; the valid range is 0 to {(1 << 63) - 1}")
    return number


def member(call: str, name: str, value: Any, members: int) -> int:
    """Return an argument as the number of a PE among so many."""
    pe = integer(call, name, value)
    if not 0 <= pe < members:
        raise NvshmemInvalid(f"{call}: {name} is {pe}; the valid range is 0 to {members - 1}")
    return pe


def pe(call: str, name: str, value: Any) -> int:
    """Return an argument as the number of a PE of the job."""
    return member(call, name, value, c.shmem_n_pes())


def not_offered(call: str, instead: str) -> NoReturn:
    """Raise for what nvshmem.core has and this package does not offer."""
    raise NotOffered(f"{call}: not offered; {instead}")
