/* Stands in for the CUDA driver where there is none. It has one device, whose memory is the host's, and loads
 * modules that start with one of a few words. The test adds the functions that are missing here, which do nothing
 * and succeed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_VALUE = 1, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500, NOT_SUPPORTED = 801 };

static unsigned abi_version;
static uint64_t source;
static int has_source;
static char context[4096];

static int has_started, is_eager;

__attribute__((constructor)) static void loaded(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("the stand-in is loaded");
}

int cuInit(unsigned flags) {
    const char *loading = getenv("CUDA_MODULE_LOADING");
    if (getenv("STAND_IN_FAILS"))
        return NO_DEVICE;
    if (!has_started)
        is_eager = loading && !strcmp(loading, "EAGER");
    return has_started = 1, (int)flags;
}
/* Contexts that are current in a thread, one on top of the other. */
static __thread void *stack[8];
static __thread int height, capture_mode;
static int others;

static void *top(void) { return height ? stack[height - 1] : NULL; }
int cuCtxGetCurrent(void **current) { return *current = top(), has_started ? 0 : NOT_INITIALIZED; }
int cuCtxSetCurrent(void *next) { return height += !height, stack[height - 1] = next, 0; }
int cuCtxCreate_v2(void **made, unsigned flags, int device) { return *made = stack[height++] = &stack[0] + ++others, (int)flags + device; }
int cuCtxPopCurrent_v2(void **popped) { return *popped = top(), height ? height--, 0 : INVALID_VALUE; }
int cuCtxDestroy_v2(void *gone) { return printf("destroyed a context, current: %d\n", gone == top()), 0; }
int cuThreadExchangeStreamCaptureMode(int *mode) {
    int before = capture_mode;
    return capture_mode = *mode, *mode = before, 0;
}
int cuStreamCreate(void **stream, unsigned flags) {
    printf("a stream in context %s, mode %d\n", top() == context ? "primary" : top() ? "own" : "none", capture_mode);
    return *stream = stack, (int)flags - 1;
}
/* Words that cannot be written: some other context has 4, 8 comes too late, and this device writes no 16 and 20. */
int cuStreamWriteValue32_v2(void *stream, uintptr_t address, unsigned value, unsigned flags) {
    int status = address == 4 ? INVALID_VALUE : address == 16 ? INVALID_CONTEXT : address == 20 ? NOT_SUPPORTED : 0;
    return (void)stream, (void)value, address == 8 ? NO_DEVICE : status ? status : (int)flags;
}
int cuModuleGetLoadingMode(unsigned *mode) { return *mode = is_eager ? 1 : 2, 0; }
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = (size_t)1 << 30, device; }
/* A variable such as STAND_IN_118 gives an attribute another value. */
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    char name[32];
    const char *given = (snprintf(name, sizeof name, "STAND_IN_%d", attribute), getenv(name));
    return *value = given ? atoi(given) : attribute == 75 ? 9 : attribute != 76, device;
}
int cuFlushGPUDirectRDMAWrites(unsigned target, unsigned scope) { return printf("flush of target %u for %u in context %s\n", target, scope, top() == context ? "primary" : "none"), 0; }
int cuPointerSetAttribute(const unsigned *value, unsigned attribute, uintptr_t address) {
    const char *given = getenv("STAND_IN_SYNC");
    return printf("attribute %u at %#zx: %u\n", attribute, (size_t)address, *value), given ? atoi(given) : 0;
}
int cuMemGetHandleForAddressRange(int *fd, uintptr_t address, size_t bytes, unsigned kind, unsigned long long flags) {
    printf("range at %#zx of %#zx bytes, kind %u, flags %llu\n", (size_t)address, bytes, kind, flags);
    return getenv("STAND_IN_KEEPS") ? NOT_SUPPORTED : (*fd = fileno(tmpfile()), 0);
}
static int retained;
int cuDevicePrimaryCtxRetain(void **primary, int device) { return *primary = context, retained++ || puts("made the primary context"), device; }
int cuDevicePrimaryCtxRelease_v2(int device) { return retained--, device; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { return *flags = 0, *active = retained > 0, device; }
int cuMemGetAllocationGranularity(size_t *bytes, const void *properties, unsigned option) { return *bytes = 2 << 20, properties ? (int)option : INVALID_VALUE; }

int cuGetErrorName(int error, const char **name) {
    *name = error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : error == INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE" : "CUDA_ERROR_NOT_FOUND";
    return 0;
}
int cuGetErrorString(int error, const char **text) { return *text = error ? "as the test wants" : "no error", 0; }

/* "module ABI SOURCE" is one of this library, "foreign" one of somebody else. */
int cuModuleLoadDataEx(void **module, const char *image, unsigned count, const int *options, void **values) {
    unsigned long long number = 0;
    /* The text of a cubin follows the header. */
    if (!strncmp(image, "\177ELF", 4))
        image += 64;
    if (count != 2 || options[0] != 5 || options[1] != 6 || (size_t)values[1] < 64)
        return INVALID_VALUE;
    has_source = sscanf(image, "module %u %llx", &abi_version, &number) == 2;
    source = number;
    if (!has_source && strncmp(image, "foreign", 7)) {
        strcpy(values[0], "not a module");
        return INVALID_IMAGE;
    }
    printf("loaded %s\n", image);
    *module = has_source ? &source : (void *)context;
    return 0;
}
int cuModuleGetGlobal_v2(uintptr_t *address, size_t *bytes, void *module, const char *name) {
    if (module != &source)
        return NOT_FOUND;
    if (!strcmp(name, "cushmem_abi_version"))
        return *address = (uintptr_t)&abi_version, *bytes = sizeof abi_version, 0;
    if (!strcmp(name, "cushmem_source"))
        return *address = (uintptr_t)&source, *bytes = sizeof source, 0;
    return NOT_FOUND;
}
int cuLibraryGetModule(void **module, void *library) { return *module = library, 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { return *function = module, strcmp(name, "saxpy") ? NOT_FOUND : 0; }
/* There are no copies without a stream: they wait for kernels of the program. */
int cuMemcpyAsync(uintptr_t dst, uintptr_t src, size_t bytes, void *stream) { return memcpy((void *)dst, (void *)src, bytes), stream == stack ? 0 : INVALID_VALUE; }
