"""What `import cushmem.torch` says where it cannot have back ends, and that the rest works. Needs an empty cache."""

import os
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import cushmem
import cushmem.core as nvshmem

assert "torch" not in sys.modules, "import cushmem imports torch"

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed._symmetric_memory as symm_mem  # noqa: E402


def why(version, compiler):
    """Import the package anew, as if that were what is installed, and return what it says."""
    installed = torch.__version__
    torch.__version__, os.environ["CXX"] = version or installed, compiler
    for name in [name for name in sys.modules if name.startswith("cushmem.torch")]:
        del sys.modules[name]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        import cushmem.torch
    torch.__version__ = installed
    assert cushmem.torch._extension is None
    (line,) = [str(warning.message) for warning in found if "no back ends" in str(warning.message)]
    assert "\n" not in line
    return line.removeprefix("cushmem.torch: no back ends for symmetric memory: ")


with tempfile.TemporaryDirectory() as folder:
    os.environ["TORCH_EXTENSIONS_DIR"] = folder
    for version in ("2.10.1", "2.16.0+cpu", "3.11.0"):
        assert why(version, "g++") == f"this is torch {version}; the back ends are for 2.11 to 2.15"
    lacks = "there is no C++ compiler (CXX, by default g++), which has to compile them once for torch"
    for compiler in ("", "/nowhere/g++"):
        assert why(None, compiler) == f"{lacks} {torch.__version__}"
    line = why(None, "sh -c 'echo it breaks >&2; exit 3'")
    start, log = line.split("; its messages are in ")
    assert start == "sh ends with status 3" and "it breaks" in Path(log).read_text(), line
    assert [name for name in os.listdir(f"{folder}/cushmem") if name.startswith("tmp")] == []
    # What fails is tried once, for all who came before that. Threads lock files as processes do.
    os.environ["CXX"] = f"sh -c 'echo >> {folder}/tries; sleep 1; exit 3'"
    said, extension = [], sys.modules["cushmem.torch._extension"]

    def attempt():
        try:
            extension.build()
        except extension.UnavailableError as error:
            said.append(str(error).split("; ")[0])

    for _ in range(2):
        threads = [threading.Thread(target=attempt) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        again = "sh has failed for another process"
        assert sorted(said) == ["sh ends with status 3", again, again], said
        said.clear()
    assert Path(f"{folder}/tries").read_text() == "\n\n"
    # A wheel gets none for what comes before a release.
    (Path(folder) / "torch").mkdir()
    (Path(folder) / "torch/version.py").write_text("__version__ = '2.15.0.dev20260101'\n")
    try:
        extension._build.main(folder, folder, folder)
    except SystemExit as error:
        only = "a wheel has back ends for releases only"
        assert str(error) == f"{folder} has torch 2.15.0.dev20260101; {only}", error
    else:
        raise AssertionError("they are compiled for a version before a release")
try:
    symm_mem.set_backend("CUSHMEM_SOFT")
except RuntimeError as error:
    assert "CUSHMEM_SOFT" in str(error)
else:
    raise AssertionError("there is a back end")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
cushmem.torch.init()
assert nvshmem.n_pes() == 1
nvshmem.finalize()
print("PE 0 of 1: ok")
