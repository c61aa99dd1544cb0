/* Globals of all kinds as symmetric objects. The first argument selects "all", "copies" (only put and get), "ends", or
 * a mistake. If "node" follows, the PEs of each node form a ring; otherwise all PEs do. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <shmem.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MANY 3000 /* more than a page */

long initialised[4] = {1, 2, 3, 4};
static long zero[MANY];
static uint64_t sig;
static long counter = 1000;
static long word;
static char bytes[3];
static double real = 0.5;
static __thread long of_a_thread;
static long pad[1 << 16];
static int wrong;
static int next, previous; /* in the ring */

#define CHECK(condition)                                                                                                     \
    do {                                                                                                                     \
        if (!(condition)) {                                                                                                  \
            printf("line %d: %s\n", __LINE__, #condition);                                                                   \
            wrong++;                                                                                                         \
        }                                                                                                                    \
    } while (0)

static long *function_local(void)
{
    static long local = 42;
    return &local;
}

static void find_ring(shmem_team_t team)
{
    int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);
    next = shmem_team_translate_pe(team, (me + 1) % n, SHMEM_TEAM_WORLD);
    previous = shmem_team_translate_pe(team, (me + n - 1) % n, SHMEM_TEAM_WORLD);
}

static int is_on_this_node(int pe)
{
    return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0;
}

static void copies(int me)
{
    static long source[MANY], back[MANY];
    for (int i = 0; i < MANY; i++)
        source[i] = 1000 * me + i;
    shmem_long_put(zero, source, MANY, next);
    shmem_char_p(&bytes[1], (char)('a' + me), next);
    shmem_double_p(&real, me + 0.25, next);
    shmem_long_p(function_local(), me, next);
    shmem_barrier_all();
    for (int i = 0; i < MANY; i++)
        CHECK(zero[i] == 1000 * previous + i);
    CHECK(bytes[0] == 0 && bytes[1] == (char)('a' + previous) && bytes[2] == 0);
    CHECK(real == previous + 0.25 && *function_local() == previous);
    shmem_long_get(back, zero, MANY, next);
    for (int i = 0; i < MANY; i++)
        CHECK(back[i] == 1000 * me + i);
    CHECK(shmem_long_g(&zero[7], next) == 1000 * me + 7 && shmem_long_g(&initialised[2], next) == 3);
    shmem_long_put_nbi(&initialised[1], &source[5], 2, next);
    shmem_quiet();
    shmem_barrier_all();
    CHECK(initialised[0] == 1 && initialised[1] == 1000 * previous + 5 && initialised[2] == 1000 * previous + 6);
    CHECK(initialised[3] == 4 && pad[0] == 0);
    shmem_getmem(back, zero, 0, next);
    CHECK(shmem_addr_accessible(zero, next) && shmem_addr_accessible(&initialised[3], me));
    CHECK(!shmem_addr_accessible(&of_a_thread, next) && !shmem_addr_accessible(&me, next));
    CHECK(shmem_ptr(zero, me) == zero && !shmem_ptr(&of_a_thread, next));
    shmem_barrier_all();
    shmem_long_iput(&zero[100], source, 3, 1, 4, next);
    shmem_barrier_all();
    for (int i = 0; i < 4; i++)
        CHECK(zero[100 + 3 * i] == 1000 * previous + i && zero[101 + 3 * i] == 1000 * previous + 101 + 3 * i);
    shmem_long_iget(back, &zero[100], 1, 3, 4, next);
    CHECK(back[0] == 1000 * me && back[3] == 1000 * me + 3);
    /* The heap works beside them. */
    long *heap = shmem_malloc(64);
    shmem_long_put(heap, source, 8, next);
    shmem_long_get(back, heap, 1, me);
    shmem_barrier_all();
    CHECK(heap[3] == 1000 * previous + 3);
    shmem_free(heap);
}

static void words(int me, int n)
{
    long source[8] = {me, 1, 2, 3, 4, 5, 6, 7};
    long *there = shmem_ptr(zero, next);
    CHECK(!there == !is_on_this_node(next) && (there ? there[9] : shmem_long_g(&zero[9], next)) == 1000 * me + 9);
    shmem_barrier_all();
    if (there)
        there[9] = -me;
    else
        shmem_long_p(&zero[9], -me, next);
    shmem_barrier_all();
    CHECK(zero[9] == -previous);
    for (int i = 0; i < 100; i++)
        shmem_long_atomic_fetch_add(&counter, 1, 0);
    shmem_putmem_signal(zero, source, sizeof source, &sig, 5, SHMEM_SIGNAL_SET, next);
    CHECK(shmem_signal_wait_until(&sig, SHMEM_CMP_GE, 5) == 5);
    CHECK(zero[0] == previous && zero[7] == 7);
    shmem_barrier_all();
    shmem_putmem_signal_nbi(zero, source, 8, &sig, 2, SHMEM_SIGNAL_ADD, next);
    shmem_uint64_wait_until(&sig, SHMEM_CMP_EQ, 7);
    shmem_long_p(&word, 3, next);
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 3);
    CHECK(shmem_long_test(&word, SHMEM_CMP_EQ, 3) && shmem_signal_fetch(&sig) == 7);
    static long several[3];
    shmem_long_p(&several[2], 1, next);
    CHECK(shmem_long_wait_until_any(several, 3, NULL, SHMEM_CMP_NE, 0) == 2);
    shmem_barrier_all();
    CHECK(shmem_long_atomic_compare_swap(&word, 3, 9, next) == 3 && shmem_long_atomic_fetch(&word, next) == 9);
    CHECK(shmem_double_atomic_swap(&real, 8.0, me) == previous + 0.25);
    shmem_barrier_all();
    CHECK(me != 0 || counter == 1000 + 100 * n);
}

/* An address in the page after or before the globals, which contains none of them. */
static char *beyond(ptrdiff_t direction)
{
    ptrdiff_t page = sysconf(_SC_PAGESIZE);
    char *at = (char *)((uintptr_t)pad / (uintptr_t)page * (uintptr_t)page);
    while (shmem_addr_accessible(at, shmem_my_pe()))
        at += direction * page;
    return at;
}

/* The last bytes of the globals. Their old values are restored. */
static void ends(int me)
{
    char *end = beyond(1), *start = beyond(-1) + sysconf(_SC_PAGESIZE);
    for (size_t k = 1; k <= 64; k++) {
        char before[64], source[64], back[64] = {0};
        for (size_t i = 0; i < k; i++)
            source[i] = (char)(10 * me + (int)(k + i));
        shmem_getmem(before, end - k, k, next);
        shmem_putmem(end - k, source, k, next);
        shmem_quiet();
        shmem_getmem(back, end - k, k, next);
        CHECK(!memcmp(back, source, k));
        shmem_char_p(end - 1, 77, next);
        shmem_quiet();
        CHECK(shmem_char_g(end - 1, next) == 77);
        if (k >= 4) {
            shmem_iput8(end - k, source, 3, 1, (k + 2) / 3, next);
            shmem_quiet();
            shmem_iget8(back, end - k, 1, 3, (k + 2) / 3, next);
            CHECK(!memcmp(back, source, (k + 2) / 3));
        }
        shmem_putmem(end - k, before, k, next);
        shmem_quiet();
    }
    CHECK(shmem_addr_accessible(end - 1, next) && shmem_ptr(end - 1, me) == end - 1);
    CHECK(shmem_addr_accessible(start, next) && shmem_ptr(start, me) == start);
    CHECK(!shmem_ptr(end, me) && !shmem_ptr(start - 1, me));
    shmem_putmem(end, end, 0, next);
}

/* As on a system where no process may copy from or to another one. */
static void forbid_copies(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
    };
    struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
        perror("seccomp");
}

static void mistake(const char *name)
{
    long *object = zero;
    if (!strcmp(name, "atomic"))
        shmem_long_atomic_inc(&counter, 0);
    else if (!strcmp(name, "signal"))
        shmem_long_put_signal(zero, initialised, 1, &sig, 1, SHMEM_SIGNAL_SET, 0);
    else if (!strcmp(name, "put"))
        shmem_long_put(zero, initialised, 1, 0);
    else if (!strcmp(name, "refused")) {
        forbid_copies();
        shmem_long_put(zero, initialised, 1, 0);
    } else if (!strcmp(name, "past-end"))
        shmem_long_put(object, initialised, (size_t)1 << 40, 0);
    else if (!strcmp(name, "byte-past-end"))
        shmem_putmem(beyond(1) - 5, initialised, 6, 0);
    else if (!strcmp(name, "get-past-end"))
        shmem_getmem(initialised, beyond(1) - 5, 6, 0);
    else if (!strcmp(name, "word-past-end"))
        shmem_long_p((long *)(void *)(beyond(1) - 7), 1, 0);
    else if (!strcmp(name, "blocks-past-end"))
        shmem_iput32(beyond(1) - 11, initialised, 2, 1, 2, 0);
    else if (!strcmp(name, "at-end"))
        shmem_char_p(beyond(1), 1, 0);
    else if (!strcmp(name, "misaligned"))
        shmem_int_atomic_inc((int *)((char *)object + 1), 0);
    else if (!strcmp(name, "pe"))
        shmem_long_put(zero, initialised, 1, 7);
    else if (!strcmp(name, "null"))
        shmem_long_put(zero, NULL, 1, 0);
    else if (!strcmp(name, "thread-local"))
        shmem_long_p(&of_a_thread, 1, 0);
    else if (!strcmp(name, "free"))
        shmem_free(object);
    else if (!strcmp(name, "killed"))
        raise(SIGKILL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    CHECK(initialised[3] == 4 && counter == 1000 && !zero[MANY - 1] && !sig && real == 0.5);
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    find_ring(argc > 2 ? SHMEM_TEAM_SHARED : SHMEM_TEAM_WORLD);
    if (!strcmp(what, "all") || !strcmp(what, "copies")) {
        copies(me);
        if (!strcmp(what, "all"))
            words(me, n);
        else
            for (int pe = 0; pe < n; pe++) {
                CHECK(!shmem_ptr(zero, pe) == (pe != me));
                CHECK(shmem_addr_accessible(zero, pe) == is_on_this_node(pe));
            }
        printf("PE %d of %d: %d wrong\n", me, n, wrong);
    } else if (!strcmp(what, "ends")) {
        ends(me);
        printf("PE %d of %d: %d wrong\n", me, n, wrong);
    } else if (me == 1) {
        mistake(what);
    }
    shmem_barrier_all();
    shmem_finalize();
    return wrong != 0;
}
