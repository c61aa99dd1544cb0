"""Times of torch's symmetric memory by back end, on two GPUs: `symmetric_times.py CUDA CUSHMEM`.

Each back end has two processes, because torch lets none change it. They take turns, so that all see the same machine.
"""

import functools
import os
import statistics
import subprocess
import sys
import time
from datetime import timedelta

SIZES = [8 << 10, 64 << 10, 512 << 10, 4 << 20, 64 << 20]
ROUNDS, REPEATS, LIMIT_S = 7, 20, 100


def measure(torch, symm_mem, dist, rank):
    """Yields a value for each step, so that others may take their turn in between."""
    device, group = torch.device("cuda", rank), dist.group.WORLD
    group_name = group.group_name

    def fresh(nbytes):
        torch.cuda.synchronize()
        dist.barrier()
        start = time.perf_counter()
        tensor = symm_mem.empty(nbytes // 4, dtype=torch.float32, device=device)
        symm_mem.rendezvous(tensor, group)
        spent = (time.perf_counter() - start) * 1e6
        return tensor, spent

    def per_call(call):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        call()
        torch.cuda.synchronize()
        dist.barrier()
        start.record()
        for _ in range(REPEATS):
            call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e3 / REPEATS

    # The first one starts everything.
    yield "first empty + rendezvous", fresh(1 << 12)[1]
    for size, text in ((1 << 20, "1 MiB"), (1 << 30, "1 GiB")):
        for turn in range(4):
            tensor, spent = fresh(size)
            del tensor
            torch.cuda.empty_cache()
            yield f"empty + rendezvous {text}" + ("" if turn else ", first"), spent
    handle = symm_mem.rendezvous(fresh(1 << 12)[0], group)
    for _ in range(ROUNDS):
        yield "barrier", per_call(lambda: handle.barrier(channel=0))
    tensor, _ = fresh(max(SIZES))
    one_shot, two_shot = torch.ops.symm_mem.one_shot_all_reduce, torch.ops.symm_mem.two_shot_all_reduce_
    for size in SIZES:
        part = tensor[: size // 4]
        part.fill_(rank + 1.0)
        dist.barrier()
        assert one_shot(part, "sum", group_name).eq(3).all()
        out = torch.empty_like(part)
        kib = size >> 10
        into = torch.ops.symm_mem.one_shot_all_reduce_out
        part.fill_(0.0)
        for _ in range(ROUNDS):
            yield f"one_shot {kib} KiB", per_call(functools.partial(into, part, "sum", group_name, out))
            yield f"two_shot {kib} KiB", per_call(functools.partial(two_shot, part, "sum", group_name))
        part.fill_(rank + 1.0)
        torch.cuda.synchronize()
        dist.barrier()
        two_shot(part, "sum", group_name)
        assert part.eq(3).all()


def member(name, index, count, rank):
    import torch
    import torch.distributed as dist
    import torch.distributed._symmetric_memory as symm_mem

    torch.cuda.set_device(rank)
    # The end of a turn is a key of a store that all share.
    turns = dist.TCPStore("127.0.0.1", int(os.environ["TURNS_PORT"]), None, False, timedelta(seconds=LIMIT_S))
    dist.init_process_group("gloo", timeout=timedelta(seconds=LIMIT_S))
    if name == "CUSHMEM":
        import cushmem.torch  # noqa: F401
    # Versions of torch whose default it is do not let it be chosen.
    if symm_mem.get_backend(torch.device("cuda", rank)) != name:
        symm_mem.set_backend(name)
    step = -1
    steps = measure(torch, symm_mem, dist, rank)
    while True:
        step += 1
        mine = step * count + index
        if mine > 0:
            turns.get(f"{mine - 1}/{rank}")
        found = None
        try:
            found = next(steps, None)
            if found is not None and rank == 0:
                print(f"{name}\t{found[0]}\t{found[1]:.3f}", flush=True)
        except Exception as error:
            print(f"{name}\tfailed\t{type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
        torch.cuda.synchronize()
        turns.set(f"{mine}/{rank}", "over")
        if found is None:
            # The others go on without it.
            for later in range(step + 1, 400):
                turns.set(f"{later * count + index}/{rank}", "over")
            return


def main():
    if sys.argv[1] == "--member":
        member(sys.argv[2], *map(int, sys.argv[3:6]))
        # What torch and NVSHMEM end by themselves is not what is measured.
        sys.stdout.flush()
        os._exit(0)
    from torch.distributed import TCPStore

    turns = TCPStore("127.0.0.1", 0, None, True, timedelta(seconds=LIMIT_S), wait_for_workers=False)
    names, processes = sys.argv[1:], []
    for index, name in enumerate(names):
        port = str(TCPStore("127.0.0.1", 0, None, True, wait_for_workers=False).port)
        for rank in range(2):
            env = {**os.environ, "TURNS_PORT": str(turns.port), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
            env |= {"RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": "2"}
            line = [sys.executable, __file__, "--member", name, str(index), str(len(names)), str(rank)]
            processes.append(subprocess.Popen(line, env=env, stdout=subprocess.PIPE, text=True))
    times: dict[str, dict[str, list[float]]] = {}
    for process in processes:
        for line in process.communicate()[0].splitlines():
            name, what, value = line.split("\t")
            if what == "failed":
                print(f"{name}: {value}")
            else:
                times.setdefault(what, {}).setdefault(name, []).append(float(value))
    print(f"{'median, µs':28}" + "".join(f"{name:>14}" for name in names))
    for what, by_name in times.items():
        medians = (f"{statistics.median(by_name[name]):14.1f}" if name in by_name else f"{'-':>14}" for name in names)
        print(f"{what:28}" + "".join(medians))


if __name__ == "__main__":
    main()
