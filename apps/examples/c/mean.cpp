// All PEs add what they have to two counters of PE 0, which then tells everybody the mean.
#include <cstdio>
#include <shmem.h>
#include <vector>

int main()
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();

    auto *totals = static_cast<long *>(shmem_calloc(2, sizeof(long)));
    auto *mean = static_cast<double *>(shmem_malloc(sizeof(double)));

    const std::vector<long> mine(me + 1, 10);
    for (const long value : mine)
        shmem_long_atomic_add(&totals[0], value, 0);
    shmem_long_atomic_add(&totals[1], static_cast<long>(mine.size()), 0);
    shmem_barrier_all();

    if (me == 0)
        for (int pe = 0; pe < n; pe++)
            shmem_double_p(mean, static_cast<double>(totals[0]) / static_cast<double>(totals[1]), pe);
    shmem_barrier_all();
    std::printf("PE %d of %d: mean %.1f\n", me, n, *mean);

    shmem_finalize();
}
