"""Whether a page, docs/from-nvshmem4py.md, lists all names, those that are not offered too."""

import sys
from pathlib import Path

import cushmem.core as nvshmem


def main(page):
    text = Path(page).read_text(encoding="utf-8")
    names = {*nvshmem.__all__, *nvshmem._NOT_OFFERED}
    missing = sorted(name for name in names if f"`{name}`" not in text)
    assert not missing, f"{page} lacks {missing}"
    assert all(hasattr(nvshmem, name) for name in nvshmem.__all__)
    print("PE 0 of 1: ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
