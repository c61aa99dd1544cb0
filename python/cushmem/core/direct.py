"""The PE of this process and the others; the numbers of the C API."""

from enum import IntEnum

from cushmem import c
from cushmem.core._checks import STATE, started
from cushmem.core.teams import team_my_pe, team_n_pes

__all__ = ["ComparisonType", "InitStatus", "SignalOp", "init_status", "my_pe", "n_pes", "team_my_pe", "team_n_pes"]


class SignalOp(IntEnum):
    """How a signal changes its word."""

    SIGNAL_SET = 9
    SIGNAL_ADD = 10


class ComparisonType(IntEnum):
    """What a wait compares its word by."""

    CMP_EQ = 0
    CMP_NE = 1
    CMP_GT = 2
    CMP_LE = 3
    CMP_LT = 4
    CMP_GE = 5


class InitStatus(IntEnum):
    """Whether this process is a PE."""

    STATUS_NOT_INITIALIZED = 0
    STATUS_IS_INITIALIZED = 2


def init_status() -> InitStatus:
    """Return whether this process is a PE; callable at any time."""
    return InitStatus.STATUS_IS_INITIALIZED if STATE.is_initialized else InitStatus.STATUS_NOT_INITIALIZED


def my_pe() -> int:
    """Return the number of this PE."""
    started("my_pe")
    return c.shmem_my_pe()


def n_pes() -> int:
    """Return the number of PEs of the job."""
    started("n_pes")
    return c.shmem_n_pes()
