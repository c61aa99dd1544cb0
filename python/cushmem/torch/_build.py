"""How `symmetric.cpp` is compiled. Nothing of torch is imported here.

As a program it compiles the back ends that are packed into a wheel, without the package being installed:
`python3 _build.py HEADERS OUT FOLDER...`. In each FOLDER lies the package of a version of torch.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Optional

# The minor versions of torch 2 whose interface the source was compiled for. It has no stable ABI.
OLDEST, NEWEST = 11, 15

SOURCE = Path(__file__).with_name("symmetric.cpp")
READY = Path(__file__).with_name("ready")


def command(compiler: "list[str]", torch: Path, abi: int, headers: Path, out: Path) -> "list[str]":
    """Return the command, for the torch in that folder."""
    flags = ["-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", f"-D_GLIBCXX_USE_CXX11_ABI={abi}"]
    include = [f"-isystem{torch}/include", f"-isystem{torch}/include/torch/csrc/api/include", f"-I{headers}"]
    return [*compiler, *flags, *include, str(SOURCE), "-o", str(out), f"-L{torch}/lib", "-lc10", "-ltorch_cpu"]


def minor(version: str) -> Optional[int]:
    """Return the minor version, if it is one of those."""
    found = re.match(r"2\.(\d+)\b", version)
    number = int(found[1]) if found else -1
    return number if OLDEST <= number <= NEWEST else None


def is_release(version: str) -> bool:
    """Return whether that is a release. Pre-releases may differ from the release of that number."""
    return re.fullmatch(r"\d+\.\d+\.\d+(\+.*)?", version) is not None


def ready(version: str) -> Optional[Path]:
    """Return the library in this package for a version of torch, if there is one."""
    path = READY / f"symmetric-2.{minor(version)}.so"
    return path if is_release(version) and path.exists() else None


def others_ready(version: str) -> "list[str]":
    """Return for which other versions this package has libraries."""
    others = (path for path in READY.glob("symmetric-2.*.so") if path != ready(version))
    return [f"2.{number}" for number in sorted(int(path.stem.split(".")[1]) for path in others)]


def main(headers: str, out: str, *folders: str) -> None:
    """Compile for the versions of torch in these folders."""
    made: dict[int, str] = {}
    for folder in folders:
        torch = Path(folder) / "torch"
        found = re.search(r"__version__ = '([^']+)'", (torch / "version.py").read_text())
        version = found[1] if found else ""
        number = minor(version)
        if number is None:
            sys.exit(f"{folder} has torch {version}; the back ends are for 2.{OLDEST} to 2.{NEWEST}")
        if not is_release(version):
            sys.exit(f"{folder} has torch {version}; a wheel has back ends for releases only")
        if number in made:
            sys.exit(f"{folder} has torch {version}, and {made[number]} is another 2.{number}")
        made[number] = folder
        # Since 2.7, all releases have the newer one of the two ABIs of GNU's library.
        path = Path(out) / f"symmetric-2.{number}.so"
        subprocess.run(command(["g++"], torch, 1, Path(headers), path), check=True)
        print(f"back ends for torch 2.{number}, compiled with {version}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
