/* 9.8 Signals: the data arrives before the signal that follows it; what set, add and fetch do; all types, sizes and
 * forms. */
#include "check.h"

enum { N = 11, ROUNDS = 200, BYTES = 16 * (N + 2) };

static unsigned char *data, *local;
/* One signal for each sender, then one for all. */
static uint64_t *sig;
static shmem_ctx_t ctx;

/* Sends to the right, with the signal. The receiver looks at the data as soon as the signal has arrived. CALL sends
 * `source` to `dest`. */
#define SEND(TYPE, CALL, ADDS)                                                                                         \
    {                                                                                                                  \
        int pe = (me + 1) % npes, left = (me + npes - 1) % npes;                                                       \
        uint64_t *signal = sig + me, value = 1000 + pe;                                                              \
        TYPE *dest = (TYPE *)(void *)data + 1, *source = (TYPE *)(void *)local;                                        \
        routine = #CALL;                                                                                               \
        guard(data, BYTES);                                                                                            \
        sig[left] = 40 + left;                                                                                         \
        for (int i = 0; i < N; i++)                                                                                    \
            source[i] = VALUE(TYPE, me, pe, i);                                                                        \
        shmem_barrier_all();                                                                                           \
        CALL;                                                                                                          \
        uint64_t wanted = 1000 + me + ((ADDS) ? 40 + left : 0);                                                        \
        SAME(shmem_signal_wait_until(sig + left, SHMEM_CMP_NE, 40 + left), wanted); /* 9.8.1-2 */                      \
        for (int i = 0; i < N; i++)                                                                                    \
            SAME(dest[i], VALUE(TYPE, left, me, i)); /* 9.8.3-1 */                                                     \
        UNTOUCHED(data, dest);                                                                                         \
        UNTOUCHED(dest + N, data + BYTES); /* 9.8.3-2 */                                                               \
        SAME(shmem_signal_fetch(sig + left), wanted); /* 9.8.6-1 */                                                    \
        shmem_quiet();                                                                                                 \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_barrier_all();                                                                                           \
    }
#define SET signal, value, SHMEM_SIGNAL_SET, pe
#define ADD signal, value, SHMEM_SIGNAL_ADD, pe

#define TYPED(NAME, TYPE)                                                                                              \
    static void send_##NAME(void)                                                                                      \
    {                                                                                                                  \
        SEND(TYPE, shmem_##NAME##_put_signal(dest, source, N, SET), 0) /* 9.8.2-1 */                                   \
        SEND(TYPE, shmem_##NAME##_put_signal(dest, source, N, ADD), 1) /* 9.8.2-2 */                                   \
        SEND(TYPE, shmem_ctx_##NAME##_put_signal(ctx, dest, source, N, ADD), 1) /* 9.8-1 */                            \
        SEND(TYPE, shmem_##NAME##_put_signal_nbi(dest, source, N, SET), 0) /* 9.8.4-1 */                               \
        SEND(TYPE, shmem_##NAME##_put_signal_nbi(dest, source, N, ADD), 1)                                             \
        SEND(TYPE, shmem_ctx_##NAME##_put_signal_nbi(ctx, dest, source, N, SET), 0)                                    \
    }
FOR_RMA(TYPED)

#define SIZED(BITS, TYPE)                                                                                              \
    static void send_##BITS(void)                                                                                      \
    {                                                                                                                  \
        SEND(TYPE, shmem_put##BITS##_signal(dest, source, N, SET), 0)                                                  \
        SEND(TYPE, shmem_ctx_put##BITS##_signal(ctx, dest, source, N, ADD), 1)                                         \
        SEND(TYPE, shmem_put##BITS##_signal_nbi(dest, source, N, ADD), 1)                                              \
        SEND(TYPE, shmem_ctx_put##BITS##_signal_nbi(ctx, dest, source, N, SET), 0)                                     \
    }
#define SIZES(X) X(8, uint8_t) X(16, uint16_t) X(32, uint32_t) X(64, uint64_t) X(128, long double)
SIZES(SIZED)

static void send_bytes(void)
{
    SEND(uint8_t, shmem_putmem_signal(dest, source, N, SET), 0)
    SEND(uint8_t, shmem_ctx_putmem_signal(ctx, dest, source, N, ADD), 1)
    SEND(uint8_t, shmem_putmem_signal_nbi(dest, source, N, ADD), 1)
    SEND(uint8_t, shmem_ctx_putmem_signal_nbi(ctx, dest, source, N, SET), 0)
}

/* A signal without data is a signal. */
static void no_data(void)
{
    routine = "a put of nothing with a signal";
    sig[me] = 0;
    guard(data, BYTES);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        shmem_putmem_signal(data, local, 0, sig + pe, me + 1, SHMEM_SIGNAL_ADD, pe);
        shmem_putmem_signal_nbi(data, local, 0, sig + pe, me + 1, SHMEM_SIGNAL_ADD, pe);
    }
    SAME(shmem_signal_wait_until(sig + me, SHMEM_CMP_EQ, npes * (npes + 1)), npes * (npes + 1)); /* 9.8.3-3 */
    UNTOUCHED(data, data + BYTES);
    shmem_barrier_all();
}

/* Each PE adds to the same signal on every PE, with every routine that adds; nothing is lost. */
static void adding(void)
{
    uint64_t *all = sig + npes;
    routine = "signals that add to one word";
    *all = 5;
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++)
        for (int pe = 0; pe < npes; pe++) {
            shmem_signal_add(all, 1, pe); /* 9.8.5-1 */
            shmem_ctx_signal_add(ctx, all, 2, pe);
            shmem_putmem_signal(data + me, local, 1, all, 3, SHMEM_SIGNAL_ADD, pe);
            shmem_putmem_signal_nbi(data + me, local, 1, all, 4, SHMEM_SIGNAL_ADD, pe); /* 9.8.4-2 */
        }
    shmem_quiet();
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    SAME(shmem_signal_fetch(all), 5 + (uint64_t)10 * ROUNDS * npes); /* 9.8.1-1 9.12.2-4 */
    shmem_barrier_all();
    routine = "shmem_signal_set";
    for (int pe = 0; pe < npes; pe++)
        (me % 2 ? shmem_signal_set(sig + me, VALUE(uint64_t, me, pe, 0), pe)
                : shmem_ctx_signal_set(ctx, sig + me, VALUE(uint64_t, me, pe, 0), pe));
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        SAME(shmem_signal_fetch(sig + pe), VALUE(uint64_t, pe, me, 0)); /* 9.8.7-1 */
    shmem_barrier_all();
}

/* Messages of growing length go back and forth with one counting signal: no signal is seen before its data. */
static void ping_pong(void)
{
    enum { LARGE = 40000 };
    uint8_t *box = (uint8_t *)shmem_malloc(LARGE), *out = (uint8_t *)malloc(LARGE);
    int partner = me ^ 1;
    routine = "message passing";
    sig[me] = 0;
    guard(box, LARGE);
    shmem_barrier_all();
    for (int i = 1; partner < npes && i <= ROUNDS; i++) {
        size_t bytes = (size_t)i * i;
        if (me > partner) {
            shmem_signal_wait_until(sig + me, SHMEM_CMP_GE, i);
            CHECK(box[0] == (uint8_t)i && box[bytes / 2] == (uint8_t)i && box[bytes - 1] == (uint8_t)i);
        }
        memset(out, me > partner ? i + 100 : i, bytes);
        if (i % 2) {
            shmem_putmem_signal(box, out, bytes, sig + partner, i, SHMEM_SIGNAL_SET, partner);
            memset(out, GUARD, bytes); /* 9.8.3-4 */
        } else
            shmem_putmem_signal_nbi(box, out, bytes, sig + partner, 1, SHMEM_SIGNAL_ADD, partner);
        if (me < partner) {
            uint8_t wanted = (uint8_t)(i + 100);
            SAME(shmem_signal_wait_until(sig + me, SHMEM_CMP_GE, i), i); /* 9.11.15-1 */
            CHECK(box[0] == wanted && box[bytes / 2] == wanted && box[bytes - 1] == wanted);
        }
        shmem_quiet();
    }
    shmem_barrier_all();
    free(out);
    shmem_free(box);
}

int main(void)
{
    begin();
    data = (unsigned char *)shmem_align(64, BYTES);
    local = (unsigned char *)malloc(BYTES);
    sig = (uint64_t *)shmem_calloc(MAX_PES + 1, sizeof *sig);
    SAME(shmem_ctx_create(0, &ctx), 0);
#define RUN(NAME, TYPE) send_##NAME();
    FOR_RMA(RUN)
    SIZES(RUN)
    send_bytes();
    no_data();
    adding();
    ping_pong();
    free(local);
    shmem_free(sig);
    shmem_free(data);
    shmem_ctx_destroy(ctx);
    return finish();
}
