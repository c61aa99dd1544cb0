"""Ways to start: as whatever started it says, or with `--id N`, which starts N processes with a unique id."""

import subprocess
import sys

import cushmem.core as nvshmem


def work():
    me, n = nvshmem.my_pe(), nvshmem.n_pes()
    nvshmem.free(nvshmem.buffer(8, host=True))
    nvshmem.barrier_all()
    nvshmem.finalize()
    print(f"PE {me} of {n}: ok\n", end="", flush=True)


def by_id(n):
    uid = nvshmem.get_unique_id()
    command = [sys.executable, __file__, "--join"]
    children = [subprocess.Popen([*command, str(rank), str(n)], stdin=subprocess.PIPE) for rank in range(1, n)]
    for child in children:
        child.stdin.write(bytes(uid))
        child.stdin.close()
    nvshmem.init(uid=uid, rank=0, nranks=n, initializer_method="uid")
    work()
    # A signal is a negative status.
    return int(any([child.wait() != 0 for child in children]))


def main(how="", *numbers):
    if how == "--id":
        return by_id(int(numbers[0]))
    if how == "--join":
        uid = nvshmem.UniqueID(sys.stdin.buffer.read())
        nvshmem.init(uid=uid, rank=int(numbers[0]), nranks=int(numbers[1]))
    else:
        nvshmem.init()
    work()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
