"""A kernel of cushmem.triton in a function under `torch.compile`: it stays out of the graph. Needs no GPU."""

import torch

import cushmem.core as nvshmem
import cushmem.triton

launches = []


class Stub:
    """Stands for a kernel of `triton.jit`."""

    __name__ = "stub"

    def run(self, x, grid, warmup, extern_libs):
        assert not torch.compiler.is_compiling() and type(x) is torch.Tensor
        launches.append((grid, warmup, sorted(extern_libs)))
        x.add_(100)


stub = cushmem.triton.kernel(Stub())


def calls(x):
    y = x * 2
    stub[(7,)](y)
    return y + 1


cushmem.triton.device_library = lambda form: form
nvshmem.init()
graphs = []


def backend(graph, _):
    graphs.append(graph)
    return graph


assert torch.compile(calls, backend=backend)(torch.arange(4)).tolist() == [101, 103, 105, 107]
assert launches == [((7,), False, ["libcushmem_device"])]
# Before the kernel and behind it.
assert len(graphs) == 2
torch.compiler.reset()
try:
    torch.compile(calls, backend=backend, fullgraph=True)(torch.arange(4))
except Exception as error:
    assert "kernels of cushmem.triton run outside of graphs" in str(error), error
else:
    raise AssertionError("the kernel is in a graph")
nvshmem.finalize()
print("PE 0 of 1: ok")
