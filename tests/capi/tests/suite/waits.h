/* Waits for arrays, for each type that has them, and routines that only old programs call. PE 0 and PE 1 do the
 * same. */

/* With one value for all elements, and with one value for each. V is the suffix, VALUE the argument. */
#define ARRAY(NAME, TYPE, V, VALUE)                                                                                    \
    {                                                                                                                  \
        const int none[5] = {1, 1, 1, 1, 1}, but_1_3[5] = {0, 1, 0, 2, 0};                                             \
        size_t at[5] = {9, 9, 9, 9, 9};                                                                                \
        for (int i = 0; i < 5; i++)                                                                                    \
            w[i] = 0;                                                                                                  \
        shmem_barrier_all();                                                                                           \
        EXPECT(!shmem_##NAME##_test_all##V(w, 5, NULL, SHMEM_CMP_EQ, VALUE));                                          \
        EXPECT(shmem_##NAME##_test_any##V(w, 5, NULL, SHMEM_CMP_EQ, VALUE) == SIZE_MAX);                               \
        EXPECT(shmem_##NAME##_test_some##V(w, 5, at, NULL, SHMEM_CMP_EQ, VALUE) == 0 && at[0] == 9);                   \
        /* No element counts. */                                                                                       \
        EXPECT(shmem_##NAME##_test_all##V(w, 5, none, SHMEM_CMP_EQ, VALUE));                                           \
        EXPECT(shmem_##NAME##_test_any##V(w, 5, none, SHMEM_CMP_NE, VALUE) == SIZE_MAX);                               \
        EXPECT(shmem_##NAME##_test_some##V(w, 5, at, none, SHMEM_CMP_NE, VALUE) == 0);                                 \
        EXPECT(shmem_##NAME##_test_all##V(w, 0, NULL, SHMEM_CMP_EQ, VALUE));                                           \
        EXPECT(shmem_##NAME##_test_any##V(NULL, 0, NULL, SHMEM_CMP_NE, VALUE) == SIZE_MAX);                            \
        EXPECT(shmem_##NAME##_test_some##V(NULL, 0, NULL, NULL, SHMEM_CMP_NE, VALUE) == 0);                            \
        shmem_##NAME##_wait_until_all##V(w, 5, none, SHMEM_CMP_EQ, VALUE);                                             \
        shmem_##NAME##_wait_until_all##V(NULL, 0, NULL, SHMEM_CMP_EQ, VALUE);                                          \
        EXPECT(shmem_##NAME##_wait_until_any##V(w, 5, none, SHMEM_CMP_EQ, VALUE) == SIZE_MAX);                         \
        EXPECT(shmem_##NAME##_wait_until_any##V(w, 0, NULL, SHMEM_CMP_EQ, VALUE) == SIZE_MAX);                         \
        EXPECT(shmem_##NAME##_wait_until_some##V(w, 5, at, none, SHMEM_CMP_EQ, VALUE) == 0);                           \
        EXPECT(shmem_##NAME##_wait_until_some##V(w, 0, at, NULL, SHMEM_CMP_EQ, VALUE) == 0 && at[0] == 9);             \
        shmem_barrier_all();                                                                                           \
        /* Element 3, which some calls exclude. */                                                                     \
        shmem_##NAME##_p(w + 3, values[3], other);                                                                     \
        EXPECT(shmem_##NAME##_wait_until_any##V(w, 5, NULL, SHMEM_CMP_EQ, VALUE) == 3);                                \
        EXPECT(shmem_##NAME##_wait_until_some##V(w, 5, at, NULL, SHMEM_CMP_EQ, VALUE) == 1 && at[0] == 3 && at[1] == 9); \
        EXPECT(shmem_##NAME##_test_any##V(w, 5, but_1_3, SHMEM_CMP_EQ, VALUE) == SIZE_MAX);                            \
        EXPECT(shmem_##NAME##_test_some##V(w, 5, at, but_1_3, SHMEM_CMP_EQ, VALUE) == 0);                              \
        EXPECT(!shmem_##NAME##_test_all##V(w, 5, but_1_3, SHMEM_CMP_EQ, VALUE));                                       \
        shmem_barrier_all();                                                                                           \
        /* All elements that some calls include. */                                                                    \
        shmem_##NAME##_p(w, values[0], other);                                                                         \
        shmem_##NAME##_p(w + 4, values[4], other);                                                                     \
        shmem_##NAME##_p(w + 2, values[2], other);                                                                     \
        shmem_##NAME##_wait_until_all##V(w, 5, but_1_3, SHMEM_CMP_EQ, VALUE);                                          \
        EXPECT(w[0] == values[0] && w[2] == values[2] && w[4] == values[4] && w[1] == 0);                              \
        EXPECT(shmem_##NAME##_test_all##V(w, 5, but_1_3, SHMEM_CMP_EQ, VALUE));                                        \
        EXPECT(!shmem_##NAME##_test_all##V(w, 5, NULL, SHMEM_CMP_EQ, VALUE));                                          \
        EXPECT(shmem_##NAME##_test_some##V(w, 5, at, but_1_3, SHMEM_CMP_GE, VALUE) == 3);                              \
        EXPECT(at[0] == 0 && at[1] == 2 && at[2] == 4 && at[3] == 9);                                                  \
        EXPECT(shmem_##NAME##_test_any##V(w, 5, NULL, SHMEM_CMP_LT, VALUE) == 1);                                      \
        EXPECT(shmem_##NAME##_wait_until_some##V(w, 5, at, NULL, SHMEM_CMP_LE, VALUE) == 5 && at[1] == 1);             \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_p(w + 1, values[1], other);                                                                     \
        shmem_##NAME##_wait_until_all##V(w, 5, NULL, SHMEM_CMP_EQ, VALUE);                                             \
        EXPECT(shmem_##NAME##_test_all##V(w, 5, NULL, SHMEM_CMP_EQ, VALUE));                                           \
        shmem_barrier_all();                                                                                           \
    }

#define WAITS(NAME, TYPE)                                                                                              \
    static void waits_same_##NAME(TYPE *w)                                                                             \
    {                                                                                                                  \
        const TYPE values[5] = {7, 7, 7, 7, 7};                                                                        \
        ARRAY(NAME, TYPE, , 7)                                                                                         \
    }                                                                                                                  \
    static void waits_each_##NAME(TYPE *w)                                                                             \
    {                                                                                                                  \
        const TYPE values[5] = {11, 12, 13, 14, 15};                                                                   \
        ARRAY(NAME, TYPE, _vector, values)                                                                             \
    }                                                                                                                  \
    static void waits_##NAME(void)                                                                                     \
    {                                                                                                                  \
        waits_same_##NAME(here);                                                                                       \
        waits_each_##NAME(here);                                                                                       \
    }

/* One word: each comparison, and negative values if the type has a sign. */
#define WORD(NAME, TYPE)                                                                                               \
    static void word_##NAME(void)                                                                                      \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = 5;                                                                                                      \
        for (int v = 4; v < 7; v++) {                                                                                  \
            EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_EQ, (TYPE)v) == (5 == v));                                         \
            EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_NE, (TYPE)v) == (5 != v));                                         \
            EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_GT, (TYPE)v) == (5 > v));                                          \
            EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_LE, (TYPE)v) == (5 <= v));                                         \
            EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_LT, (TYPE)v) == (5 < v));                                          \
            EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_GE, (TYPE)v) == (5 >= v));                                         \
        }                                                                                                              \
        EXPECT(shmem_##NAME##_test(w, SHMEM_CMP_GT, (TYPE)-1) == ((TYPE)-1 < 5));                                      \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_p(w, (TYPE)-1, other);                                                                          \
        shmem_##NAME##_wait_until(w, SHMEM_CMP_EQ, (TYPE)-1);                                                          \
        shmem_barrier_all();                                                                                           \
    }

#define OLD_WAIT(NAME, TYPE)                                                                                           \
    static void old_wait_##NAME(void)                                                                                  \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = 5;                                                                                                      \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_p(w, 6, other);                                                                                 \
        shmem_##NAME##_wait(w, 5);                                                                                     \
        EXPECT(w[0] == 6);                                                                                             \
        shmem_barrier_all();                                                                                           \
    }

#define OLD_STANDARD(NAME, TYPE)                                                                                       \
    static void old_standard_##NAME(void)                                                                              \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = 1;                                                                                                      \
        shmem_barrier_all();                                                                                           \
        EXPECT(shmem_##NAME##_fadd(w, 4, other) == 1 && shmem_##NAME##_finc(w, other) == 5);                           \
        shmem_##NAME##_add(w, 10, other);                                                                              \
        shmem_##NAME##_inc(w, other);                                                                                  \
        EXPECT(shmem_##NAME##_cswap(w, 3, 8, other) == 17 && shmem_##NAME##_cswap(w, 17, 8, other) == 17);             \
        shmem_barrier_all();                                                                                           \
        EXPECT(w[0] == 8);                                                                                             \
        shmem_barrier_all();                                                                                           \
    }

#define OLD_EXTENDED(NAME, TYPE)                                                                                       \
    static void old_extended_##NAME(void)                                                                              \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_set(w, (TYPE)(me + 2), other);                                                                  \
        EXPECT(shmem_##NAME##_fetch(w, other) == (TYPE)(me + 2));                                                      \
        EXPECT(shmem_##NAME##_swap(w, (TYPE)1, other) == (TYPE)(me + 2));                                              \
        shmem_barrier_all();                                                                                           \
        EXPECT(w[0] == (TYPE)1);                                                                                       \
        shmem_barrier_all();                                                                                           \
    }

/* Names without a type, and alternative names. */
static void old(void)
{
    long *w = here;
    void *more = shmalloc(64);
    start_pes(0);
    EXPECT(_my_pe() == me && _num_pes() == 2 && more != NULL);
    shfree(more);
    more = shmemalign(1024, 64);
    EXPECT((uintptr_t)more % 1024 == 0);
    ((char *)more)[63] = (char)me;
    more = shrealloc(more, 4096);
    EXPECT(((char *)more)[63] == (char)me);
    shfree(more);
    w[0] = 0;
    shmem_barrier_all();
    shmem_long_p(w, 3, other);
    shmem_wait(w, 0);
    (shmem_wait_until)(w, SHMEM_CMP_GE, 3);
    EXPECT(w[0] == 3);
    shmem_pcontrol(2, "ignored", 1.5);
    shmem_barrier_all();
}
