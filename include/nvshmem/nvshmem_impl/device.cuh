/* The routines of kernels, by those of cushmem. `cargo xtask headers` writes this file; nvshmem.h includes it. */
#ifndef NVSHMEM_IMPL_DEVICE_CUH
#define NVSHMEM_IMPL_DEVICE_CUH

/* Units that include this file need no -lcushmem. */
#define shmemx_impl_add_image nvshmemx_impl_add_image
#define shmemx_impl_add_recorded_image nvshmemx_impl_add_recorded_image
#define shmemx_impl_remove_image nvshmemx_impl_remove_image
#include <shmem.h>
#undef shmemx_impl_add_image
#undef shmemx_impl_add_recorded_image
#undef shmemx_impl_remove_image

static_assert(SHMEM_SIGNAL_SET == (int)NVSHMEM_SIGNAL_SET && SHMEM_SIGNAL_ADD == (int)NVSHMEM_SIGNAL_ADD, "passed on");
static_assert(SHMEM_CMP_EQ == (int)NVSHMEM_CMP_EQ && SHMEM_CMP_NE == (int)NVSHMEM_CMP_NE && SHMEM_CMP_GT == (int)NVSHMEM_CMP_GT, "passed on");
static_assert(SHMEM_CMP_LE == (int)NVSHMEM_CMP_LE && SHMEM_CMP_LT == (int)NVSHMEM_CMP_LT && SHMEM_CMP_GE == (int)NVSHMEM_CMP_GE, "passed on");

extern "C++" {
extern "C" {
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_getmem_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_getmem_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_getmem_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_getmem_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get8_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get8_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get8_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get8_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput8_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput8_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget8_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget8_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput16_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput16_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget16_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget16_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput32_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput32_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget32_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget32_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput64_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput64_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget64_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget64_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput128_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iput128_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget128_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_iget128_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_nbi_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_nbi_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_nbi_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_nbi_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_iput_warp(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_iput_block(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_iget_warp(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_iget_block(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_nbi_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_nbi_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_nbi_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_nbi_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_iput_warp(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_iput_block(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_iget_warp(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_iget_block(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_nbi_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_nbi_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_nbi_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_nbi_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_iput_warp(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_iput_block(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_iget_warp(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_iget_block(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_iput_warp(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_iput_block(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_iget_warp(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_iget_block(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_nbi_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_nbi_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_nbi_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_nbi_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_iput_warp(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_iput_block(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_iget_warp(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_iget_block(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_nbi_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_nbi_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_nbi_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_nbi_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_iput_warp(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_iput_block(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_iget_warp(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_iget_block(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_nbi_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_nbi_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_nbi_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_nbi_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_iput_warp(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_iput_block(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_iget_warp(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_iget_block(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_nbi_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_nbi_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_iput_warp(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_iput_block(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_iget_warp(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_iget_block(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_iput_warp(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_iput_block(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_iget_warp(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_iget_block(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_iput_warp(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_iput_block(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_iget_warp(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_iget_block(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_iput_warp(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_iput_block(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_iget_warp(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_iget_block(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_iput_warp(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_iput_block(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_iget_warp(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_iget_block(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_iput_warp(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_iput_block(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_iget_warp(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_iget_block(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_iput_warp(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_iput_block(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_iget_warp(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_iget_block(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_iput_warp(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_iput_block(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_iget_warp(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_iget_block(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_iput_warp(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_iput_block(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_iget_warp(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_iget_block(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_iput_warp(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_iput_block(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_iget_warp(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_iget_block(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_iput_warp(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_iput_block(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_iget_warp(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_iget_block(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_iput_warp(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_iput_block(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_iget_warp(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_iget_block(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_iput_warp(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_iput_block(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_iget_warp(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_iget_block(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_iput_warp(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_iput_block(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_iget_warp(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_iget_block(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_iput_warp(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_iput_block(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_iget_warp(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_iget_block(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_iput_warp(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_iput_block(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_iget_warp(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_iget_block(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_putmem_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put8_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_signal_warp(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_signal_block(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_signal_nbi_warp(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_signal_nbi_block(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_signal_warp(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_signal_block(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_signal_nbi_warp(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_signal_nbi_block(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_signal_warp(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_signal_block(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_signal_nbi_warp(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_signal_nbi_block(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_signal_warp(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_signal_block(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_signal_nbi_warp(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_signal_nbi_block(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_signal_warp(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_signal_block(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_signal_nbi_warp(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_signal_nbi_block(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_signal_warp(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_signal_block(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_signal_nbi_warp(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_signal_nbi_block(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_signal_warp(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_signal_block(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_signal_nbi_warp(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_signal_nbi_block(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_signal_warp(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_signal_block(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_signal_nbi_warp(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_signal_nbi_block(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_signal_warp(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_signal_block(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_signal_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_signal_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_signal_warp(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_signal_block(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_signal_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_signal_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_signal_warp(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_signal_block(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_signal_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_signal_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_signal_warp(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_signal_block(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_signal_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_signal_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_signal_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_signal_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_signal_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_signal_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_signal_warp(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_signal_block(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_signal_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_signal_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_signal_warp(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_signal_block(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_signal_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_signal_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_signal_warp(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_signal_block(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_signal_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_signal_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_signal_warp(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_signal_block(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_signal_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_signal_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_signal_warp(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_signal_block(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_signal_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_signal_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_signal_warp(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_signal_block(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_signal_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_signal_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_signal_warp(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_signal_block(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_signal_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_signal_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_signal_warp(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_signal_block(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_signal_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_signal_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_signal_warp(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_signal_block(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_signal_nbi_warp(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_signal_nbi_block(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_signal_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_signal_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_signal_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_signal_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_fence_warp(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_fence_block(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_quiet_warp(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_quiet_block(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_barrier_all_warp(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_barrier_all_block(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_sync_all_warp(void);
NVSHMEM_IMPL_KERNEL void nvshmemx_sync_all_block(void);
NVSHMEM_IMPL_KERNEL int nvshmemx_team_sync_warp(nvshmem_team_t team);
NVSHMEM_IMPL_KERNEL int nvshmemx_team_sync_block(nvshmem_team_t team);
NVSHMEM_IMPL_KERNEL int nvshmemx_broadcastmem_warp(nvshmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_broadcastmem_block(nvshmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_fcollectmem_warp(nvshmem_team_t team, void *dest, const void *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_fcollectmem_block(nvshmem_team_t team, void *dest, const void *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_alltoallmem_warp(nvshmem_team_t team, void *dest, const void *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_alltoallmem_block(nvshmem_team_t team, void *dest, const void *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_broadcast_warp(nvshmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_broadcast_block(nvshmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_fcollect_warp(nvshmem_team_t team, float *dest, const float *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_fcollect_block(nvshmem_team_t team, float *dest, const float *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_alltoall_warp(nvshmem_team_t team, float *dest, const float *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_alltoall_block(nvshmem_team_t team, float *dest, const float *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_min_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_min_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_max_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_max_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_broadcast_warp(nvshmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_broadcast_block(nvshmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_fcollect_warp(nvshmem_team_t team, double *dest, const double *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_fcollect_block(nvshmem_team_t team, double *dest, const double *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_alltoall_warp(nvshmem_team_t team, double *dest, const double *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_alltoall_block(nvshmem_team_t team, double *dest, const double *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_min_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_min_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_max_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_max_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_broadcast_warp(nvshmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_broadcast_block(nvshmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_fcollect_warp(nvshmem_team_t team, char *dest, const char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_fcollect_block(nvshmem_team_t team, char *dest, const char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_alltoall_warp(nvshmem_team_t team, char *dest, const char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_alltoall_block(nvshmem_team_t team, char *dest, const char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_min_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_min_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_max_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_max_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_broadcast_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_broadcast_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_fcollect_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_fcollect_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_alltoall_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_alltoall_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_min_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_min_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_max_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_max_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_broadcast_warp(nvshmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_broadcast_block(nvshmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_fcollect_warp(nvshmem_team_t team, short *dest, const short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_fcollect_block(nvshmem_team_t team, short *dest, const short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_alltoall_warp(nvshmem_team_t team, short *dest, const short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_alltoall_block(nvshmem_team_t team, short *dest, const short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_min_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_min_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_max_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_max_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_broadcast_warp(nvshmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_broadcast_block(nvshmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_fcollect_warp(nvshmem_team_t team, int *dest, const int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_fcollect_block(nvshmem_team_t team, int *dest, const int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_alltoall_warp(nvshmem_team_t team, int *dest, const int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_alltoall_block(nvshmem_team_t team, int *dest, const int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_min_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_min_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_max_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_max_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_broadcast_warp(nvshmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_broadcast_block(nvshmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_fcollect_warp(nvshmem_team_t team, long *dest, const long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_fcollect_block(nvshmem_team_t team, long *dest, const long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_alltoall_warp(nvshmem_team_t team, long *dest, const long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_alltoall_block(nvshmem_team_t team, long *dest, const long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_min_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_min_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_max_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_max_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_broadcast_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_broadcast_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_fcollect_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_fcollect_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_alltoall_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_alltoall_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_min_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_min_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_max_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_max_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_broadcast_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_broadcast_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_fcollect_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_fcollect_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_alltoall_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_alltoall_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_min_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_min_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_max_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_max_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_broadcast_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_broadcast_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_fcollect_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_fcollect_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_alltoall_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_alltoall_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_min_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_min_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_max_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_max_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_broadcast_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_broadcast_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_fcollect_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_fcollect_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_alltoall_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_alltoall_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_min_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_min_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_max_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_max_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_broadcast_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_broadcast_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_fcollect_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_fcollect_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_alltoall_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_alltoall_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_min_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_min_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_max_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_max_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_broadcast_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_broadcast_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_fcollect_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_fcollect_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_alltoall_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_alltoall_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_min_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_min_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_max_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_max_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_broadcast_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_broadcast_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_fcollect_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_fcollect_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_alltoall_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_alltoall_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_min_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_min_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_max_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_max_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_broadcast_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_broadcast_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_fcollect_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_fcollect_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_alltoall_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_alltoall_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_min_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_min_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_max_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_max_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_broadcast_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_broadcast_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_fcollect_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_fcollect_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_alltoall_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_alltoall_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_min_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_min_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_max_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_max_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_broadcast_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_broadcast_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_fcollect_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_fcollect_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_alltoall_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_alltoall_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_min_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_min_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_max_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_max_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_broadcast_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_broadcast_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_fcollect_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_fcollect_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_alltoall_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_alltoall_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_min_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_min_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_max_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_max_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_broadcast_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_broadcast_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_fcollect_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_fcollect_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_alltoall_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_alltoall_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_min_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_min_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_max_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_max_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_broadcast_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_broadcast_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_fcollect_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_fcollect_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_alltoall_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_alltoall_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_min_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_min_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_max_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_max_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_broadcast_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_broadcast_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_fcollect_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_fcollect_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_alltoall_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_alltoall_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_min_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_min_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_max_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_max_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_broadcast_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_broadcast_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_fcollect_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_fcollect_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_alltoall_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_alltoall_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_min_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_min_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_max_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_max_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_broadcast_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_broadcast_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_fcollect_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_fcollect_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_alltoall_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_alltoall_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_min_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_min_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_max_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_max_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_and_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_and_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_or_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_or_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_xor_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_xor_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_and_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_and_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_or_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_or_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_xor_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_xor_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_and_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_and_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_or_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_or_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_xor_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_xor_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_and_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_and_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_or_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_or_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_xor_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_xor_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_and_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_and_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_or_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_or_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_xor_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_xor_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_and_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_and_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_or_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_or_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_xor_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_xor_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_and_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_and_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_or_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_or_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_xor_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_xor_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_and_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_and_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_or_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_or_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_xor_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_xor_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_and_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_and_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_or_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_or_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_xor_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_xor_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_and_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_and_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_or_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_or_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_xor_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_xor_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_and_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_and_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_or_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_or_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_xor_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_xor_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_and_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_and_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_or_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_or_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_xor_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_xor_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_and_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_and_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_or_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_or_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_xor_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_xor_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_and_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_and_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_or_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_or_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_xor_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_xor_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_sum_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_sum_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_prod_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_prod_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_sum_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_sum_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_prod_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_prod_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_sum_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_sum_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_prod_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_prod_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_sum_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_sum_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_prod_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_prod_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_sum_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_sum_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_prod_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_prod_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_sum_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_sum_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_prod_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_prod_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_sum_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_sum_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_prod_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_prod_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_sum_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_sum_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_prod_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_prod_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_sum_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_sum_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_prod_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_prod_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_sum_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_sum_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_prod_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_prod_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_sum_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_sum_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_prod_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_prod_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_sum_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_sum_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_prod_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_prod_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_sum_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_sum_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_prod_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_prod_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_sum_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_sum_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_prod_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_prod_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_sum_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_sum_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_prod_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_prod_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_sum_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_sum_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_prod_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_prod_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_sum_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_sum_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_prod_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_prod_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_sum_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_sum_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_prod_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_prod_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_sum_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_sum_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_prod_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_prod_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_sum_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_sum_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_prod_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_prod_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_sum_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_sum_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_prod_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_prod_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_sum_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_sum_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_prod_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_prod_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_sum_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_sum_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_prod_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_prod_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_barrier_warp(nvshmem_team_t team);
NVSHMEM_IMPL_KERNEL int nvshmemx_barrier_block(nvshmem_team_t team);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_min_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_min_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_max_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_max_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_sum_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_sum_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_prod_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_float_prod_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_min_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_min_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_max_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_max_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_sum_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_sum_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_prod_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_double_prod_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_min_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_min_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_max_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_max_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_sum_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_sum_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_prod_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_char_prod_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_min_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_min_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_max_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_max_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_sum_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_sum_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_prod_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_schar_prod_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_min_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_min_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_max_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_max_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_sum_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_sum_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_prod_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_short_prod_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_min_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_min_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_max_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_max_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_sum_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_sum_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_prod_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int_prod_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_min_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_min_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_max_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_max_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_sum_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_sum_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_prod_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_long_prod_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_min_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_min_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_max_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_max_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_sum_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_sum_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_prod_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_longlong_prod_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_min_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_min_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_max_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_max_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_sum_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_sum_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_prod_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_prod_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_min_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_min_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_max_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_max_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_sum_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_sum_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_prod_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_prod_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_min_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_min_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_max_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_max_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_sum_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_sum_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_prod_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_prod_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_min_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_min_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_max_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_max_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_sum_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_sum_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_prod_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_prod_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_min_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_min_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_max_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_max_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_sum_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_sum_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_prod_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_prod_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_min_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_min_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_max_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_max_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_sum_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_sum_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_prod_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_prod_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_min_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_min_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_max_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_max_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_sum_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_sum_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_prod_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_prod_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_min_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_min_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_max_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_max_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_sum_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_sum_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_prod_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_prod_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_min_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_min_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_max_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_max_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_sum_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_sum_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_prod_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_prod_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_min_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_min_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_max_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_max_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_sum_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_sum_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_prod_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_prod_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_min_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_min_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_max_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_max_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_sum_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_sum_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_prod_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_prod_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_min_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_min_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_max_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_max_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_sum_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_sum_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_prod_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_prod_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_min_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_min_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_max_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_max_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_sum_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_sum_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_prod_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_prod_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_min_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_min_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_max_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_max_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_sum_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_sum_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_prod_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_prod_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_min_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_min_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_max_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_max_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_sum_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_sum_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_prod_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ptrdiff_prod_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_and_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_and_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_or_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_or_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_xor_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uchar_xor_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_and_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_and_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_or_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_or_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_xor_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ushort_xor_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_and_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_and_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_or_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_or_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_xor_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint_xor_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_and_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_and_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_or_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_or_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_xor_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulong_xor_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_and_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_and_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_or_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_or_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_xor_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_ulonglong_xor_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_and_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_and_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_or_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_or_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_xor_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int8_xor_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_and_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_and_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_or_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_or_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_xor_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int16_xor_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_and_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_and_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_or_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_or_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_xor_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int32_xor_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_and_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_and_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_or_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_or_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_xor_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_int64_xor_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_and_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_and_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_or_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_or_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_xor_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint8_xor_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_and_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_and_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_or_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_or_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_xor_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint16_xor_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_and_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_and_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_or_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_or_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_xor_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint32_xor_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_and_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_and_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_or_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_or_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_xor_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_uint64_xor_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_and_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_and_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_or_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_or_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_xor_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_size_xor_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_warp(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_block(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_get_warp(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_get_block(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_nbi_warp(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_nbi_block(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_get_nbi_warp(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_get_nbi_block(__half *dest, const __half *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_signal_warp(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_signal_block(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_signal_nbi_warp(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_put_signal_nbi_block(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_iput_warp(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_iput_block(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_iget_warp(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_half_iget_block(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_get_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_get_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_nbi_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_nbi_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_get_nbi_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_get_nbi_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_signal_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_signal_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_signal_nbi_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_put_signal_nbi_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_iput_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_iput_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_iget_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_bfloat16_iget_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_broadcast_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_broadcast_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_fcollect_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_fcollect_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_alltoall_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_alltoall_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_min_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_min_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_max_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_max_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_sum_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_sum_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_prod_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_prod_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_min_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_min_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_max_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_max_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_sum_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_sum_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_prod_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_half_prod_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_broadcast_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_broadcast_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int PE_root);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_fcollect_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_fcollect_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_alltoall_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_alltoall_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_min_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_min_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_max_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_max_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_sum_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_sum_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_prod_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_prod_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_min_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_min_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_max_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_max_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_sum_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_sum_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_prod_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
NVSHMEM_IMPL_KERNEL int nvshmemx_bfloat16_prod_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce);
}

#ifdef __CUDA_ARCH__
#define NVSHMEM_IMPL_INLINE inline __attribute__((always_inline))
namespace nvshmem_impl {
static __device__ __forceinline__ shmem_team_t team_of(nvshmem_team_t team) {
    return (shmem_team_t)(long)(team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? NVSHMEM_IMPL_ACROSS_NODES : team + (team < 2) - (team > 2));
}
template <class T> static __device__ __forceinline__ unsigned short bits_16(T value) {
    return *reinterpret_cast<const unsigned short *>(&value);
}
template <class T> static __device__ __forceinline__ T of_16(unsigned short bits) {
    return *reinterpret_cast<const T *>(&bits);
}
/* Programs use these on memory of their own PE that is not symmetric, too. */
template <class T> static __device__ __forceinline__ void p(T *dest, T value, int pe) {
    SHMEM_IMPL_CALLS::shmem_impl_put_word<true>(dest, value, pe);
}
template <class T> static __device__ __forceinline__ T g(const T *source, int pe) {
    return shmem_impl_device::shmem_impl_get_word<true>(source, pe);
}
} // namespace nvshmem_impl

extern "C" {
/* OpenSHMEM has deprecated waits for 16 bits. */
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1215, 1444
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void *nvshmem_ptr(const void *ptr, int pe) { return shmem_ptr(ptr, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void *nvshmemx_mc_ptr(nvshmem_team_t, const void *) { return NULL; }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_info_get_version(int *major, int *minor) {
    *major = NVSHMEM_MAJOR_VERSION;
    *minor = NVSHMEM_MINOR_VERSION;
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_info_get_name(char *name) {
    const char text[] = NVSHMEM_VENDOR_STRING;
    for (int i = 0; i < (int)sizeof text; i++) name[i] = text[i];
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch) {
    *major = NVSHMEM_VENDOR_MAJOR_VERSION;
    *minor = NVSHMEM_VENDOR_MINOR_VERSION;
    *patch = NVSHMEM_VENDOR_PATCH_VERSION;
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmemx_ask_smem(nvshmemx_smem_amount_t amount) { return NVSHMEM_IMPL_SMEM(amount); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) {
    shmem_impl_device::shmem_impl_check_signal_op(sig_op);
    if (sig_op == NVSHMEM_SIGNAL_SET) shmem_signal_set(sig_addr, signal, pe);
    else shmem_signal_add(sig_addr, signal, pe);
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_my_pe(void) { return shmem_my_pe(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_n_pes(void) { return shmem_n_pes(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_team_my_pe(nvshmem_team_t team) { return shmem_team_my_pe(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_team_n_pes(nvshmem_team_t team) { return shmem_team_n_pes(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_team_translate_pe(nvshmem_team_t src_team, int src_pe, nvshmem_team_t dest_team) { return shmem_team_translate_pe(nvshmem_impl::team_of(src_team), src_pe, nvshmem_impl::team_of(dest_team)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_putmem(void *dest, const void *source, size_t nelems, int pe) { shmem_putmem(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_getmem(void *dest, const void *source, size_t nelems, int pe) { shmem_getmem(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_putmem_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_getmem_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put8(void *dest, const void *source, size_t nelems, int pe) { shmem_put8(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get8(void *dest, const void *source, size_t nelems, int pe) { shmem_get8(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put8_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put8_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get8_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get8_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput8(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget8(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put16(void *dest, const void *source, size_t nelems, int pe) { shmem_put16(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get16(void *dest, const void *source, size_t nelems, int pe) { shmem_get16(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put16_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put16_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get16_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get16_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput16(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget16(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put32(void *dest, const void *source, size_t nelems, int pe) { shmem_put32(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get32(void *dest, const void *source, size_t nelems, int pe) { shmem_get32(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put32_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put32_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get32_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get32_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput32(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget32(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put64(void *dest, const void *source, size_t nelems, int pe) { shmem_put64(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get64(void *dest, const void *source, size_t nelems, int pe) { shmem_get64(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put64_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put64_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get64_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get64_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput64(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget64(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put128(void *dest, const void *source, size_t nelems, int pe) { shmem_put128(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get128(void *dest, const void *source, size_t nelems, int pe) { shmem_get128(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put128_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put128_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get128_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get128_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput128(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_iget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget128(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_put(float *dest, const float *source, size_t nelems, int pe) { shmem_float_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_get(float *dest, const float *source, size_t nelems, int pe) { shmem_float_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_put_nbi(float *dest, const float *source, size_t nelems, int pe) { shmem_float_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe) { shmem_float_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_float_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_iget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_float_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_p(float *dest, float value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE float nvshmem_float_g(const float *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_put(double *dest, const double *source, size_t nelems, int pe) { shmem_double_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_get(double *dest, const double *source, size_t nelems, int pe) { shmem_double_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_put_nbi(double *dest, const double *source, size_t nelems, int pe) { shmem_double_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_get_nbi(double *dest, const double *source, size_t nelems, int pe) { shmem_double_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_double_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_iget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_double_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_p(double *dest, double value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE double nvshmem_double_g(const double *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_put(char *dest, const char *source, size_t nelems, int pe) { shmem_char_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_get(char *dest, const char *source, size_t nelems, int pe) { shmem_char_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_put_nbi(char *dest, const char *source, size_t nelems, int pe) { shmem_char_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_get_nbi(char *dest, const char *source, size_t nelems, int pe) { shmem_char_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_iput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_char_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_iget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_char_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_p(char *dest, char value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE char nvshmem_char_g(const char *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_put(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_get(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_iput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_schar_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_iget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_schar_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_p(signed char *dest, signed char value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE signed char nvshmem_schar_g(const signed char *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_put(short *dest, const short *source, size_t nelems, int pe) { shmem_short_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_get(short *dest, const short *source, size_t nelems, int pe) { shmem_short_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_put_nbi(short *dest, const short *source, size_t nelems, int pe) { shmem_short_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_get_nbi(short *dest, const short *source, size_t nelems, int pe) { shmem_short_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_iput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_short_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_iget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_short_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_p(short *dest, short value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE short nvshmem_short_g(const short *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_put(int *dest, const int *source, size_t nelems, int pe) { shmem_int_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_get(int *dest, const int *source, size_t nelems, int pe) { shmem_int_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_put_nbi(int *dest, const int *source, size_t nelems, int pe) { shmem_int_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_get_nbi(int *dest, const int *source, size_t nelems, int pe) { shmem_int_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_iget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_p(int *dest, int value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_g(const int *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_put(long *dest, const long *source, size_t nelems, int pe) { shmem_long_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_get(long *dest, const long *source, size_t nelems, int pe) { shmem_long_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_put_nbi(long *dest, const long *source, size_t nelems, int pe) { shmem_long_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe) { shmem_long_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_long_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_iget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_long_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_p(long *dest, long value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_g(const long *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_get(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_put_nbi(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_get_nbi(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_iput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_longlong_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_iget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_longlong_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_p(long long *dest, long long value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_g(const long long *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_iput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uchar_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_iget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uchar_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_p(unsigned char *dest, unsigned char value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned char nvshmem_uchar_g(const unsigned char *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_iput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ushort_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_iget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ushort_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_p(unsigned short *dest, unsigned short value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned short nvshmem_ushort_g(const unsigned short *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_iput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_iget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_p(unsigned int *dest, unsigned int value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_g(const unsigned int *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_iput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulong_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_iget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulong_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_p(unsigned long *dest, unsigned long value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_g(const unsigned long *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_put(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_get(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_put_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_get_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_iput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulonglong_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_iget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulonglong_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_p(unsigned long long *dest, unsigned long long value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_g(const unsigned long long *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_put(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_get(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_put_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_get_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_iput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int8_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_iget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int8_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_p(int8_t *dest, int8_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int8_t nvshmem_int8_g(const int8_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_put(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_get(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_put_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_get_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_iput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int16_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_iget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int16_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_p(int16_t *dest, int16_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int16_t nvshmem_int16_g(const int16_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_put(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_get(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_put_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_get_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_iput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int32_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_iget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int32_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_p(int32_t *dest, int32_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_g(const int32_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_put_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int64_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_iget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int64_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_p(int64_t *dest, int64_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_g(const int64_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_put(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_get(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_put_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_get_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_iput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint8_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_iget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint8_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_p(uint8_t *dest, uint8_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint8_t nvshmem_uint8_g(const uint8_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_get(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_put_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint16_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_iget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint16_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_p(uint16_t *dest, uint16_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint16_t nvshmem_uint16_g(const uint16_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_put(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_get(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_put_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_get_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_iput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint32_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_iget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint32_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_p(uint32_t *dest, uint32_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_g(const uint32_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_put(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_get(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_put_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_get_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_iput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint64_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_iget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint64_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_p(uint64_t *dest, uint64_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_g(const uint64_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_put(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_get(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_put_nbi(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_get_nbi(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_iput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_size_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_iget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_size_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_p(size_t *dest, size_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_g(const size_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_put(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_get(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_put_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_get_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_iput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ptrdiff_iput(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_iget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ptrdiff_iget(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_p(ptrdiff_t *dest, ptrdiff_t value, int pe) { nvshmem_impl::p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_g(const ptrdiff_t *source, int pe) { return nvshmem_impl::g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_atomic_compare_swap(int *dest, int cond, int value, int pe) { return shmem_int_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_atomic_fetch_add(int *dest, int value, int pe) { return shmem_int_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_atomic_add(int *dest, int value, int pe) { shmem_int_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_atomic_fetch_inc(int *dest, int pe) { return shmem_int_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_atomic_inc(int *dest, int pe) { shmem_int_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_atomic_compare_swap(long *dest, long cond, long value, int pe) { return shmem_long_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_atomic_fetch_add(long *dest, long value, int pe) { return shmem_long_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_atomic_add(long *dest, long value, int pe) { shmem_long_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_atomic_fetch_inc(long *dest, int pe) { return shmem_long_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_atomic_inc(long *dest, int pe) { shmem_long_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_atomic_compare_swap(long long *dest, long long cond, long long value, int pe) { return shmem_longlong_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_atomic_fetch_add(long long *dest, long long value, int pe) { return shmem_longlong_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_atomic_add(long long *dest, long long value, int pe) { shmem_longlong_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_atomic_fetch_inc(long long *dest, int pe) { return shmem_longlong_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_atomic_inc(long long *dest, int pe) { shmem_longlong_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_compare_swap(unsigned int *dest, unsigned int cond, unsigned int value, int pe) { return shmem_uint_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_fetch_add(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_atomic_add(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_fetch_inc(unsigned int *dest, int pe) { return shmem_uint_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_atomic_inc(unsigned int *dest, int pe) { shmem_uint_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_compare_swap(unsigned long *dest, unsigned long cond, unsigned long value, int pe) { return shmem_ulong_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_fetch_add(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_atomic_add(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_fetch_inc(unsigned long *dest, int pe) { return shmem_ulong_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_atomic_inc(unsigned long *dest, int pe) { shmem_ulong_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_compare_swap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ulonglong_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_fetch_add(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_atomic_add(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_fetch_inc(unsigned long long *dest, int pe) { return shmem_ulonglong_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_atomic_inc(unsigned long long *dest, int pe) { shmem_ulonglong_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_compare_swap(int32_t *dest, int32_t cond, int32_t value, int pe) { return shmem_int32_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_fetch_add(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_atomic_add(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_fetch_inc(int32_t *dest, int pe) { return shmem_int32_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_atomic_inc(int32_t *dest, int pe) { shmem_int32_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_compare_swap(int64_t *dest, int64_t cond, int64_t value, int pe) { return shmem_int64_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_atomic_add(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_fetch_inc(int64_t *dest, int pe) { return shmem_int64_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_atomic_inc(int64_t *dest, int pe) { shmem_int64_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_compare_swap(uint32_t *dest, uint32_t cond, uint32_t value, int pe) { return shmem_uint32_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_fetch_add(uint32_t *dest, uint32_t value, int pe) { return shmem_uint32_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_atomic_add(uint32_t *dest, uint32_t value, int pe) { shmem_uint32_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_fetch_inc(uint32_t *dest, int pe) { return shmem_uint32_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_atomic_inc(uint32_t *dest, int pe) { shmem_uint32_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe) { return shmem_uint64_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_fetch_add(uint64_t *dest, uint64_t value, int pe) { return shmem_uint64_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_atomic_add(uint64_t *dest, uint64_t value, int pe) { shmem_uint64_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_fetch_inc(uint64_t *dest, int pe) { return shmem_uint64_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_atomic_inc(uint64_t *dest, int pe) { shmem_uint64_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_atomic_compare_swap(size_t *dest, size_t cond, size_t value, int pe) { return shmem_size_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_atomic_fetch_add(size_t *dest, size_t value, int pe) { return shmem_size_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_atomic_add(size_t *dest, size_t value, int pe) { shmem_size_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_atomic_fetch_inc(size_t *dest, int pe) { return shmem_size_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_atomic_inc(size_t *dest, int pe) { shmem_size_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_atomic_compare_swap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) { return shmem_ptrdiff_atomic_compare_swap(dest, cond, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_atomic_fetch_add(ptrdiff_t *dest, ptrdiff_t value, int pe) { return shmem_ptrdiff_atomic_fetch_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_atomic_add(ptrdiff_t *dest, ptrdiff_t value, int pe) { shmem_ptrdiff_atomic_add(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_atomic_fetch_inc(ptrdiff_t *dest, int pe) { return shmem_ptrdiff_atomic_fetch_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_atomic_inc(ptrdiff_t *dest, int pe) { shmem_ptrdiff_atomic_inc(dest, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_atomic_fetch(const int *source, int pe) { return shmem_int_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_atomic_set(int *dest, int value, int pe) { shmem_int_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_atomic_swap(int *dest, int value, int pe) { return shmem_int_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_atomic_fetch(const long *source, int pe) { return shmem_long_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_atomic_set(long *dest, long value, int pe) { shmem_long_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_atomic_swap(long *dest, long value, int pe) { return shmem_long_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_atomic_fetch(const long long *source, int pe) { return shmem_longlong_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_atomic_set(long long *dest, long long value, int pe) { shmem_longlong_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_atomic_swap(long long *dest, long long value, int pe) { return shmem_longlong_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_fetch(const unsigned int *source, int pe) { return shmem_uint_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_atomic_set(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_swap(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_fetch(const unsigned long *source, int pe) { return shmem_ulong_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_atomic_set(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_swap(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_fetch(const unsigned long long *source, int pe) { return shmem_ulonglong_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_atomic_set(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_swap(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_fetch(const int32_t *source, int pe) { return shmem_int32_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_atomic_set(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_swap(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_fetch(const int64_t *source, int pe) { return shmem_int64_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_atomic_set(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_fetch(const uint32_t *source, int pe) { return shmem_uint32_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_atomic_set(uint32_t *dest, uint32_t value, int pe) { shmem_uint32_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_swap(uint32_t *dest, uint32_t value, int pe) { return shmem_uint32_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_fetch(const uint64_t *source, int pe) { return shmem_uint64_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_atomic_set(uint64_t *dest, uint64_t value, int pe) { shmem_uint64_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_swap(uint64_t *dest, uint64_t value, int pe) { return shmem_uint64_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_atomic_fetch(const size_t *source, int pe) { return shmem_size_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_atomic_set(size_t *dest, size_t value, int pe) { shmem_size_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_atomic_swap(size_t *dest, size_t value, int pe) { return shmem_size_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_atomic_fetch(const ptrdiff_t *source, int pe) { return shmem_ptrdiff_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_atomic_set(ptrdiff_t *dest, ptrdiff_t value, int pe) { shmem_ptrdiff_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_atomic_swap(ptrdiff_t *dest, ptrdiff_t value, int pe) { return shmem_ptrdiff_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE float nvshmem_float_atomic_fetch(const float *source, int pe) { return shmem_float_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_atomic_set(float *dest, float value, int pe) { shmem_float_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE float nvshmem_float_atomic_swap(float *dest, float value, int pe) { return shmem_float_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE double nvshmem_double_atomic_fetch(const double *source, int pe) { return shmem_double_atomic_fetch(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_atomic_set(double *dest, double value, int pe) { shmem_double_atomic_set(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE double nvshmem_double_atomic_swap(double *dest, double value, int pe) { return shmem_double_atomic_swap(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_fetch_and(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_atomic_and(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_fetch_or(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_atomic_or(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_atomic_fetch_xor(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_atomic_xor(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_fetch_and(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_atomic_and(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_fetch_or(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_atomic_or(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_atomic_fetch_xor(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_atomic_xor(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_fetch_and(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_atomic_and(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_fetch_or(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_atomic_or(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_atomic_fetch_xor(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_atomic_xor(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_fetch_and(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_atomic_and(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_fetch_or(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_atomic_or(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_atomic_fetch_xor(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_atomic_xor(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_fetch_and(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_atomic_and(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_fetch_or(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_atomic_or(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_atomic_xor(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_fetch_and(uint32_t *dest, uint32_t value, int pe) { return shmem_uint32_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_atomic_and(uint32_t *dest, uint32_t value, int pe) { shmem_uint32_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_fetch_or(uint32_t *dest, uint32_t value, int pe) { return shmem_uint32_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_atomic_or(uint32_t *dest, uint32_t value, int pe) { shmem_uint32_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_atomic_fetch_xor(uint32_t *dest, uint32_t value, int pe) { return shmem_uint32_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_atomic_xor(uint32_t *dest, uint32_t value, int pe) { shmem_uint32_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_fetch_and(uint64_t *dest, uint64_t value, int pe) { return shmem_uint64_atomic_fetch_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_atomic_and(uint64_t *dest, uint64_t value, int pe) { shmem_uint64_atomic_and(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_fetch_or(uint64_t *dest, uint64_t value, int pe) { return shmem_uint64_atomic_fetch_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_atomic_or(uint64_t *dest, uint64_t value, int pe) { shmem_uint64_atomic_or(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_atomic_fetch_xor(uint64_t *dest, uint64_t value, int pe) { return shmem_uint64_atomic_fetch_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_atomic_xor(uint64_t *dest, uint64_t value, int pe) { shmem_uint64_atomic_xor(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe) { shmem_signal_set(sig_addr, signal, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe) { shmem_signal_add(sig_addr, signal, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_signal_fetch(const uint64_t *sig_addr) { return shmem_signal_fetch(sig_addr); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value) { return shmem_signal_wait_until(sig_addr, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_putmem_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_putmem_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put8_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put8_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put8_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put8_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put16_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put16_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put16_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put16_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put32_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put32_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put32_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put32_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put64_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put64_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put64_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put64_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put128_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put128_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put128_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_put128_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_float_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_put_signal_nbi(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_float_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_double_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_put_signal_nbi(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_double_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_put_signal(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_char_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_put_signal_nbi(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_char_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_put_signal(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_schar_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_put_signal_nbi(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_schar_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_put_signal(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_short_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_put_signal_nbi(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_short_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_put_signal_nbi(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_long_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_put_signal_nbi(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_long_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_put_signal(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_longlong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_put_signal_nbi(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_longlong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_put_signal(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uchar_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_put_signal_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uchar_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_put_signal(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ushort_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_put_signal_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ushort_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_put_signal(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_put_signal_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_put_signal(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_put_signal_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_put_signal(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulonglong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_put_signal_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulonglong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_put_signal(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int8_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_put_signal_nbi(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int8_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_put_signal(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int16_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_put_signal_nbi(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int16_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_put_signal(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int32_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_put_signal_nbi(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int32_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int64_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_put_signal_nbi(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int64_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_put_signal(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint8_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_put_signal_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint8_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_put_signal(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint16_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_put_signal_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint16_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_put_signal(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint32_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_put_signal_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint32_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_put_signal(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint64_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_put_signal_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint64_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_put_signal(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_size_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_put_signal_nbi(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_size_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_put_signal(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ptrdiff_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_put_signal_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ptrdiff_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_wait_until(int *ivar, int cmp, int cmp_value) { shmem_int_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_test(int *ivar, int cmp, int cmp_value) { return shmem_int_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_wait_until(long *ivar, int cmp, long cmp_value) { shmem_long_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_test(long *ivar, int cmp, long cmp_value) { return shmem_long_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_wait_until(long long *ivar, int cmp, long long cmp_value) { shmem_longlong_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_test(long long *ivar, int cmp, long long cmp_value) { return shmem_longlong_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_wait_until(unsigned int *ivar, int cmp, unsigned int cmp_value) { shmem_uint_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_test(unsigned int *ivar, int cmp, unsigned int cmp_value) { return shmem_uint_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_wait_until(unsigned long *ivar, int cmp, unsigned long cmp_value) { shmem_ulong_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_test(unsigned long *ivar, int cmp, unsigned long cmp_value) { return shmem_ulong_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_wait_until(unsigned long long *ivar, int cmp, unsigned long long cmp_value) { shmem_ulonglong_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_test(unsigned long long *ivar, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_wait_until(int32_t *ivar, int cmp, int32_t cmp_value) { shmem_int32_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_test(int32_t *ivar, int cmp, int32_t cmp_value) { return shmem_int32_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value) { shmem_int64_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value) { return shmem_int64_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_wait_until(uint32_t *ivar, int cmp, uint32_t cmp_value) { shmem_uint32_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_test(uint32_t *ivar, int cmp, uint32_t cmp_value) { return shmem_uint32_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value) { shmem_uint64_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_test(uint64_t *ivar, int cmp, uint64_t cmp_value) { return shmem_uint64_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_wait_until(size_t *ivar, int cmp, size_t cmp_value) { shmem_size_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_test(size_t *ivar, int cmp, size_t cmp_value) { return shmem_size_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_wait_until(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value) { shmem_ptrdiff_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_test(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value) { return shmem_ptrdiff_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_wait_until(short *ivar, int cmp, short cmp_value) { shmem_short_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_test(short *ivar, int cmp, short cmp_value) { return shmem_short_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value) { shmem_ushort_wait_until(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_test(unsigned short *ivar, int cmp, unsigned short cmp_value) { return shmem_ushort_test(ivar, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_wait_until_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { shmem_int_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_wait_until_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { return shmem_int_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_wait_until_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) { return shmem_int_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_test_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { return shmem_int_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_test_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { return shmem_int_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_test_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) { return shmem_int_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_wait_until_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { shmem_int_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_wait_until_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { return shmem_int_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_wait_until_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) { return shmem_int_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_test_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { return shmem_int_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_test_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { return shmem_int_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int_test_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) { return shmem_int_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_wait_until_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { shmem_long_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_wait_until_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { return shmem_long_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) { return shmem_long_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_test_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { return shmem_long_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_test_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { return shmem_long_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_test_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) { return shmem_long_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_wait_until_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { shmem_long_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_wait_until_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { return shmem_long_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_wait_until_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) { return shmem_long_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_test_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { return shmem_long_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_test_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { return shmem_long_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_long_test_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) { return shmem_long_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_wait_until_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { shmem_longlong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_wait_until_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_wait_until_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_test_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { return shmem_longlong_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_test_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { return shmem_longlong_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_test_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) { return shmem_longlong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_wait_until_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { shmem_longlong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_wait_until_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_wait_until_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_test_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_test_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_longlong_test_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_wait_until_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { shmem_uint_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_wait_until_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_wait_until_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_test_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_test_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_test_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_wait_until_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { shmem_uint_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_wait_until_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_wait_until_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_test_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_test_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint_test_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_wait_until_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { shmem_ulong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_wait_until_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_wait_until_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_test_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_test_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_test_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_wait_until_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { shmem_ulong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_wait_until_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_wait_until_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_test_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_test_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulong_test_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_wait_until_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { shmem_ulonglong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_wait_until_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_wait_until_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_test_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_test_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_test_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_wait_until_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { shmem_ulonglong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_wait_until_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_wait_until_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_test_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_test_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ulonglong_test_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_wait_until_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) { shmem_int32_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_wait_until_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) { return shmem_int32_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_wait_until_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value) { return shmem_int32_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_test_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) { return shmem_int32_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_test_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) { return shmem_int32_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_test_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value) { return shmem_int32_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_wait_until_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) { shmem_int32_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_wait_until_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) { return shmem_int32_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_wait_until_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values) { return shmem_int32_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_test_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) { return shmem_int32_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_test_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) { return shmem_int32_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int32_test_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values) { return shmem_int32_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_wait_until_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) { shmem_int64_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_wait_until_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) { return shmem_int64_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_wait_until_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value) { return shmem_int64_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_test_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) { return shmem_int64_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_test_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) { return shmem_int64_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_test_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value) { return shmem_int64_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_wait_until_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) { shmem_int64_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_wait_until_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) { return shmem_int64_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_wait_until_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values) { return shmem_int64_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_test_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) { return shmem_int64_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_test_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) { return shmem_int64_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_int64_test_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values) { return shmem_int64_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_wait_until_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) { shmem_uint32_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_wait_until_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) { return shmem_uint32_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_wait_until_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value) { return shmem_uint32_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_test_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) { return shmem_uint32_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_test_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) { return shmem_uint32_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_test_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value) { return shmem_uint32_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_wait_until_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) { shmem_uint32_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_wait_until_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) { return shmem_uint32_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_wait_until_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values) { return shmem_uint32_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_test_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) { return shmem_uint32_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_test_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) { return shmem_uint32_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint32_test_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values) { return shmem_uint32_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_wait_until_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) { shmem_uint64_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_wait_until_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) { return shmem_uint64_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_wait_until_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value) { return shmem_uint64_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_test_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) { return shmem_uint64_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_test_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) { return shmem_uint64_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_test_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value) { return shmem_uint64_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_wait_until_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) { shmem_uint64_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_wait_until_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) { return shmem_uint64_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_wait_until_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values) { return shmem_uint64_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_test_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) { return shmem_uint64_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_test_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) { return shmem_uint64_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_uint64_test_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values) { return shmem_uint64_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_wait_until_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) { shmem_size_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_wait_until_any(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) { return shmem_size_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_wait_until_some(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value) { return shmem_size_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_test_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) { return shmem_size_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_test_any(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) { return shmem_size_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_test_some(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value) { return shmem_size_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_wait_until_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) { shmem_size_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_wait_until_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) { return shmem_size_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_wait_until_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values) { return shmem_size_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_test_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) { return shmem_size_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_test_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) { return shmem_size_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_test_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values) { return shmem_size_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_wait_until_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) { shmem_ptrdiff_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_wait_until_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) { return shmem_ptrdiff_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_wait_until_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value) { return shmem_ptrdiff_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_test_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) { return shmem_ptrdiff_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_test_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) { return shmem_ptrdiff_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_test_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value) { return shmem_ptrdiff_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_wait_until_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) { shmem_ptrdiff_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_wait_until_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) { return shmem_ptrdiff_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_wait_until_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values) { return shmem_ptrdiff_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_test_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) { return shmem_ptrdiff_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_test_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) { return shmem_ptrdiff_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ptrdiff_test_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values) { return shmem_ptrdiff_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_wait_until_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { shmem_short_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_wait_until_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_wait_until_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) { return shmem_short_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_test_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_test_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_test_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) { return shmem_short_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_wait_until_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { shmem_short_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_wait_until_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_wait_until_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) { return shmem_short_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_test_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_test_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_short_test_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_wait_until_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { shmem_ushort_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_wait_until_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_wait_until_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_test_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_all(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_test_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_any(ivars, nelems, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_test_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_wait_until_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { shmem_ushort_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_wait_until_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_wait_until_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_test_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_test_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_ushort_test_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_fence(void) { shmem_fence(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_quiet(void) { shmem_quiet(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_barrier_all(void) { shmem_barrier_all(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_sync_all(void) { shmem_sync_all(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_team_sync(nvshmem_team_t team) { return shmem_team_sync(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_broadcastmem(nvshmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root) { return shmem_broadcastmem(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_fcollectmem(nvshmem_team_t team, void *dest, const void *source, size_t nelems) { return shmem_fcollectmem(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_alltoallmem(nvshmem_team_t team, void *dest, const void *source, size_t nelems) { return shmem_alltoallmem(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_broadcast(nvshmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root) { return shmem_float_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_fcollect(nvshmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_alltoall(nvshmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_min_reduce(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_max_reduce(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_broadcast(nvshmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root) { return shmem_double_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_fcollect(nvshmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_alltoall(nvshmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_min_reduce(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_max_reduce(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_broadcast(nvshmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root) { return shmem_char_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_fcollect(nvshmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_alltoall(nvshmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_min_reduce(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_max_reduce(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_broadcast(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root) { return shmem_schar_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_fcollect(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_alltoall(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_min_reduce(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_max_reduce(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_broadcast(nvshmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root) { return shmem_short_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_fcollect(nvshmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_alltoall(nvshmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_min_reduce(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_max_reduce(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_broadcast(nvshmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root) { return shmem_int_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_fcollect(nvshmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_alltoall(nvshmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_min_reduce(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_max_reduce(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_broadcast(nvshmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root) { return shmem_long_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_fcollect(nvshmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_alltoall(nvshmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_min_reduce(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_max_reduce(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_broadcast(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root) { return shmem_longlong_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_fcollect(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_alltoall(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_min_reduce(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_max_reduce(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_broadcast(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root) { return shmem_uchar_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_fcollect(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_alltoall(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_min_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_max_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_broadcast(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root) { return shmem_ushort_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_fcollect(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_alltoall(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_min_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_max_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_broadcast(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root) { return shmem_uint_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_fcollect(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_alltoall(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_min_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_max_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_broadcast(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root) { return shmem_ulong_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_fcollect(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_alltoall(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_min_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_max_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_broadcast(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root) { return shmem_ulonglong_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_fcollect(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_alltoall(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_min_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_max_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_broadcast(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root) { return shmem_int8_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_fcollect(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) { return shmem_int8_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_alltoall(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) { return shmem_int8_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_min_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_max_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_broadcast(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root) { return shmem_int16_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_fcollect(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) { return shmem_int16_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_alltoall(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) { return shmem_int16_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_min_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_max_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_broadcast(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root) { return shmem_int32_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_fcollect(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) { return shmem_int32_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_alltoall(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) { return shmem_int32_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_min_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_max_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_broadcast(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root) { return shmem_int64_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_fcollect(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) { return shmem_int64_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_alltoall(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) { return shmem_int64_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_min_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_max_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_broadcast(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root) { return shmem_uint8_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_fcollect(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) { return shmem_uint8_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_alltoall(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) { return shmem_uint8_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_min_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_max_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_broadcast(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root) { return shmem_uint16_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_fcollect(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) { return shmem_uint16_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_alltoall(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) { return shmem_uint16_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_min_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_max_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_broadcast(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root) { return shmem_uint32_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_fcollect(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) { return shmem_uint32_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_alltoall(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) { return shmem_uint32_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_min_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_max_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_broadcast(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root) { return shmem_uint64_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_fcollect(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) { return shmem_uint64_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_alltoall(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) { return shmem_uint64_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_min_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_max_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_broadcast(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root) { return shmem_size_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_fcollect(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems) { return shmem_size_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_alltoall(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems) { return shmem_size_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_min_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_max_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_broadcast(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root) { return shmem_ptrdiff_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_fcollect(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) { return shmem_ptrdiff_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_alltoall(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) { return shmem_ptrdiff_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_min_reduce(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmem_ptrdiff_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_max_reduce(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmem_ptrdiff_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_and_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_or_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_xor_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_and_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_or_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_xor_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_and_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_or_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_xor_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_and_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_or_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_xor_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_and_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_or_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_xor_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_and_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_or_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_xor_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_and_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_or_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_xor_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_and_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_or_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_xor_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_and_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_or_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_xor_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_and_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_or_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_xor_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_and_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_or_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_xor_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_and_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_or_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_xor_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_and_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_or_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_xor_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_and_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_and_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_or_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_or_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_xor_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_xor_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_sum_reduce(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_prod_reduce(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_sum_reduce(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_prod_reduce(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_sum_reduce(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_prod_reduce(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_sum_reduce(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_prod_reduce(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_sum_reduce(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_prod_reduce(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_sum_reduce(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_prod_reduce(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_sum_reduce(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_prod_reduce(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_sum_reduce(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_prod_reduce(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_sum_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_prod_reduce(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_sum_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_prod_reduce(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_sum_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_prod_reduce(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_sum_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_prod_reduce(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_sum_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_prod_reduce(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_sum_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_prod_reduce(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_sum_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_prod_reduce(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_sum_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_prod_reduce(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_sum_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_prod_reduce(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_sum_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_prod_reduce(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmem_uint8_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_sum_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_prod_reduce(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmem_uint16_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_sum_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_prod_reduce(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmem_uint32_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_sum_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_prod_reduce(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmem_uint64_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_sum_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_prod_reduce(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmem_size_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_sum_reduce(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmem_ptrdiff_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_prod_reduce(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmem_ptrdiff_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_put(__half *dest, const __half *source, size_t nelems, int pe) { shmem_putmem(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_warp(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_putmem_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_block(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_putmem_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_get(__half *dest, const __half *source, size_t nelems, int pe) { shmem_getmem(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_get_warp(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_getmem_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_get_block(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_getmem_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_put_nbi(__half *dest, const __half *source, size_t nelems, int pe) { shmem_putmem_nbi(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_nbi_warp(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_putmem_nbi_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_nbi_block(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_putmem_nbi_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_get_nbi(__half *dest, const __half *source, size_t nelems, int pe) { shmem_getmem_nbi(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_get_nbi_warp(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_getmem_nbi_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_get_nbi_block(__half *dest, const __half *source, size_t nelems, int pe) { shmemx_getmem_nbi_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_put_signal(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_putmem_signal(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_signal_warp(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_warp(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_signal_block(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_block(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_put_signal_nbi(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_putmem_signal_nbi(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_signal_nbi_warp(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_nbi_warp(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_put_signal_nbi_block(__half *dest, const __half *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_nbi_block(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_iput(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput16(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_iput_warp(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput16_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_iput_block(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput16_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_iget(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget16(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_iget_warp(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget16_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_half_iget_block(__half *dest, const __half *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget16_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_p(__half *dest, const __half value, int pe) { nvshmem_impl::p((unsigned short *)dest, nvshmem_impl::bits_16(value), pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE __half nvshmem_half_g(const __half *source, int pe) { return nvshmem_impl::of_16<__half>(nvshmem_impl::g((const unsigned short *)source, pe)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_broadcast(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems, int PE_root) { return shmemx_half_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_fcollect(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems) { return shmemx_half_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_alltoall(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems) { return shmemx_half_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_min_reduce(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_max_reduce(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_sum_reduce(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_prod_reduce(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_put(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmem_putmem(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_putmem_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_putmem_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_get(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmem_getmem(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_get_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_getmem_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_get_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_getmem_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_put_nbi(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmem_putmem_nbi(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_nbi_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_putmem_nbi_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_nbi_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_putmem_nbi_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_get_nbi(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmem_getmem_nbi(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_get_nbi_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_getmem_nbi_warp(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_get_nbi_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int pe) { shmemx_getmem_nbi_block(dest, source, nelems * 2, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_put_signal(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_putmem_signal(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_signal_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_warp(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_signal_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_block(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_put_signal_nbi(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_putmem_signal_nbi(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_signal_nbi_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_nbi_warp(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_put_signal_nbi_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_nbi_block(dest, source, nelems * 2, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_iput(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iput16(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_iput_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput16_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_iput_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput16_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_iget(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_iget16(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_iget_warp(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget16_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_bfloat16_iget_block(__nv_bfloat16 *dest, const __nv_bfloat16 *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget16_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_p(__nv_bfloat16 *dest, const __nv_bfloat16 value, int pe) { nvshmem_impl::p((unsigned short *)dest, nvshmem_impl::bits_16(value), pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE __nv_bfloat16 nvshmem_bfloat16_g(const __nv_bfloat16 *source, int pe) { return nvshmem_impl::of_16<__nv_bfloat16>(nvshmem_impl::g((const unsigned short *)source, pe)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_broadcast(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int PE_root) { return shmemx_bfloat16_broadcast(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_fcollect(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems) { return shmemx_bfloat16_fcollect(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_alltoall(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems) { return shmemx_bfloat16_alltoall(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_min_reduce(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_min_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_max_reduce(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_max_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_sum_reduce(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_sum_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_prod_reduce(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_prod_reduce(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_min_reducescatter(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_max_reducescatter(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_sum_reducescatter(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_float_prod_reducescatter(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_min_reducescatter(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_max_reducescatter(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_sum_reducescatter(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_double_prod_reducescatter(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_min_reducescatter(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_max_reducescatter(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_sum_reducescatter(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_char_prod_reducescatter(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_min_reducescatter(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_max_reducescatter(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_sum_reducescatter(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_schar_prod_reducescatter(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_min_reducescatter(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_max_reducescatter(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_sum_reducescatter(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_short_prod_reducescatter(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_min_reducescatter(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_max_reducescatter(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_sum_reducescatter(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_prod_reducescatter(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_min_reducescatter(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_max_reducescatter(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_sum_reducescatter(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_long_prod_reducescatter(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_min_reducescatter(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_max_reducescatter(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_sum_reducescatter(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_longlong_prod_reducescatter(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_min_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_max_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_sum_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_prod_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_min_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_max_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_sum_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_prod_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_min_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_max_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_sum_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_prod_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_min_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_max_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_sum_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_prod_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_min_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_max_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_sum_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_prod_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_min_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_max_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_sum_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_prod_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_min_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_max_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_sum_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_prod_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_min_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_max_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_sum_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_prod_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_min_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_max_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_sum_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_prod_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_min_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_max_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_sum_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_prod_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_min_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_max_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_sum_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_prod_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_min_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_max_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_sum_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_prod_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_min_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_max_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_sum_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_prod_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_min_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_max_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_sum_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_prod_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_min_reducescatter(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_max_reducescatter(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_sum_reducescatter(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ptrdiff_prod_reducescatter(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_and_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_or_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uchar_xor_reducescatter(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_and_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_or_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ushort_xor_reducescatter(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_and_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_or_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint_xor_reducescatter(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_and_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_or_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulong_xor_reducescatter(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_and_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_or_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_ulonglong_xor_reducescatter(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_and_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_or_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int8_xor_reducescatter(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_and_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_or_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int16_xor_reducescatter(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_and_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_or_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int32_xor_reducescatter(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_and_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_or_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int64_xor_reducescatter(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_and_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_or_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint8_xor_reducescatter(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_and_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_or_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint16_xor_reducescatter(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_and_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_or_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint32_xor_reducescatter(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_and_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_or_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_uint64_xor_reducescatter(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_and_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_and_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_or_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_or_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_size_xor_reducescatter(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_xor_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_min_reducescatter(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_max_reducescatter(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_sum_reducescatter(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_half_prod_reducescatter(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_min_reducescatter(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_min_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_max_reducescatter(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_max_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_sum_reducescatter(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_sum_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_bfloat16_prod_reducescatter(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_prod_reducescatter(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_barrier(nvshmem_team_t team) { return shmemx_barrier(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_sync(nvshmem_team_t team) { return shmem_team_sync(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_putmem_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_putmem_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_getmem_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_getmem_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_getmem_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_getmem_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_putmem_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_putmem_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_getmem_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_getmem_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_getmem_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_getmem_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put8_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put8_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get8_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get8_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get8_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get8_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put8_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put8_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get8_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get8_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get8_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get8_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput8_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput8_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput8_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput8_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget8_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget8_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget8_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget8_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput16_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput16_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput16_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput16_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget16_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget16_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget16_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget16_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput32_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput32_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput32_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput32_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget32_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget32_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget32_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget32_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput64_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput64_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput64_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput64_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget64_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget64_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget64_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget64_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput128_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput128_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iput128_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iput128_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget128_warp(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget128_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_iget128_block(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_iget128_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_nbi_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_nbi_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_nbi_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_nbi_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_iput_warp(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_float_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_iput_block(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_float_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_iget_warp(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_float_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_iget_block(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_float_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_nbi_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_nbi_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_nbi_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_nbi_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_iput_warp(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_double_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_iput_block(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_double_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_iget_warp(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_double_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_iget_block(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_double_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_nbi_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_nbi_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_nbi_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_nbi_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_iput_warp(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_char_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_iput_block(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_char_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_iget_warp(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_char_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_iget_block(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_char_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_iput_warp(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_schar_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_iput_block(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_schar_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_iget_warp(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_schar_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_iget_block(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_schar_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_nbi_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_nbi_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_nbi_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_nbi_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_iput_warp(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_short_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_iput_block(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_short_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_iget_warp(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_short_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_iget_block(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_short_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_nbi_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_nbi_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_nbi_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_nbi_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_iput_warp(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_iput_block(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_iget_warp(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_iget_block(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_nbi_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_nbi_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_nbi_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_nbi_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_iput_warp(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_long_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_iput_block(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_long_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_iget_warp(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_long_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_iget_block(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_long_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_nbi_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_nbi_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_iput_warp(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_longlong_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_iput_block(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_longlong_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_iget_warp(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_longlong_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_iget_block(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_longlong_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_iput_warp(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uchar_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_iput_block(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uchar_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_iget_warp(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uchar_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_iget_block(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uchar_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_iput_warp(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ushort_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_iput_block(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ushort_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_iget_warp(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ushort_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_iget_block(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ushort_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_iput_warp(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_iput_block(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_iget_warp(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_iget_block(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_iput_warp(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulong_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_iput_block(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulong_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_iget_warp(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulong_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_iget_block(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulong_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_iput_warp(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulonglong_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_iput_block(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulonglong_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_iget_warp(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulonglong_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_iget_block(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ulonglong_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_iput_warp(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int8_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_iput_block(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int8_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_iget_warp(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int8_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_iget_block(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int8_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_iput_warp(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int16_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_iput_block(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int16_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_iget_warp(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int16_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_iget_block(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int16_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_iput_warp(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int32_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_iput_block(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int32_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_iget_warp(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int32_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_iget_block(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int32_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_iput_warp(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int64_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_iput_block(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int64_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_iget_warp(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int64_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_iget_block(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_int64_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_iput_warp(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint8_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_iput_block(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint8_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_iget_warp(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint8_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_iget_block(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint8_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_iput_warp(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint16_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_iput_block(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint16_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_iget_warp(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint16_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_iget_block(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint16_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_iput_warp(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint32_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_iput_block(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint32_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_iget_warp(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint32_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_iget_block(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint32_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_iput_warp(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint64_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_iput_block(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint64_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_iget_warp(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint64_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_iget_block(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_uint64_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_iput_warp(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_size_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_iput_block(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_size_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_iget_warp(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_size_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_iget_block(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_size_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_iput_warp(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ptrdiff_iput_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_iput_block(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ptrdiff_iput_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_iget_warp(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ptrdiff_iget_warp(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_iget_block(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmemx_ptrdiff_iget_block(dest, source, dst, sst, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_putmem_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_putmem_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put8_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put8_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put8_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put8_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put8_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put16_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put16_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put16_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put16_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put32_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put32_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put32_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put32_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put64_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put64_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put64_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put64_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_signal_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put128_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_signal_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put128_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_signal_nbi_warp(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put128_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_signal_nbi_block(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_put128_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_signal_warp(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_float_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_signal_block(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_float_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_signal_nbi_warp(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_float_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_signal_nbi_block(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_float_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_signal_warp(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_double_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_signal_block(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_double_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_signal_nbi_warp(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_double_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_signal_nbi_block(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_double_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_signal_warp(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_char_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_signal_block(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_char_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_signal_nbi_warp(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_char_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_signal_nbi_block(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_char_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_signal_warp(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_schar_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_signal_block(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_schar_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_signal_nbi_warp(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_schar_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_signal_nbi_block(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_schar_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_signal_warp(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_short_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_signal_block(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_short_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_signal_nbi_warp(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_short_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_signal_nbi_block(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_short_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_signal_warp(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_signal_block(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_signal_nbi_warp(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_signal_nbi_block(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_signal_warp(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_long_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_signal_block(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_long_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_signal_nbi_warp(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_long_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_signal_nbi_block(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_long_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_signal_warp(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_longlong_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_signal_block(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_longlong_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_signal_nbi_warp(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_longlong_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_signal_nbi_block(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_longlong_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_signal_warp(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uchar_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_signal_block(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uchar_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_signal_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uchar_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_signal_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uchar_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_signal_warp(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ushort_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_signal_block(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ushort_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_signal_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ushort_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_signal_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ushort_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_signal_warp(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_signal_block(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_signal_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_signal_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_signal_warp(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulong_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_signal_block(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulong_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_signal_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulong_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_signal_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulong_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_signal_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulonglong_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_signal_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulonglong_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_signal_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulonglong_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_signal_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ulonglong_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_signal_warp(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int8_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_signal_block(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int8_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_signal_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int8_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_signal_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int8_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_signal_warp(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int16_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_signal_block(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int16_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_signal_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int16_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_signal_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int16_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_signal_warp(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int32_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_signal_block(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int32_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_signal_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int32_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_signal_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int32_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_signal_warp(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int64_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_signal_block(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int64_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_signal_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int64_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_signal_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_int64_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_signal_warp(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint8_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_signal_block(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint8_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_signal_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint8_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_signal_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint8_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_signal_warp(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint16_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_signal_block(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint16_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_signal_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint16_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_signal_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint16_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_signal_warp(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint32_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_signal_block(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint32_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_signal_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint32_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_signal_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint32_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_signal_warp(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint64_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_signal_block(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint64_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_signal_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint64_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_signal_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_uint64_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_signal_warp(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_size_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_signal_block(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_size_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_signal_nbi_warp(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_size_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_signal_nbi_block(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_size_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_signal_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ptrdiff_put_signal_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_signal_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ptrdiff_put_signal_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_signal_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ptrdiff_put_signal_nbi_warp(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_signal_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmemx_ptrdiff_put_signal_nbi_block(dest, source, nelems, sig_addr, signal, sig_op, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_fence_warp(void) { shmemx_fence_warp(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_fence_block(void) { shmemx_fence_block(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_quiet_warp(void) { shmemx_quiet_warp(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_quiet_block(void) { shmemx_quiet_block(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_barrier_all_warp(void) { shmemx_barrier_all_warp(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_barrier_all_block(void) { shmemx_barrier_all_block(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_sync_all_warp(void) { shmemx_sync_all_warp(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_sync_all_block(void) { shmemx_sync_all_block(); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_team_sync_warp(nvshmem_team_t team) { return shmemx_team_sync_warp(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_team_sync_block(nvshmem_team_t team) { return shmemx_team_sync_block(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_broadcastmem_warp(nvshmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root) { return shmemx_broadcastmem_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_broadcastmem_block(nvshmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root) { return shmemx_broadcastmem_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_fcollectmem_warp(nvshmem_team_t team, void *dest, const void *source, size_t nelems) { return shmemx_fcollectmem_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_fcollectmem_block(nvshmem_team_t team, void *dest, const void *source, size_t nelems) { return shmemx_fcollectmem_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_alltoallmem_warp(nvshmem_team_t team, void *dest, const void *source, size_t nelems) { return shmemx_alltoallmem_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_alltoallmem_block(nvshmem_team_t team, void *dest, const void *source, size_t nelems) { return shmemx_alltoallmem_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_broadcast_warp(nvshmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root) { return shmemx_float_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_broadcast_block(nvshmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root) { return shmemx_float_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_fcollect_warp(nvshmem_team_t team, float *dest, const float *source, size_t nelems) { return shmemx_float_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_fcollect_block(nvshmem_team_t team, float *dest, const float *source, size_t nelems) { return shmemx_float_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_alltoall_warp(nvshmem_team_t team, float *dest, const float *source, size_t nelems) { return shmemx_float_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_alltoall_block(nvshmem_team_t team, float *dest, const float *source, size_t nelems) { return shmemx_float_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_min_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_min_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_max_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_max_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_broadcast_warp(nvshmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root) { return shmemx_double_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_broadcast_block(nvshmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root) { return shmemx_double_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_fcollect_warp(nvshmem_team_t team, double *dest, const double *source, size_t nelems) { return shmemx_double_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_fcollect_block(nvshmem_team_t team, double *dest, const double *source, size_t nelems) { return shmemx_double_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_alltoall_warp(nvshmem_team_t team, double *dest, const double *source, size_t nelems) { return shmemx_double_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_alltoall_block(nvshmem_team_t team, double *dest, const double *source, size_t nelems) { return shmemx_double_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_min_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_min_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_max_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_max_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_broadcast_warp(nvshmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root) { return shmemx_char_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_broadcast_block(nvshmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root) { return shmemx_char_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_fcollect_warp(nvshmem_team_t team, char *dest, const char *source, size_t nelems) { return shmemx_char_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_fcollect_block(nvshmem_team_t team, char *dest, const char *source, size_t nelems) { return shmemx_char_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_alltoall_warp(nvshmem_team_t team, char *dest, const char *source, size_t nelems) { return shmemx_char_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_alltoall_block(nvshmem_team_t team, char *dest, const char *source, size_t nelems) { return shmemx_char_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_min_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_min_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_max_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_max_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_broadcast_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root) { return shmemx_schar_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_broadcast_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root) { return shmemx_schar_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_fcollect_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmemx_schar_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_fcollect_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmemx_schar_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_alltoall_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmemx_schar_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_alltoall_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmemx_schar_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_min_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_min_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_max_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_max_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_broadcast_warp(nvshmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root) { return shmemx_short_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_broadcast_block(nvshmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root) { return shmemx_short_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_fcollect_warp(nvshmem_team_t team, short *dest, const short *source, size_t nelems) { return shmemx_short_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_fcollect_block(nvshmem_team_t team, short *dest, const short *source, size_t nelems) { return shmemx_short_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_alltoall_warp(nvshmem_team_t team, short *dest, const short *source, size_t nelems) { return shmemx_short_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_alltoall_block(nvshmem_team_t team, short *dest, const short *source, size_t nelems) { return shmemx_short_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_min_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_min_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_max_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_max_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_broadcast_warp(nvshmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root) { return shmemx_int_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_broadcast_block(nvshmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root) { return shmemx_int_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_fcollect_warp(nvshmem_team_t team, int *dest, const int *source, size_t nelems) { return shmemx_int_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_fcollect_block(nvshmem_team_t team, int *dest, const int *source, size_t nelems) { return shmemx_int_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_alltoall_warp(nvshmem_team_t team, int *dest, const int *source, size_t nelems) { return shmemx_int_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_alltoall_block(nvshmem_team_t team, int *dest, const int *source, size_t nelems) { return shmemx_int_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_min_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_min_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_max_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_max_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_broadcast_warp(nvshmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root) { return shmemx_long_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_broadcast_block(nvshmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root) { return shmemx_long_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_fcollect_warp(nvshmem_team_t team, long *dest, const long *source, size_t nelems) { return shmemx_long_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_fcollect_block(nvshmem_team_t team, long *dest, const long *source, size_t nelems) { return shmemx_long_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_alltoall_warp(nvshmem_team_t team, long *dest, const long *source, size_t nelems) { return shmemx_long_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_alltoall_block(nvshmem_team_t team, long *dest, const long *source, size_t nelems) { return shmemx_long_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_min_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_min_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_max_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_max_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_broadcast_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root) { return shmemx_longlong_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_broadcast_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root) { return shmemx_longlong_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_fcollect_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmemx_longlong_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_fcollect_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmemx_longlong_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_alltoall_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmemx_longlong_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_alltoall_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmemx_longlong_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_min_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_min_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_max_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_max_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_broadcast_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root) { return shmemx_uchar_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_broadcast_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root) { return shmemx_uchar_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_fcollect_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmemx_uchar_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_fcollect_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmemx_uchar_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_alltoall_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmemx_uchar_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_alltoall_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmemx_uchar_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_min_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_min_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_max_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_max_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_broadcast_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root) { return shmemx_ushort_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_broadcast_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root) { return shmemx_ushort_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_fcollect_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmemx_ushort_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_fcollect_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmemx_ushort_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_alltoall_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmemx_ushort_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_alltoall_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmemx_ushort_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_min_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_min_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_max_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_max_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_broadcast_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root) { return shmemx_uint_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_broadcast_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root) { return shmemx_uint_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_fcollect_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmemx_uint_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_fcollect_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmemx_uint_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_alltoall_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmemx_uint_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_alltoall_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmemx_uint_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_min_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_min_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_max_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_max_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_broadcast_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root) { return shmemx_ulong_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_broadcast_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root) { return shmemx_ulong_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_fcollect_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmemx_ulong_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_fcollect_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmemx_ulong_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_alltoall_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmemx_ulong_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_alltoall_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmemx_ulong_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_min_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_min_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_max_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_max_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_broadcast_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root) { return shmemx_ulonglong_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_broadcast_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root) { return shmemx_ulonglong_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_fcollect_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmemx_ulonglong_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_fcollect_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmemx_ulonglong_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_alltoall_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmemx_ulonglong_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_alltoall_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmemx_ulonglong_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_min_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_min_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_max_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_max_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_broadcast_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root) { return shmemx_int8_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_broadcast_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root) { return shmemx_int8_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_fcollect_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) { return shmemx_int8_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_fcollect_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) { return shmemx_int8_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_alltoall_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) { return shmemx_int8_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_alltoall_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) { return shmemx_int8_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_min_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_min_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_max_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_max_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_broadcast_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root) { return shmemx_int16_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_broadcast_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root) { return shmemx_int16_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_fcollect_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) { return shmemx_int16_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_fcollect_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) { return shmemx_int16_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_alltoall_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) { return shmemx_int16_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_alltoall_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) { return shmemx_int16_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_min_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_min_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_max_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_max_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_broadcast_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root) { return shmemx_int32_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_broadcast_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root) { return shmemx_int32_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_fcollect_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) { return shmemx_int32_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_fcollect_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) { return shmemx_int32_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_alltoall_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) { return shmemx_int32_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_alltoall_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) { return shmemx_int32_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_min_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_min_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_max_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_max_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_broadcast_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root) { return shmemx_int64_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_broadcast_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root) { return shmemx_int64_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_fcollect_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) { return shmemx_int64_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_fcollect_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) { return shmemx_int64_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_alltoall_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) { return shmemx_int64_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_alltoall_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) { return shmemx_int64_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_min_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_min_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_max_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_max_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_broadcast_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root) { return shmemx_uint8_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_broadcast_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root) { return shmemx_uint8_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_fcollect_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) { return shmemx_uint8_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_fcollect_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) { return shmemx_uint8_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_alltoall_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) { return shmemx_uint8_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_alltoall_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) { return shmemx_uint8_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_min_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_min_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_max_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_max_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_broadcast_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root) { return shmemx_uint16_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_broadcast_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root) { return shmemx_uint16_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_fcollect_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) { return shmemx_uint16_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_fcollect_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) { return shmemx_uint16_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_alltoall_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) { return shmemx_uint16_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_alltoall_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) { return shmemx_uint16_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_min_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_min_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_max_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_max_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_broadcast_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root) { return shmemx_uint32_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_broadcast_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root) { return shmemx_uint32_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_fcollect_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) { return shmemx_uint32_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_fcollect_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) { return shmemx_uint32_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_alltoall_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) { return shmemx_uint32_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_alltoall_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) { return shmemx_uint32_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_min_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_min_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_max_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_max_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_broadcast_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root) { return shmemx_uint64_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_broadcast_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root) { return shmemx_uint64_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_fcollect_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) { return shmemx_uint64_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_fcollect_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) { return shmemx_uint64_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_alltoall_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) { return shmemx_uint64_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_alltoall_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) { return shmemx_uint64_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_min_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_min_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_max_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_max_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_broadcast_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root) { return shmemx_size_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_broadcast_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root) { return shmemx_size_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_fcollect_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems) { return shmemx_size_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_fcollect_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems) { return shmemx_size_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_alltoall_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems) { return shmemx_size_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_alltoall_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nelems) { return shmemx_size_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_min_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_min_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_max_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_max_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_broadcast_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root) { return shmemx_ptrdiff_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_broadcast_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root) { return shmemx_ptrdiff_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_fcollect_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) { return shmemx_ptrdiff_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_fcollect_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) { return shmemx_ptrdiff_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_alltoall_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) { return shmemx_ptrdiff_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_alltoall_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) { return shmemx_ptrdiff_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_min_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_min_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_max_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_max_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_and_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_and_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_or_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_or_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_xor_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_xor_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_and_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_and_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_or_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_or_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_xor_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_xor_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_and_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_and_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_or_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_or_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_xor_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_xor_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_and_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_and_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_or_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_or_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_xor_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_xor_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_and_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_and_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_or_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_or_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_xor_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_xor_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_and_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_and_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_or_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_or_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_xor_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_xor_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_and_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_and_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_or_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_or_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_xor_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_xor_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_and_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_and_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_or_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_or_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_xor_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_xor_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_and_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_and_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_or_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_or_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_xor_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_xor_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_and_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_and_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_or_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_or_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_xor_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_xor_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_and_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_and_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_or_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_or_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_xor_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_xor_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_and_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_and_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_or_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_or_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_xor_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_xor_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_and_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_and_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_or_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_or_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_xor_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_xor_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_and_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_and_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_and_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_and_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_or_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_or_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_or_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_or_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_xor_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_xor_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_xor_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_xor_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_sum_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_sum_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_prod_reduce_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_prod_reduce_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_sum_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_sum_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_prod_reduce_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_prod_reduce_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_sum_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_sum_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_prod_reduce_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_prod_reduce_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_sum_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_sum_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_prod_reduce_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_prod_reduce_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_sum_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_sum_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_prod_reduce_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_prod_reduce_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_sum_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_sum_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_prod_reduce_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_prod_reduce_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_sum_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_sum_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_prod_reduce_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_prod_reduce_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_sum_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_sum_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_prod_reduce_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_prod_reduce_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_sum_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_sum_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_prod_reduce_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_prod_reduce_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_sum_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_sum_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_prod_reduce_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_prod_reduce_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_sum_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_sum_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_prod_reduce_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_prod_reduce_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_sum_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_sum_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_prod_reduce_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_prod_reduce_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_sum_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_sum_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_prod_reduce_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_prod_reduce_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_sum_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_sum_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_prod_reduce_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_prod_reduce_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_sum_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_sum_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_prod_reduce_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_prod_reduce_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_sum_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_sum_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_prod_reduce_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_prod_reduce_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_sum_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_sum_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_prod_reduce_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_prod_reduce_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_sum_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_sum_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_prod_reduce_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_prod_reduce_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_sum_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_sum_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_prod_reduce_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_prod_reduce_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_sum_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_sum_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_prod_reduce_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_prod_reduce_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_sum_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_sum_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_prod_reduce_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_prod_reduce_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_sum_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_sum_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_prod_reduce_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_prod_reduce_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_sum_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_sum_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_prod_reduce_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_prod_reduce_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_barrier_warp(nvshmem_team_t team) { return shmemx_barrier_warp(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_barrier_block(nvshmem_team_t team) { return shmemx_barrier_block(nvshmem_impl::team_of(team)); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_min_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_min_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_max_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_max_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_sum_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_sum_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_prod_reducescatter_warp(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_float_prod_reducescatter_block(nvshmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmemx_float_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_min_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_min_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_max_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_max_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_sum_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_sum_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_prod_reducescatter_warp(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_double_prod_reducescatter_block(nvshmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmemx_double_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_min_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_min_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_max_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_max_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_sum_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_sum_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_prod_reducescatter_warp(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_char_prod_reducescatter_block(nvshmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmemx_char_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_min_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_min_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_max_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_max_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_sum_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_sum_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_prod_reducescatter_warp(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_schar_prod_reducescatter_block(nvshmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmemx_schar_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_min_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_min_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_max_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_max_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_sum_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_sum_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_prod_reducescatter_warp(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_short_prod_reducescatter_block(nvshmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmemx_short_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_min_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_min_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_max_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_max_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_sum_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_sum_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_prod_reducescatter_warp(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int_prod_reducescatter_block(nvshmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmemx_int_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_min_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_min_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_max_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_max_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_sum_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_sum_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_prod_reducescatter_warp(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_long_prod_reducescatter_block(nvshmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmemx_long_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_min_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_min_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_max_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_max_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_sum_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_sum_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_prod_reducescatter_warp(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_longlong_prod_reducescatter_block(nvshmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmemx_longlong_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_min_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_min_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_max_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_max_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_sum_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_sum_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_prod_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_prod_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_min_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_min_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_max_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_max_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_sum_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_sum_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_prod_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_prod_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_min_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_min_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_max_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_max_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_sum_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_sum_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_prod_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_prod_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_min_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_min_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_max_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_max_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_sum_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_sum_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_prod_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_prod_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_min_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_min_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_max_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_max_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_sum_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_sum_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_prod_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_prod_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_min_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_min_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_max_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_max_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_sum_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_sum_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_prod_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_prod_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_min_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_min_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_max_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_max_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_sum_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_sum_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_prod_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_prod_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_min_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_min_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_max_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_max_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_sum_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_sum_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_prod_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_prod_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_min_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_min_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_max_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_max_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_sum_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_sum_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_prod_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_prod_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_min_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_min_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_max_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_max_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_sum_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_sum_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_prod_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_prod_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_min_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_min_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_max_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_max_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_sum_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_sum_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_prod_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_prod_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_min_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_min_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_max_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_max_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_sum_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_sum_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_prod_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_prod_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_min_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_min_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_max_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_max_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_sum_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_sum_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_prod_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_prod_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_min_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_min_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_max_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_max_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_sum_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_sum_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_prod_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_prod_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_min_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_min_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_max_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_max_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_sum_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_sum_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_prod_reducescatter_warp(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ptrdiff_prod_reducescatter_block(nvshmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) { return shmemx_ptrdiff_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_and_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_and_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_or_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_or_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_xor_reducescatter_warp(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uchar_xor_reducescatter_block(nvshmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmemx_uchar_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_and_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_and_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_or_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_or_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_xor_reducescatter_warp(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ushort_xor_reducescatter_block(nvshmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmemx_ushort_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_and_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_and_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_or_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_or_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_xor_reducescatter_warp(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint_xor_reducescatter_block(nvshmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmemx_uint_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_and_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_and_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_or_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_or_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_xor_reducescatter_warp(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulong_xor_reducescatter_block(nvshmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmemx_ulong_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_and_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_and_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_or_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_or_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_xor_reducescatter_warp(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_ulonglong_xor_reducescatter_block(nvshmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmemx_ulonglong_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_and_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_and_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_or_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_or_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_xor_reducescatter_warp(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int8_xor_reducescatter_block(nvshmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmemx_int8_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_and_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_and_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_or_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_or_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_xor_reducescatter_warp(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int16_xor_reducescatter_block(nvshmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmemx_int16_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_and_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_and_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_or_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_or_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_xor_reducescatter_warp(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int32_xor_reducescatter_block(nvshmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmemx_int32_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_and_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_and_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_or_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_or_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_xor_reducescatter_warp(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_int64_xor_reducescatter_block(nvshmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmemx_int64_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_and_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_and_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_or_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_or_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_xor_reducescatter_warp(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint8_xor_reducescatter_block(nvshmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) { return shmemx_uint8_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_and_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_and_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_or_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_or_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_xor_reducescatter_warp(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint16_xor_reducescatter_block(nvshmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) { return shmemx_uint16_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_and_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_and_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_or_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_or_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_xor_reducescatter_warp(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint32_xor_reducescatter_block(nvshmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) { return shmemx_uint32_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_and_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_and_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_or_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_or_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_xor_reducescatter_warp(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_uint64_xor_reducescatter_block(nvshmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) { return shmemx_uint64_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_and_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_and_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_and_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_and_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_or_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_or_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_or_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_or_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_xor_reducescatter_warp(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_xor_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_size_xor_reducescatter_block(nvshmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) { return shmemx_size_xor_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_broadcast_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems, int PE_root) { return shmemx_half_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_broadcast_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems, int PE_root) { return shmemx_half_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_fcollect_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems) { return shmemx_half_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_fcollect_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems) { return shmemx_half_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_alltoall_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems) { return shmemx_half_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_alltoall_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nelems) { return shmemx_half_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_min_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_min_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_max_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_max_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_sum_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_sum_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_prod_reduce_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_prod_reduce_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_min_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_min_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_max_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_max_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_sum_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_sum_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_prod_reducescatter_warp(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_half_prod_reducescatter_block(nvshmem_team_t team, __half *dest, const __half *source, size_t nreduce) { return shmemx_half_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_broadcast_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int PE_root) { return shmemx_bfloat16_broadcast_warp(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_broadcast_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems, int PE_root) { return shmemx_bfloat16_broadcast_block(nvshmem_impl::team_of(team), dest, source, nelems, PE_root); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_fcollect_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems) { return shmemx_bfloat16_fcollect_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_fcollect_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems) { return shmemx_bfloat16_fcollect_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_alltoall_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems) { return shmemx_bfloat16_alltoall_warp(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_alltoall_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nelems) { return shmemx_bfloat16_alltoall_block(nvshmem_impl::team_of(team), dest, source, nelems); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_min_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_min_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_min_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_min_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_max_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_max_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_max_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_max_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_sum_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_sum_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_sum_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_sum_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_prod_reduce_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_prod_reduce_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_prod_reduce_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_prod_reduce_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_min_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_min_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_min_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_min_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_max_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_max_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_max_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_max_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_sum_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_sum_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_sum_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_sum_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_prod_reducescatter_warp(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_prod_reducescatter_warp(nvshmem_impl::team_of(team), dest, source, nreduce); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE int nvshmemx_bfloat16_prod_reducescatter_block(nvshmem_team_t team, __nv_bfloat16 *dest, const __nv_bfloat16 *source, size_t nreduce) { return shmemx_bfloat16_prod_reducescatter_block(nvshmem_impl::team_of(team), dest, source, nreduce); }
#pragma nv_diagnostic pop
}
#undef NVSHMEM_IMPL_INLINE
#endif

extern "C" {
static __device__ inline void nvshmemx_give_smem(void *, size_t) {}
static __device__ inline void nvshmemx_release_smem() {}
}

namespace nvshmem_impl {
/* The threads that call a routine together. */
struct by_thread {
    static __device__ unsigned size() { return 1; }
    static __device__ unsigned rank() { return 0; }
    static __device__ void barrier(nvshmem_team_t team) { nvshmem_barrier(team); }
};
struct by_block {
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static __device__ void barrier(nvshmem_team_t team) { nvshmemx_barrier_block(team); }
};
struct by_warp {
    static __device__ unsigned size() { return 32; }
    static __device__ unsigned rank() { return by_block::rank() % 32; }
    static __device__ void barrier(nvshmem_team_t team) { nvshmemx_barrier_warp(team); }
};
/* Four warps. They meet at one of the block's last eight named barriers. */
struct by_warpgroup {
    static __device__ unsigned size() { return 128; }
    static __device__ unsigned rank() { return by_block::rank() % 128; }
    static __device__ void meet() { asm volatile("bar.sync %0, 128;" :: "r"(8 + by_block::rank() / 128) : "memory"); }
    static __device__ void barrier(nvshmem_team_t team) {
        meet();
        if (rank() == 0) nvshmem_barrier(team);
        meet();
    }
};

/* The largest of each element with its place, as in `double2`: each member finds a share and gives it to all. */
template <class Group> static __device__ int max_with_place(nvshmem_team_t team, double2 *dest, const double2 *source, size_t elements) {
    int me = nvshmem_team_my_pe(team), members = nvshmem_team_n_pes(team);
    size_t share = (elements + members - 1) / members, end = (me + 1) * share;
    Group::barrier(team);
    for (size_t i = me * share + Group::rank(); i < (end < elements ? end : elements); i += Group::size()) {
        double2 most = source[i];
        for (int member = 0; member < members; member++) {
            int pe = nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD);
            double2 other = {shmem_double_g(&source[i].x, pe), shmem_double_g(&source[i].y, pe)};
            /* Of equal ones the first place, so that all members agree. */
            if (other.x > most.x || (other.x == most.x && other.y < most.y)) most = other;
        }
        for (int member = 0; member < members; member++) {
            int pe = nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD);
            shmem_double_p(&dest[i].x, most.x, pe);
            shmem_double_p(&dest[i].y, most.y, pe);
        }
    }
    Group::barrier(team);
    return 0;
}
} // namespace nvshmem_impl

extern "C" {
static __device__ inline int nvshmemx_barrier_warpgroup(nvshmem_team_t team) {
    nvshmem_impl::by_warpgroup::barrier(team);
    return 0;
}
static __device__ inline void nvshmemx_barrier_all_warpgroup() { nvshmem_impl::by_warpgroup::barrier(NVSHMEM_TEAM_WORLD); }
static __device__ inline int nvshmem_double2_maxloc_reduce(nvshmem_team_t team, double2 *dest, const double2 *source, size_t nreduce) {
    return nvshmem_impl::max_with_place<nvshmem_impl::by_thread>(team, dest, source, nreduce);
}
static __device__ inline int nvshmemx_double2_maxloc_reduce_warp(nvshmem_team_t team, double2 *dest, const double2 *source, size_t nreduce) {
    return nvshmem_impl::max_with_place<nvshmem_impl::by_warp>(team, dest, source, nreduce);
}
static __device__ inline int nvshmemx_double2_maxloc_reduce_block(nvshmem_team_t team, double2 *dest, const double2 *source, size_t nreduce) {
    return nvshmem_impl::max_with_place<nvshmem_impl::by_block>(team, dest, source, nreduce);
}
}
} // extern "C++"
#endif
