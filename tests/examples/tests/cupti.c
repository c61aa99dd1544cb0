// Has CUPTI, NVIDIA's own library for profilers, write down the ranges of NVTX that it is told. It is loaded before the
// program (LD_PRELOAD), and the file that NVTX_INJECTION64_PATH names has to be CUPTI.
#include <cupti.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static CUptiResult (*flush_all)(uint32_t);
static CUptiResult (*next_record)(uint8_t *, size_t, CUpti_Activity **);

static void room(uint8_t **buffer, size_t *size, size_t *records) {
    *size = 1 << 20;
    *buffer = aligned_alloc(8, *size);
    *records = 0;
}

// Ends of ranges have no name.
static void completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    (void)context, (void)stream, (void)size;
    CUpti_Activity *record = NULL;
    while (next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_MARKER) {
            CUpti_ActivityMarker2 *marker = (CUpti_ActivityMarker2 *)record;
            unsigned process = marker->objectId.pt.processId, thread = marker->objectId.pt.threadId;
            if (marker->flags & CUPTI_ACTIVITY_FLAG_MARKER_START)
                fprintf(stderr, "profiler: %u %u push %s: %s\n", process, thread, marker->domain, marker->name);
            else
                fprintf(stderr, "profiler: %u %u pop %s\n", process, thread, marker->domain);
        } else if (record->kind == CUPTI_ACTIVITY_KIND_NAME) {
            CUpti_ActivityName *name = (CUpti_ActivityName *)record;
            const char *what = name->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD ? "thread" : "stream";
            fprintf(stderr, "profiler: %u %u %s %s\n", name->objectId.pt.processId, name->objectId.pt.threadId, what, name->name);
        }
    }
    free(buffer);
}

static void flush(void) {
    flush_all(1);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *cupti = path ? dlopen(path, RTLD_LAZY) : NULL;
    // The launcher's other processes need none.
    if (!getenv("CUSHMEM_LOCAL_PE") && !getenv("CUPTI_ALWAYS")) return;
    CUptiResult (*enable)(CUpti_ActivityKind) = cupti ? dlsym(cupti, "cuptiActivityEnable") : NULL;
    CUptiResult (*callbacks)(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc) =
        cupti ? dlsym(cupti, "cuptiActivityRegisterCallbacks") : NULL;
    flush_all = cupti ? dlsym(cupti, "cuptiActivityFlushAll") : NULL;
    next_record = cupti ? dlsym(cupti, "cuptiActivityGetNextRecord") : NULL;
    if (!enable || !callbacks || !flush_all || !next_record) {
        fprintf(stderr, "profiler: %s is not CUPTI: %s\n", path ? path : "nothing", dlerror());
        return;
    }
    CUptiResult done = callbacks(room, completed);
    if (!done) done = enable(CUPTI_ACTIVITY_KIND_MARKER);
    if (!done) done = enable(CUPTI_ACTIVITY_KIND_NAME);
    if (done) fprintf(stderr, "profiler: CUPTI fails with %d\n", done);
    else atexit(flush);
}
