/* The routines of kernels, by those of cushmem. `cargo xtask headers` writes this file; nvshmem.h includes it. */
#ifndef NVSHMEM_IMPL_DEVICE_CUH
#define NVSHMEM_IMPL_DEVICE_CUH

/* Units that include this file need no -lcushmem. */
#define shmemx_impl_add_image nvshmemx_impl_add_image
#define shmemx_impl_remove_image nvshmemx_impl_remove_image
#include <shmem.h>
#undef shmemx_impl_add_image
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
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put16_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get16_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put32_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get32_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put64_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get64_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_put128_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_nbi_warp(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_get128_nbi_block(void *dest, const void *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_nbi_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_put_nbi_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_nbi_warp(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_float_get_nbi_block(float *dest, const float *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_nbi_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_put_nbi_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_nbi_warp(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_double_get_nbi_block(double *dest, const double *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_nbi_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_put_nbi_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_nbi_warp(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_char_get_nbi_block(char *dest, const char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_put_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_schar_get_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_nbi_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_put_nbi_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_nbi_warp(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_short_get_nbi_block(short *dest, const short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_nbi_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_put_nbi_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_nbi_warp(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int_get_nbi_block(int *dest, const int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_nbi_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_put_nbi_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_nbi_warp(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_long_get_nbi_block(long *dest, const long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_put_nbi_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_longlong_get_nbi_block(long long *dest, const long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_put_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uchar_get_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_put_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ushort_get_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_put_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint_get_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_put_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulong_get_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_put_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ulonglong_get_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_put_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int8_get_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_put_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int16_get_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_put_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int32_get_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_put_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_int64_get_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_put_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint8_get_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_put_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint16_get_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_put_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint32_get_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_put_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_uint64_get_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_put_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_size_get_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_put_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
NVSHMEM_IMPL_KERNEL void nvshmemx_ptrdiff_get_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
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
}

#ifdef __CUDA_ARCH__
#define NVSHMEM_IMPL_INLINE inline __attribute__((always_inline))
namespace nvshmem_impl {
static __device__ __forceinline__ shmem_team_t team_of(nvshmem_team_t team) {
    return (shmem_team_t)(long)(team + (team < 2));
}
template <class T> static __device__ __forceinline__ unsigned short bits_16(T value) {
    return *reinterpret_cast<const unsigned short *>(&value);
}
template <class T> static __device__ __forceinline__ T of_16(unsigned short bits) {
    return *reinterpret_cast<const T *>(&bits);
}
} // namespace nvshmem_impl

extern "C" {
/* OpenSHMEM has deprecated waits for 16 bits. */
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1215, 1444
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void *nvshmem_ptr(const void *ptr, int pe) { return shmem_ptr(ptr, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void *nvshmemx_mc_ptr(nvshmem_team_t, const void *) { return NULL; }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) {
    if (sig_op == NVSHMEM_SIGNAL_SET) shmem_signal_set(sig_addr, signal, pe);
    else shmem_signal_add(sig_addr, signal, pe);
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_my_pe(void) { return shmem_my_pe(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_n_pes(void) { return shmem_n_pes(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_putmem(void *dest, const void *source, size_t nelems, int pe) { shmem_putmem(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_getmem(void *dest, const void *source, size_t nelems, int pe) { shmem_getmem(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_putmem_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_getmem_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put8(void *dest, const void *source, size_t nelems, int pe) { shmem_put8(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get8(void *dest, const void *source, size_t nelems, int pe) { shmem_get8(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put8_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put8_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get8_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get8_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put16(void *dest, const void *source, size_t nelems, int pe) { shmem_put16(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get16(void *dest, const void *source, size_t nelems, int pe) { shmem_get16(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put16_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put16_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get16_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get16_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put32(void *dest, const void *source, size_t nelems, int pe) { shmem_put32(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get32(void *dest, const void *source, size_t nelems, int pe) { shmem_get32(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put32_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put32_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get32_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get32_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put64(void *dest, const void *source, size_t nelems, int pe) { shmem_put64(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get64(void *dest, const void *source, size_t nelems, int pe) { shmem_get64(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put64_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put64_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get64_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get64_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put128(void *dest, const void *source, size_t nelems, int pe) { shmem_put128(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get128(void *dest, const void *source, size_t nelems, int pe) { shmem_get128(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_put128_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_put128_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_get128_nbi(void *dest, const void *source, size_t nelems, int pe) { shmem_get128_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_put(float *dest, const float *source, size_t nelems, int pe) { shmem_float_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_get(float *dest, const float *source, size_t nelems, int pe) { shmem_float_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_put_nbi(float *dest, const float *source, size_t nelems, int pe) { shmem_float_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe) { shmem_float_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_float_p(float *dest, float value, int pe) { shmem_float_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE float nvshmem_float_g(const float *source, int pe) { return shmem_float_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_put(double *dest, const double *source, size_t nelems, int pe) { shmem_double_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_get(double *dest, const double *source, size_t nelems, int pe) { shmem_double_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_put_nbi(double *dest, const double *source, size_t nelems, int pe) { shmem_double_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_get_nbi(double *dest, const double *source, size_t nelems, int pe) { shmem_double_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_double_p(double *dest, double value, int pe) { shmem_double_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE double nvshmem_double_g(const double *source, int pe) { return shmem_double_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_put(char *dest, const char *source, size_t nelems, int pe) { shmem_char_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_get(char *dest, const char *source, size_t nelems, int pe) { shmem_char_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_put_nbi(char *dest, const char *source, size_t nelems, int pe) { shmem_char_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_get_nbi(char *dest, const char *source, size_t nelems, int pe) { shmem_char_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_char_p(char *dest, char value, int pe) { shmem_char_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE char nvshmem_char_g(const char *source, int pe) { return shmem_char_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_put(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_get(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_schar_p(signed char *dest, signed char value, int pe) { shmem_schar_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE signed char nvshmem_schar_g(const signed char *source, int pe) { return shmem_schar_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_put(short *dest, const short *source, size_t nelems, int pe) { shmem_short_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_get(short *dest, const short *source, size_t nelems, int pe) { shmem_short_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_put_nbi(short *dest, const short *source, size_t nelems, int pe) { shmem_short_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_get_nbi(short *dest, const short *source, size_t nelems, int pe) { shmem_short_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_short_p(short *dest, short value, int pe) { shmem_short_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE short nvshmem_short_g(const short *source, int pe) { return shmem_short_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_put(int *dest, const int *source, size_t nelems, int pe) { shmem_int_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_get(int *dest, const int *source, size_t nelems, int pe) { shmem_int_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_put_nbi(int *dest, const int *source, size_t nelems, int pe) { shmem_int_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_get_nbi(int *dest, const int *source, size_t nelems, int pe) { shmem_int_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int_p(int *dest, int value, int pe) { shmem_int_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmem_int_g(const int *source, int pe) { return shmem_int_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_put(long *dest, const long *source, size_t nelems, int pe) { shmem_long_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_get(long *dest, const long *source, size_t nelems, int pe) { shmem_long_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_put_nbi(long *dest, const long *source, size_t nelems, int pe) { shmem_long_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe) { shmem_long_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_long_p(long *dest, long value, int pe) { shmem_long_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long nvshmem_long_g(const long *source, int pe) { return shmem_long_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_get(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_put_nbi(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_get_nbi(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_longlong_p(long long *dest, long long value, int pe) { shmem_longlong_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE long long nvshmem_longlong_g(const long long *source, int pe) { return shmem_longlong_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uchar_p(unsigned char *dest, unsigned char value, int pe) { shmem_uchar_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned char nvshmem_uchar_g(const unsigned char *source, int pe) { return shmem_uchar_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ushort_p(unsigned short *dest, unsigned short value, int pe) { shmem_ushort_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned short nvshmem_ushort_g(const unsigned short *source, int pe) { return shmem_ushort_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint_p(unsigned int *dest, unsigned int value, int pe) { shmem_uint_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned int nvshmem_uint_g(const unsigned int *source, int pe) { return shmem_uint_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulong_p(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long nvshmem_ulong_g(const unsigned long *source, int pe) { return shmem_ulong_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_put(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_get(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_put_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_get_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ulonglong_p(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE unsigned long long nvshmem_ulonglong_g(const unsigned long long *source, int pe) { return shmem_ulonglong_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_put(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_get(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_put_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_get_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmem_int8_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int8_p(int8_t *dest, int8_t value, int pe) { shmem_int8_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int8_t nvshmem_int8_g(const int8_t *source, int pe) { return shmem_int8_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_put(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_get(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_put_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_get_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmem_int16_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int16_p(int16_t *dest, int16_t value, int pe) { shmem_int16_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int16_t nvshmem_int16_g(const int16_t *source, int pe) { return shmem_int16_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_put(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_get(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_put_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_get_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmem_int32_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int32_p(int32_t *dest, int32_t value, int pe) { shmem_int32_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int32_t nvshmem_int32_g(const int32_t *source, int pe) { return shmem_int32_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_put_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmem_int64_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_int64_p(int64_t *dest, int64_t value, int pe) { shmem_int64_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int64_t nvshmem_int64_g(const int64_t *source, int pe) { return shmem_int64_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_put(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_get(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_put_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_get_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmem_uint8_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint8_p(uint8_t *dest, uint8_t value, int pe) { shmem_uint8_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint8_t nvshmem_uint8_g(const uint8_t *source, int pe) { return shmem_uint8_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_get(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_put_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmem_uint16_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint16_p(uint16_t *dest, uint16_t value, int pe) { shmem_uint16_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint16_t nvshmem_uint16_g(const uint16_t *source, int pe) { return shmem_uint16_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_put(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_get(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_put_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_get_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmem_uint32_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint32_p(uint32_t *dest, uint32_t value, int pe) { shmem_uint32_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint32_t nvshmem_uint32_g(const uint32_t *source, int pe) { return shmem_uint32_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_put(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_get(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_put_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_get_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmem_uint64_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_uint64_p(uint64_t *dest, uint64_t value, int pe) { shmem_uint64_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE uint64_t nvshmem_uint64_g(const uint64_t *source, int pe) { return shmem_uint64_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_put(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_get(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_put_nbi(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_get_nbi(size_t *dest, const size_t *source, size_t nelems, int pe) { shmem_size_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_size_p(size_t *dest, size_t value, int pe) { shmem_size_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE size_t nvshmem_size_g(const size_t *source, int pe) { return shmem_size_g(source, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_put(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_put(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_get(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_get(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_put_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_put_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_get_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmem_ptrdiff_get_nbi(dest, source, nelems, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_ptrdiff_p(ptrdiff_t *dest, ptrdiff_t value, int pe) { shmem_ptrdiff_p(dest, value, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE ptrdiff_t nvshmem_ptrdiff_g(const ptrdiff_t *source, int pe) { return shmem_ptrdiff_g(source, pe); }
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
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_fence(void) { shmem_fence(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_quiet(void) { shmem_quiet(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_barrier_all(void) { shmem_barrier_all(); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_sync_all(void) { shmem_sync_all(); }
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
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_half_p(__half *dest, const __half value, int pe) { shmem_ushort_p((unsigned short *)dest, nvshmem_impl::bits_16(value), pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE __half nvshmem_half_g(const __half *source, int pe) { return nvshmem_impl::of_16<__half>(shmem_ushort_g((const unsigned short *)source, pe)); }
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
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_bfloat16_p(__nv_bfloat16 *dest, const __nv_bfloat16 value, int pe) { shmem_ushort_p((unsigned short *)dest, nvshmem_impl::bits_16(value), pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE __nv_bfloat16 nvshmem_bfloat16_g(const __nv_bfloat16 *source, int pe) { return nvshmem_impl::of_16<__nv_bfloat16>(shmem_ushort_g((const unsigned short *)source, pe)); }
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
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put16_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put16_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get16_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get16_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put32_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put32_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get32_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get32_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put64_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put64_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get64_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get64_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_put128_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_put128_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_nbi_warp(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_get128_nbi_block(void *dest, const void *source, size_t nelems, int pe) { shmemx_get128_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_nbi_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_put_nbi_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_nbi_warp(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_float_get_nbi_block(float *dest, const float *source, size_t nelems, int pe) { shmemx_float_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_nbi_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_put_nbi_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_nbi_warp(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_double_get_nbi_block(double *dest, const double *source, size_t nelems, int pe) { shmemx_double_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_nbi_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_put_nbi_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_nbi_warp(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_char_get_nbi_block(char *dest, const char *source, size_t nelems, int pe) { shmemx_char_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_put_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_nbi_warp(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_schar_get_nbi_block(signed char *dest, const signed char *source, size_t nelems, int pe) { shmemx_schar_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_nbi_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_put_nbi_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_nbi_warp(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_short_get_nbi_block(short *dest, const short *source, size_t nelems, int pe) { shmemx_short_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_nbi_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_put_nbi_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_nbi_warp(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int_get_nbi_block(int *dest, const int *source, size_t nelems, int pe) { shmemx_int_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_nbi_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_put_nbi_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_nbi_warp(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_long_get_nbi_block(long *dest, const long *source, size_t nelems, int pe) { shmemx_long_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_put_nbi_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_nbi_warp(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_longlong_get_nbi_block(long long *dest, const long long *source, size_t nelems, int pe) { shmemx_longlong_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_put_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_nbi_warp(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uchar_get_nbi_block(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmemx_uchar_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_put_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_nbi_warp(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ushort_get_nbi_block(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmemx_ushort_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_put_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_nbi_warp(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint_get_nbi_block(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmemx_uint_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_put_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_nbi_warp(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulong_get_nbi_block(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmemx_ulong_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_put_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_nbi_warp(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ulonglong_get_nbi_block(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmemx_ulonglong_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_put_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_nbi_warp(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int8_get_nbi_block(int8_t *dest, const int8_t *source, size_t nelems, int pe) { shmemx_int8_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_put_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_nbi_warp(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int16_get_nbi_block(int16_t *dest, const int16_t *source, size_t nelems, int pe) { shmemx_int16_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_put_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_nbi_warp(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int32_get_nbi_block(int32_t *dest, const int32_t *source, size_t nelems, int pe) { shmemx_int32_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_put_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_nbi_warp(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_int64_get_nbi_block(int64_t *dest, const int64_t *source, size_t nelems, int pe) { shmemx_int64_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_put_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_nbi_warp(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint8_get_nbi_block(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) { shmemx_uint8_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_put_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_nbi_warp(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint16_get_nbi_block(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) { shmemx_uint16_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_put_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_nbi_warp(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint32_get_nbi_block(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) { shmemx_uint32_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_put_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_nbi_warp(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_uint64_get_nbi_block(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) { shmemx_uint64_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_put_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_nbi_warp(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_size_get_nbi_block(size_t *dest, const size_t *source, size_t nelems, int pe) { shmemx_size_get_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_put_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_put_nbi_block(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_nbi_warp(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_nbi_warp(dest, source, nelems, pe); }
NVSHMEM_IMPL_KERNEL NVSHMEM_IMPL_INLINE void nvshmemx_ptrdiff_get_nbi_block(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) { shmemx_ptrdiff_get_nbi_block(dest, source, nelems, pe); }
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
#pragma nv_diagnostic pop
}
#undef NVSHMEM_IMPL_INLINE
#endif

} // extern "C++"
#endif
