"""The back ends that a wheel has for some versions of torch, without a compiler: `back_ends_ready.py 2.14 2.15`."""

import os
import sys
import tempfile
import warnings
from pathlib import Path

READY = sys.argv[1:]
os.environ["CXX"] = "/nowhere/g++"

import torch  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("error")
    import cushmem.torch
    from cushmem.torch import _build

this = ".".join(torch.__version__.split(".")[:2])
assert this in READY and cushmem.torch._extension is not None
loaded = [line for line in Path("/proc/self/maps").read_text().splitlines() if "/symmetric-" in line]
assert loaded and all(line.endswith(f"/cushmem/torch/ready/symmetric-{this}.so") for line in loaded), loaded

extension = sys.modules["cushmem.torch._extension"]


def why(version):
    """Return what is said for that version of torch."""
    installed, torch.__version__ = torch.__version__, version
    try:
        extension._load()
    except extension.UnavailableError as error:
        return str(error)
    finally:
        torch.__version__ = installed
    raise AssertionError(f"there are back ends for {version}")


lacks = "there is no C++ compiler (CXX, by default g++), which has to compile them once for torch {}; {}"
here = f"they are here for {', '.join(READY)}"
others = [f"2.{minor}" for minor in range(_build.OLDEST, _build.NEWEST + 1) if f"2.{minor}" not in READY]
# What comes before a release may differ from it.
for version in (*(f"{other}.0+cpu" for other in others), f"{this}.0a0+git1234567", f"{this}.0.dev20260101"):
    assert why(version) == lacks.format(version, here)
for version in ("2.10.2", "2.16.0", "12.15.0"):
    assert why(version) == f"this is torch {version}; the back ends are for 2.{_build.OLDEST} to 2.{_build.NEWEST}"
# A library that does not load is not the end, and the text tells of it.
with tempfile.TemporaryDirectory() as folder:
    _build.READY = Path(folder)
    for there in (this, "2.1"):
        (Path(folder) / f"symmetric-{there}.so").write_bytes(b"no library")
    fails = f"they are here for 2.1; the one here does not load: {folder}/symmetric-{this}.so: file too short"
    assert why(torch.__version__) == lacks.format(torch.__version__, fails), why(torch.__version__)
print("PE 0 of 1: ok")
