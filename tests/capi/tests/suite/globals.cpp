// What constructors write before main, and members and templates as symmetric objects.
#include <cstdio>
#include <iostream>
#include <shmem.h>
#include <vector>

namespace {
struct Counted {
    long value;
    static long made;
    explicit Counted(long v) : value(v) { made++; }
};
long Counted::made = 0;

Counted first(17);
std::vector<long> list(100, 3);
template <typename T> struct Of {
    static T object;
};
template <typename T> T Of<T>::object = T(5);
} // namespace

int main()
{
    int wrong = Counted::made == 1 && first.value == 17 && list.size() == 100 && list[99] == 3 ? 0 : 1;
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, previous = (me + n - 1) % n;
    wrong += shmem_long_g(&first.value, next) != 17;
    wrong += shmem_double_g(&Of<double>::object, next) != 5.0;
    shmem_barrier_all();
    shmem_long_p(&first.value, 100 + me, next);
    shmem_double_p(&Of<double>::object, me, next);
    shmem_long_atomic_add(&Counted::made, 2, next);
    shmem_barrier_all();
    wrong += first.value != 100 + previous || Of<double>::object != previous || Counted::made != 3;
    std::cout << "PE " << me << " of " << n << ": " << wrong << " wrong" << std::endl;
    shmem_finalize();
    return wrong;
}
