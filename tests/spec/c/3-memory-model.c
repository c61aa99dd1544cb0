/* 3 Memory model: global and static variables of the program are symmetric and have their initial values. */
#include "check.h"

enum { LARGE = 300000 };

int initialised = 42;
static long zero;
static long large_zero[LARGE];
static short large_initialised[LARGE] = {1, 2, 3};
static double pi = 3.25;
long double wide[3] = {1, 2, 3};
static struct {
    char name[5];
    uint64_t signal;
    float values[7];
} record = {"spec", 7, {1, 2, 3, 4, 5, 6, 7}};
static long *pointer_to_zero = &zero;
static const char *text = "constant";

static long *in_function(void)
{
    static long word = 11;
    return &word;
}

int main(void)
{
    int next, previous;
    /* A program may also write before joining, and the value stays. */
    large_zero[LARGE - 1] = 5; /* 3-3 */
    initialised++;
    begin();
    next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    routine = "values at the start";
    CHECK(initialised == 43 && zero == 0 && large_zero[0] == 0 && large_zero[LARGE - 1] == 5 && pi == 3.25); /* 3-1 */
    CHECK(large_initialised[0] == 1 && large_initialised[2] == 3 && large_initialised[LARGE - 1] == 0);
    CHECK(wide[2] == 3 && !strcmp(record.name, "spec") && record.signal == 7 && record.values[6] == 7);
    CHECK(pointer_to_zero == &zero && !strcmp(text, "constant") && *in_function() == 11);

    routine = "globals are symmetric";
    for (int pe = 0; pe < npes; pe++) {
        SAME(shmem_addr_accessible(&initialised, pe), 1);
        SAME(shmem_addr_accessible(large_zero + LARGE - 1, pe), 1);
        SAME(shmem_addr_accessible(in_function(), pe), 1); /* 9.1.8-4 */
    }
    /* The others have looked at their own variables before they change. */
    shmem_barrier_all();
    shmem_int_p(&initialised, 100 + me, next);
    shmem_double_p(&pi, me + 0.5, next);
    shmem_longdouble_p(wide + 1, me + 0.25L, next);
    shmem_putmem(record.name, "abcd", 5, next);
    shmem_long_p(in_function(), 1000 + me, next);
    for (int pe = 0; pe < npes; pe++)
        shmem_long_atomic_add(&zero, me + 1, pe);
    static long source[LARGE];
    for (int i = 0; i < LARGE; i++)
        source[i] = VALUE(long, me, 0, i);
    shmem_long_put(large_zero, source, LARGE, next); /* 9.6.1.1-3 */
    shmem_short_iput(large_initialised + 1, large_initialised, 3, 1, 3, next);
    shmem_barrier_all();
    SAME(initialised, 100 + previous);
    SAME(pi, previous + 0.5);
    SAME(wide[1], previous + 0.25L);
    CHECK(wide[0] == 1 && wide[2] == 3);
    CHECK(!strcmp(record.name, "abcd") && record.values[0] == 1);
    SAME(*in_function(), 1000 + previous);
    SAME(*pointer_to_zero, npes * (npes + 1) / 2);
    int wrong = 0;
    for (int i = 0; i < LARGE; i++)
        wrong += large_zero[i] != VALUE(long, previous, 0, i);
    SAME(wrong, 0);
    shmem_barrier_all();

    routine = "gets, atomics, signals and waits on globals";
    memset(source, 0, sizeof source);
    shmem_long_get(source, large_zero, LARGE, previous);
    for (int i = 0; i < LARGE; i++)
        wrong += source[i] != VALUE(long, (me + 2 * npes - 2) % npes, 0, i);
    SAME(wrong, 0);
    SAME(shmem_int_g(&initialised, next), 100 + me);
    SAME(shmem_long_atomic_compare_swap(in_function(), 1000 + me, me, next), 1000 + me);
    record.signal = 0;
    shmem_barrier_all();
    shmem_float_put_signal(record.values + 1, record.values, 2, &record.signal, 9, SHMEM_SIGNAL_ADD, next);
    SAME(shmem_signal_wait_until(&record.signal, SHMEM_CMP_NE, 0), 9);
    CHECK(record.values[1] == 1);
    shmem_long_wait_until(in_function(), SHMEM_CMP_EQ, previous);
    return finish();
}
