"""OpenSHMEM for Python, with the names of nvshmem.core: `import cushmem.core as nvshmem`."""

from typing import Any

from cushmem.core import arrays, collective, direct, interop, job, memory, rma, teams, utils
from cushmem.core._checks import NvshmemError, NvshmemInvalid, NvshmemWarning, not_offered
from cushmem.core.arrays import *  # noqa: F403
from cushmem.core.collective import *  # noqa: F403
from cushmem.core.direct import *  # noqa: F403
from cushmem.core.job import *  # noqa: F403
from cushmem.core.memory import *  # noqa: F403
from cushmem.core.rma import *  # noqa: F403
from cushmem.core.teams import *  # noqa: F403
from cushmem.core.utils import *  # noqa: F403

# The two that are submodules of nvshmem.core too.
__all__ = ["NvshmemError", "NvshmemInvalid", "NvshmemWarning", "direct", "interop"]
for _module in (arrays, collective, direct, job, memory, rma, teams, utils):
    __all__ += _module.__all__

_NOT_OFFERED = {
    "DeviceLibLanguage": "cushmem.device_library(form) names the files",
    "NvshmemKernelObject": "pass the CUmodule or CUlibrary to module_init or library_init",
    "NvshmemResource": "buffer() allocates",
    "SmemAmount": "kernels need no shared memory of the library's",
    "TeamUniqueId": "split a team",
    "ThreadSupport": "all threads may call",
    "amo": "use cushmem.c.shmem_int64_atomic_add and the like, or a kernel",
    "ask_smem": "kernels need no shared memory of the library's",
    "bytearray": 'use array(nbytes, "uint8")',
    "find_device_bitcode_library": "use cushmem.device_library()",
    "get_team_unique_id": "split a team",
    "query_thread": "all threads may call",
    "team_get_config": "use cushmem.c.shmem_team_get_config",
    "team_init": "use team_split_strided",
}


def __getattr__(name: str) -> Any:
    if name in _NOT_OFFERED:
        not_offered(name, _NOT_OFFERED[name])
    raise AttributeError(f"cushmem.core has no {name}")
