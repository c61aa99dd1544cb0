// Puts with a signal of each form, with a number that the kernel gets and with one that is known. Only the first kind can be
// refused.
#include <shmem.h>

#define PARAMETERS char *dest, char *source, size_t n, uint64_t *sig, shmem_ctx_t ctx, int op, int pe
#define FORM(name, call) \
    extern "C" __global__ void given_##name(PARAMETERS) { call; } \
    extern "C" __global__ void known_##name(PARAMETERS) { op = SHMEM_SIGNAL_ADD; call; }
FORM(thread, shmem_putmem_signal(dest, source, n, sig, 1, op, pe))
FORM(thread_nbi, shmem_putmem_signal_nbi(dest, source, n, sig, 1, op, pe))
FORM(warp, shmemx_putmem_signal_warp(dest, source, n, sig, 1, op, pe))
FORM(warp_nbi, shmemx_putmem_signal_nbi_warp(dest, source, n, sig, 1, op, pe))
FORM(block, shmemx_putmem_signal_block(dest, source, n, sig, 1, op, pe))
FORM(block_nbi, shmemx_putmem_signal_nbi_block(dest, source, n, sig, 1, op, pe))
FORM(ctx, shmem_ctx_putmem_signal(ctx, dest, source, n, sig, 1, op, pe))
FORM(ctx_nbi, shmem_ctx_putmem_signal_nbi(ctx, dest, source, n, sig, 1, op, pe))
FORM(ctx_block, shmemx_ctx_putmem_signal_block(ctx, dest, source, n, sig, 1, op, pe))
FORM(ctx_block_nbi, shmemx_ctx_putmem_signal_nbi_block(ctx, dest, source, n, sig, 1, op, pe))
FORM(half, shmemx_half_put_signal(dest, source, n, sig, 1, op, pe))
