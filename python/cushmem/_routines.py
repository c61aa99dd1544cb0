"""The routines that kernels can be linked with, and their types: what `libcushmem_device.ll` defines."""

import functools
import re
from typing import Any, Callable, NamedTuple

from cushmem import device_library
from cushmem.core import ComparisonType, SignalOp

# What their arguments may be. Compilers know numbers, not types of them.
NUMBERS = {number.name: int(number) for number in (*SignalOp, *ComparisonType)}

_RESULT = r"(?:[\w()]+ )*?(void|i\d+|float|double)"
_DEFINITION = re.compile(rf"^define {_RESULT} @(shmemx?_\w+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", re.MULTILINE)
# Of routines that differ in the type of elements, those whose numbers have no sign.
_UNSIGNED = re.compile(r"_(u\w+|size)_|signal_fetch")


class Routine(NamedTuple):
    """A routine: types are "void", "float", "double", or as "i32" or "u32".

    A parameter of 64 bits is "i64", also if it is an address, a size or a number without a sign: what has fewer bits is
    extended as its own type says.
    """

    result: str
    # By their names.
    parameters: "dict[str, str]"


def _type(of_llvm: str, is_unsigned: bool) -> str:
    if of_llvm == "ptr":
        return "i64"
    return of_llvm.replace("i", "u") if is_unsigned and of_llvm.startswith("i") else of_llvm


@functools.cache
def routines() -> "dict[str, Routine]":
    """Return all routines by their names."""
    with open(device_library("ll"), encoding="utf-8") as file:
        text = file.read()
    found = {}
    for result, name, parameters in _DEFINITION.findall(text):
        is_unsigned = name == "shmem_ptr" or _UNSIGNED.search(name) is not None
        types = {}
        for parameter in filter(None, parameters.split(", ")):
            words = parameter.split()
            # Some have numbers instead of names.
            label = words[-1].lstrip("%")
            types[f"argument{label}" if label.isdigit() else label] = _type(words[0], is_unsigned and words[0] != "i64")
        found[name] = Routine(_type(result, is_unsigned), types)
    return found


def fill(
    module: "dict[str, Any]", make: "Callable[[str, Routine], Any]"
) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """Add the numbers to a module. Returns its `__getattr__` and `__dir__`, with which it has all routines, too.

    Each is made when it is first used.
    """
    module.update(NUMBERS)

    def find(name: str) -> Any:
        routine = routines().get(name)
        if routine is None:
            raise AttributeError(f"{module['__name__']} has no {name}")
        made = module[name] = make(name, routine)
        return made

    return find, lambda: sorted({*module, *routines()})
