/* A program of the suite with routines that do something wrong, one at a time: the one that the variable WRONG
 * names. */
#include PROGRAM
#include <pshmem.h>

static int is(const char *mistake)
{
    const char *wrong = getenv("WRONG");
    return wrong && !strcmp(wrong, mistake);
}

void shmem_long_put(long *dest, const long *source, size_t n, int pe)
{
    pshmem_long_put(dest, source, n - (is("one too few") && n > 0), pe);
}

void shmem_short_get_nbi(short *dest, const short *source, size_t n, int pe)
{
    pshmem_short_get_nbi(dest, source, n, is("from the next PE") ? (pe + 1) % npes : pe);
}

void shmem_putmem(void *dest, const void *source, size_t n, int pe)
{
    pshmem_putmem(dest, source, is("whole words") ? (n + 7) / 8 * 8 : n, pe);
}

void shmem_double_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)
{
    int swapped = is("strides swapped");
    pshmem_double_iput(dest, source, swapped ? sst : dst, swapped ? dst : sst, n, pe);
}

long shmem_long_atomic_fetch_inc(long *dest, int pe)
{
    if (!is("not atomic"))
        return pshmem_long_atomic_fetch_inc(dest, pe);
    long old = pshmem_long_g(dest, pe);
    pshmem_long_p(dest, old + 1, pe);
    return old;
}

unsigned shmem_uint_atomic_fetch_and(unsigned *dest, unsigned value, int pe)
{
    unsigned old = pshmem_uint_atomic_fetch_and(dest, value, pe);
    return is("the new value") ? old & value : old;
}

void shmem_ctx_int_put_signal(shmem_ctx_t ctx, int *dest, const int *source, size_t n, uint64_t *sig_addr, uint64_t signal,
                              int sig_op, int pe)
{
    pshmem_ctx_int_put_signal(ctx, dest, source, n, sig_addr, signal, is("always set") ? SHMEM_SIGNAL_SET : sig_op, pe);
}

int shmem_int_test_all(int *ivars, size_t n, const int *status, int cmp, int value)
{
    return pshmem_int_test_all(ivars, n, is("mask ignored") ? NULL : status, cmp, value);
}

size_t shmem_int_test_any(int *ivars, size_t n, const int *status, int cmp, int value)
{
    size_t at = 0;
    if (!is("always the first"))
        return pshmem_int_test_any(ivars, n, status, cmp, value);
    while (at < n && ((status && status[at]) || !pshmem_int_test(ivars + at, cmp, value)))
        at++;
    return at < n ? at : SIZE_MAX;
}

int shmem_team_my_pe(shmem_team_t team)
{
    int my = pshmem_team_my_pe(team);
    return is("reversed") && my >= 0 ? pshmem_team_n_pes(team) - 1 - my : my;
}

int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *context)
{
    if (is("numbers of the world") && team != SHMEM_TEAM_INVALID)
        return pshmem_ctx_create(options, context);
    shmem_ctx_t before = *context;
    int answer = pshmem_team_create_ctx(team, options, context);
    if (is("handle kept") && answer)
        *context = before;
    return answer;
}

int shmem_team_sync(shmem_team_t team)
{
    return is("no sync") ? 0 : pshmem_team_sync(team);
}

void shmem_barrier_all(void)
{
    if (!is("no barrier"))
        pshmem_barrier_all();
}

int shmem_int_broadcast(shmem_team_t team, int *dest, const int *source, size_t n, int root)
{
    int last = n > 0 ? dest[n - 1] : 0, answer = pshmem_int_broadcast(team, dest, source, n, root);
    if (is("not to the root") && n > 0 && pshmem_team_my_pe(team) == root)
        dest[n - 1] = last;
    return answer;
}

int shmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t n)
{
    return is("equal lengths") ? pshmem_fcollectmem(team, dest, source, n) : pshmem_collectmem(team, dest, source, n);
}

int shmem_uint8_max_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t n)
{
    return is("signed") ? pshmem_int8_max_reduce(team, (int8_t *)dest, (const int8_t *)source, n)
                        : pshmem_uint8_max_reduce(team, dest, source, n);
}

int shmem_float_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t n)
{
    return is("inclusive") ? pshmem_float_sum_inscan(team, dest, source, n)
                           : pshmem_float_sum_exscan(team, dest, source, n);
}

void shmem_broadcast32(void *dest, const void *source, size_t n, int root, int start, int log, int size, long *pSync)
{
    pshmem_broadcast32(dest, source, n, root, start, log, size, pSync);
    if (is("to the root too") && pshmem_my_pe() == start + (root << log))
        memcpy(dest, source, 4 * n);
}

void shmem_set_lock(long *lock)
{
    if (!is("no lock"))
        pshmem_set_lock(lock);
}

void shmem_clear_lock(long *lock)
{
    if (!is("no lock"))
        pshmem_clear_lock(lock);
}

void *shmem_calloc(size_t count, size_t size)
{
    return is("not cleared") ? pshmem_malloc(count * size) : pshmem_calloc(count, size);
}

void *shmem_realloc(void *object, size_t size)
{
    if (!is("contents lost"))
        return pshmem_realloc(object, size);
    void *other = pshmem_malloc(size);
    if (other || size == 0)
        pshmem_free(object);
    return other;
}

int shmem_long_test_all_vector(long *ivars, size_t n, const int *status, int cmp, const long *values)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        left += !status || !status[i];
    return is("false of nothing") && left == 0 ? 0 : pshmem_long_test_all_vector(ivars, n, status, cmp, values);
}

int shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t *config)
{
    return pshmem_team_get_config(team, is("no mask") && config ? SHMEM_TEAM_NUM_CONTEXTS : mask, config);
}

int shmem_ctx_create(long options, shmem_ctx_t *context)
{
    shmem_ctx_t before = *context;
    int answer = pshmem_ctx_create(options, context);
    if (is("context kept") && answer)
        *context = before;
    return answer;
}

void shmem_ctx_destroy(shmem_ctx_t context)
{
    if (!is("contexts stay"))
        pshmem_ctx_destroy(context);
}

int shmem_ctx_get_team(shmem_ctx_t context, shmem_team_t *team)
{
    if (is("no default team") && context == SHMEM_CTX_DEFAULT)
        return *team = SHMEM_TEAM_INVALID, 0;
    return pshmem_ctx_get_team(context, team);
}

int shmem_addr_accessible(const void *address, int pe)
{
    return is("any PE") && pe >= shmem_n_pes() ? 1 : pshmem_addr_accessible(address, pe);
}

int shmem_long_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t n)
{
    return pshmem_long_sum_inscan(team, dest, source, is("one of none") && n == 0 ? 1 : n);
}

/* Whether this thread is the one that runs `main`. */
static __thread int is_main = 0;

int shmem_init_thread(int requested, int *provided)
{
    is_main = 1;
    return pshmem_init_thread(requested, provided);
}

void shmem_query_initialized(int *initialized)
{
    pshmem_query_initialized(initialized);
    *initialized &= is_main || !is("for one thread");
}

/* An operation that only shmem_quiet starts. */
static struct {
    long *dest;
    const long *source;
    size_t n;
    uint64_t *sig_addr, signal;
    int pe, kind;
} held;

static int hold(const char *mistake, int kind, long *dest, const long *source, size_t n, int pe)
{
    if (!is(mistake))
        return 0;
    held.dest = dest, held.source = source, held.n = n, held.pe = pe, held.kind = kind;
    return 1;
}

void shmem_long_put_nbi(long *dest, const long *source, size_t n, int pe)
{
    if (is("puts of other threads") && !is_main)
        return;
    if (!hold("puts wait for quiet", 1, dest, source, n, pe))
        pshmem_long_put_nbi(dest, source, n, pe);
}

void shmem_long_get_nbi(long *dest, const long *source, size_t n, int pe)
{
    if (!hold("gets wait for quiet", 2, dest, source, n, pe))
        pshmem_long_get_nbi(dest, source, n, pe);
}

void shmem_long_atomic_fetch_inc_nbi(long *fetch, long *dest, int pe)
{
    if (!hold("atomics wait for quiet", 3, dest, fetch, 1, pe))
        pshmem_long_atomic_fetch_inc_nbi(fetch, dest, pe);
}

void shmem_long_put_signal_nbi(long *dest, const long *source, size_t n, uint64_t *sig_addr, uint64_t signal, int sig_op,
                               int pe)
{
    held.sig_addr = sig_addr, held.signal = signal;
    if (!hold("signals wait for quiet", 4, dest, source, n, pe))
        pshmem_long_put_signal_nbi(dest, source, n, sig_addr, signal, sig_op, pe);
}

/* The signal does not wait for the data, which comes only with the next quiet. */
void shmem_int_put_signal(int *dest, const int *source, size_t n, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{
    int holds = hold("signal first", 5, (long *)dest, (const long *)source, n * sizeof *dest, pe);
    pshmem_int_put_signal(dest, source, holds ? 0 : n, sig_addr, signal, sig_op, pe);
}

void shmem_quiet(void)
{
    switch (held.kind) {
    case 1: pshmem_long_put(held.dest, held.source, held.n, held.pe); break;
    case 2: pshmem_long_get(held.dest, held.source, held.n, held.pe); break;
    case 3: pshmem_long_atomic_inc(held.dest, held.pe); break;
    case 4:
        pshmem_long_put_signal(held.dest, held.source, held.n, held.sig_addr, held.signal, SHMEM_SIGNAL_ADD, held.pe);
        break;
    case 5: pshmem_putmem(held.dest, held.source, held.n, held.pe); break;
    }
    held.kind = 0;
    pshmem_quiet();
}
