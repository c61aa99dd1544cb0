/* PE 1 stores elements whose bytes are all equal into memory of PE 0, which looks for mixtures. The argument is the
 * number of rounds. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEN = 64 };

static unsigned rounds;
static uint64_t turn;
static long mixtures, elements_seen;

#define ALL(bits, round) ((uint##bits##_t)(0x0101010101010101u * (uint8_t)(round)))

/* p, then iput with strides of 1 and 2 at the target and at the source. */
#define OF(bits)                                                                                                      \
    static void put##bits(uint##bits##_t *words, int way, unsigned round)                                             \
    {                                                                                                                 \
        uint##bits##_t source[2 * LEN];                                                                               \
        for (int i = 0; i < 2 * LEN; i++)                                                                             \
            source[i] = ALL(bits, round);                                                                             \
        switch (way) {                                                                                                \
        case 0:                                                                                                       \
            for (int i = 0; i < LEN; i++)                                                                             \
                shmem_uint##bits##_p(words + i, source[i], 0);                                                        \
            break;                                                                                                    \
        case 1: shmem_uint##bits##_iput(words, source, 1, 1, LEN, 0); break;                                          \
        case 2: shmem_uint##bits##_iput(words, source, 2, 1, LEN, 0); break;                                          \
        case 3: shmem_uint##bits##_iput(words + 1, source, 1, 2, LEN, 0); break;                                      \
        case 4: shmem_iput##bits(words, source, 2, 2, LEN, 0); break;                                                 \
        }                                                                                                             \
    }                                                                                                                 \
                                                                                                                      \
    static void look##bits(uint##bits##_t *words)                                                                     \
    {                                                                                                                 \
        for (int i = 0; i < 2 * LEN; i++) {                                                                           \
            uint##bits##_t seen = __atomic_load_n(words + i, __ATOMIC_RELAXED);                                       \
            mixtures += seen != ALL(bits, seen);                                                                      \
            elements_seen += seen != 0;                                                                               \
        }                                                                                                             \
    }                                                                                                                 \
                                                                                                                      \
    static void run##bits(void)                                                                                       \
    {                                                                                                                 \
        uint##bits##_t *words = shmem_calloc(2 * LEN, sizeof *words);                                                 \
        for (int way = 0; way < 5; way++) {                                                                           \
            turn = 0;                                                                                                 \
            shmem_barrier_all();                                                                                      \
            if (shmem_my_pe() == 1) {                                                                                 \
                for (unsigned round = 1; round <= rounds; round++)                                                    \
                    put##bits(words, way, round + 100 * way);                                                         \
                shmem_fence();                                                                                        \
                shmem_uint64_p(&turn, 1, 0);                                                                          \
            } else {                                                                                                  \
                do                                                                                                    \
                    look##bits(words);                                                                                \
                while (!shmem_uint64_atomic_fetch(&turn, 0));                                                         \
                look##bits(words);                                                                                    \
            }                                                                                                         \
            shmem_barrier_all();                                                                                      \
        }                                                                                                             \
        shmem_free(words);                                                                                            \
    }

OF(8)
OF(16)
OF(32)
OF(64)

int main(int argc, char **argv)
{
    rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    shmem_init();
    run8();
    run16();
    run32();
    run64();
    if (shmem_my_pe() == 0)
        printf("%ld mixtures, elements %s\n", mixtures, elements_seen ? "seen" : "never seen");
    shmem_finalize();
    return 0;
}
