"""Teams: the PEs of the job, of a node, and parts of these."""

import ctypes
from collections.abc import Iterator
from typing import Any, Optional, Union

from cushmem import c
from cushmem.core._checks import NvshmemInvalid, integer, member, not_offered, size, started

__all__ = [
    "TeamConfig",
    "Teams",
    "team_destroy",
    "team_my_pe",
    "team_n_pes",
    "team_split_2d",
    "team_split_strided",
    "team_translate_pe",
]

TEAM_INVALID = 0
_PREDEFINED = {"TEAM_INVALID": TEAM_INVALID, "TEAM_WORLD": 1, "TEAM_SHARED": 2, "TEAM_NODE": 2}
_ABSENT = ("TEAM_SAME_MYPE_NODE", "TEAM_SAME_GPU", "TEAM_GPU_LEADERS")


class _Teams:
    """The teams that have names: those of the library, and those that were made with `new_team_name`."""

    def __init__(self) -> None:
        self._by_name = dict(_PREDEFINED)

    def __getattr__(self, name: str) -> int:
        if name in _ABSENT:
            not_offered(f"Teams.{name}", "split a team with team_split_strided")
        try:
            return self._by_name[name]
        except KeyError:
            raise AttributeError(f"no team is called {name}; there are {', '.join(self._by_name)}") from None

    def __getitem__(self, name: str) -> int:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def add(self, name: Optional[str], team: int) -> None:
        """Name a team."""
        if name is not None:
            self._by_name[name] = team

    def forget(self, team: int) -> None:
        """Remove a team's names."""
        self._by_name = {name: known for name, known in self._by_name.items() if known != team or name in _PREDEFINED}

    def reset(self) -> None:
        """Remove all names that were added."""
        self._by_name = dict(_PREDEFINED)


Teams = _Teams()


class TeamConfig(ctypes.Structure):
    """What a new team is prepared for."""

    _fields_ = (("num_contexts", ctypes.c_int),)


def handle(call: str, team: Any) -> int:
    """Return the team that an argument names, of which this PE is a member."""
    started(call)
    if isinstance(team, str):
        if team not in Teams:
            raise NvshmemInvalid(f"{call}: no team is called {team!r}; there are {', '.join(Teams)}")
        team = Teams[team]
    number = integer(call, "team", team)
    if number == TEAM_INVALID:
        raise NvshmemInvalid(f"{call}: team is TEAM_INVALID, that of PEs that are not members")
    return number


def team_my_pe(team: Union[int, str]) -> int:
    """Return this PE's number in a team, or -1 for `TEAM_INVALID`."""
    started("team_my_pe")
    return -1 if team == TEAM_INVALID else c.shmem_team_my_pe(handle("team_my_pe", team))


def team_n_pes(team: Union[int, str]) -> int:
    """Return how many members a team has, or -1 for `TEAM_INVALID`."""
    started("team_n_pes")
    return -1 if team == TEAM_INVALID else c.shmem_team_n_pes(handle("team_n_pes", team))


def team_translate_pe(src_team: Union[int, str], src_pe: int, dest_team: Union[int, str]) -> int:
    """Return the number in `dest_team` of a member of `src_team`, or -1 if it has none."""
    call = "team_translate_pe"
    source = handle(call, src_team)
    number = member(call, "src_pe", src_pe, c.shmem_team_n_pes(source))
    return c.shmem_team_translate_pe(source, number, handle(call, dest_team))


def _config(config: Optional[TeamConfig]) -> Any:
    return None if config is None else ctypes.byref(config)


def team_split_strided(
    parent_team: Union[int, str],
    start: int,
    stride: int,
    size: int,
    config: Optional[TeamConfig] = None,
    config_mask: int = 0,
    new_team_name: Optional[str] = None,
) -> int:
    """Make a team of every `stride`-th member of a team, and return it; `TEAM_INVALID` where this PE is no member.

    Collective over the parent.
    """
    call = "team_split_strided"
    parent = handle(call, parent_team)
    members = c.shmem_team_n_pes(parent)
    first, step = member(call, "start", start, members), integer(call, "stride", stride)
    if integer(call, "size", size) < 1:
        raise NvshmemInvalid(f"{call}: size is {size}; the valid range begins at 1")
    member(call, "start + stride * (size - 1)", first + step * (size - 1), members)
    new = ctypes.c_void_p()
    if c.shmem_team_split_strided(parent, first, step, size, _config(config), config_mask, ctypes.byref(new)) != 0:
        raise NvshmemInvalid(f"{call}: not all members pass the same arguments")
    Teams.add(new_team_name, new.value or TEAM_INVALID)
    return new.value or TEAM_INVALID


def team_split_2d(
    parent_team: Union[int, str],
    xrange: int,
    xaxis_config: Optional[TeamConfig] = None,
    xaxis_mask: int = 0,
    yaxis_config: Optional[TeamConfig] = None,
    yaxis_mask: int = 0,
    new_team_name: Optional[str] = None,
) -> "tuple[int, int]":
    """Arrange the members of a team in rows of `xrange`, and return the teams of this PE's row and column.

    With a name, they are called that with `_x` and `_y`. Collective over the parent.
    """
    call = "team_split_2d"
    parent = handle(call, parent_team)
    if size(call, "xrange", xrange) < 1:
        raise NvshmemInvalid(f"{call}: xrange is {xrange}; the valid range begins at 1")
    x, y = ctypes.c_void_p(), ctypes.c_void_p()
    x_as, y_as = (_config(xaxis_config), xaxis_mask), (_config(yaxis_config), yaxis_mask)
    if c.shmem_team_split_2d(parent, xrange, *x_as, ctypes.byref(x), *y_as, ctypes.byref(y)) != 0:
        raise NvshmemInvalid(f"{call}: not all members pass the same arguments")
    if new_team_name is not None:
        Teams.add(f"{new_team_name}_x", x.value or TEAM_INVALID)
        Teams.add(f"{new_team_name}_y", y.value or TEAM_INVALID)
    return x.value or TEAM_INVALID, y.value or TEAM_INVALID


def team_destroy(team: Union[int, str]) -> None:
    """Destroy a team that was split off. Collective over it; `TEAM_INVALID` is ignored."""
    call = "team_destroy"
    started(call)
    if team == TEAM_INVALID:
        return
    gone = handle(call, team)
    if gone in _PREDEFINED.values():
        raise NvshmemInvalid(f"{call}: the library's own teams cannot be destroyed")
    c.shmem_team_destroy(gone)
    Teams.forget(gone)
