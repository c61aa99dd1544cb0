/* Strided copies of random shape, compared with a loop that copies element by element. PE 0 works on PE 1's memory. The
 * first argument is the seed; with `gpu` as the second, GPU memory is used. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 4096

typedef void strided(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int);
typedef void blocks(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);

static const struct {
    size_t size;
    strided *iput, *iget;
    blocks *ibput, *ibget;
} routines[] = {
#define ROW(BITS) {BITS / 8, shmem_iput##BITS, shmem_iget##BITS, shmem_ibput##BITS, shmem_ibget##BITS}
    ROW(8), ROW(16), ROW(32), ROW(64), ROW(128),
};

static unsigned char *there, *private_bytes;
static unsigned char expected[BYTES], seen[BYTES], start[BYTES];
static uint64_t state;

/* Uniform enough for shapes. */
static size_t below(size_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % limit;
}

static void fill(unsigned char *bytes)
{
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)below(256);
}

/* Returns a stride with which `n` blocks of `block` elements fit, and the element at which the first block starts. */
static ptrdiff_t shape(size_t elements, size_t n, size_t block, size_t *first)
{
    size_t most = n > 1 ? (elements - block) / (n - 1) : block + 8;
    size_t stride = below(3) ? block + below(most - block + 1) : block;
    size_t span = (n - 1) * stride + block;
    *first = below(elements - (span < elements ? span : elements) + 1);
    return (ptrdiff_t)stride;
}

static int one_case(int number)
{
    size_t which = below(5), size = routines[which].size, elements = BYTES / size;
    size_t block = below(2) ? 1 : 1 + below(9), n = 1 + below(elements / block < 40 ? elements / block : 40);
    int by_element = block == 1 && below(2), put = (int)below(2);
    size_t first_dest, first_source;
    ptrdiff_t dst = shape(elements, n, block, &first_dest), sst = shape(elements, n, block, &first_source);
    unsigned char source[BYTES];
    fill(source);
    fill(start);
    memcpy(expected, start, BYTES);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < block * size; k++)
            expected[(ptrdiff_t)(first_dest * size) + (ptrdiff_t)i * dst * (ptrdiff_t)size + (ptrdiff_t)k] =
                source[(ptrdiff_t)(first_source * size) + (ptrdiff_t)i * sst * (ptrdiff_t)size + (ptrdiff_t)k];
    unsigned char *remote = put ? there + first_dest * size : there + first_source * size;
    unsigned char *here = put ? private_bytes + first_source * size : private_bytes + first_dest * size;
    /* By way of the other PE, because the private end may be GPU memory. */
    shmem_putmem(there, put ? source : start, BYTES, 1);
    shmem_getmem(private_bytes, there, BYTES, 1);
    shmem_putmem(there, put ? start : source, BYTES, 1);
    if (put && by_element)
        routines[which].iput(remote, here, dst, sst, n, 1);
    else if (put)
        routines[which].ibput(remote, here, dst, sst, block, n, 1);
    else if (by_element)
        routines[which].iget(here, remote, dst, sst, n, 1);
    else
        routines[which].ibget(here, remote, dst, sst, block, n, 1);
    if (!put)
        shmem_putmem(there, private_bytes, BYTES, 1);
    shmem_quiet();
    shmem_getmem(seen, there, BYTES, 1);
    if (!memcmp(seen, expected, BYTES))
        return 0;
    printf("case %d: %s of %zu blocks of %zu elements of %zu bytes, dst %td, sst %td: differs\n", number, put ? "put" : "get", n,
           block, size, dst, sst);
    return 1;
}

int main(int argc, char **argv)
{
    shmem_init();
    int gpu = argc > 2;
    there = gpu ? shmemx_malloc_gpu(BYTES) : shmem_malloc(BYTES);
    private_bytes = gpu ? shmemx_malloc_gpu(BYTES) : malloc(BYTES);
    if (shmem_my_pe() == 0) {
        int wrong = 0, cases = gpu ? 200 : 2000;
        state = strtoull(argv[1], NULL, 10);
        for (int i = 0; i < cases; i++)
            wrong += one_case(i);
        /* Nothing is copied, whatever the addresses are. */
        shmem_iput32(NULL, NULL, 1, 1, 0, 1);
        shmem_ibget64(NULL, NULL, 1, 1, 0, 5, 1);
        shmem_ibput64(NULL, NULL, 5, 5, 5, 0, 1);
        printf("%d of %d wrong\n", wrong, cases);
    }
    if (gpu)
        shmem_free(private_bytes);
    else
        free(private_bytes);
    shmem_free(there);
    shmem_finalize();
    return 0;
}
