// A profiler that writes down what it is told: an injection library of NVTX, against NVIDIA's own headers.
#include <nvtx3/nvToolsExt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct nvtxDomainRegistration_st {
    char name[64];
};

struct nvtxStringRegistration_st {
    char text[64];
};

static struct nvtxDomainRegistration_st domains[4];
static struct nvtxStringRegistration_st strings[64];
static int n_domains, n_strings;

static nvtxDomainHandle_t create(const char *name) {
    nvtxDomainHandle_t domain = &domains[n_domains++];
    strncpy(domain->name, name, sizeof domain->name - 1);
    return domain;
}

static nvtxStringHandle_t enter(nvtxDomainHandle_t domain, const char *text) {
    nvtxStringHandle_t string = &strings[n_strings++];
    (void)domain;
    strncpy(string->text, text, sizeof string->text - 1);
    return string;
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
    if (event->version != NVTX_VERSION || event->size != NVTX_EVENT_ATTRIB_STRUCT_SIZE) {
        fprintf(stderr, "profiler: attributes of another version\n");
    } else if (event->messageType != NVTX_MESSAGE_TYPE_REGISTERED) {
        fprintf(stderr, "profiler: no name\n");
    } else {
        const char *name = event->message.registered->text;
        fprintf(stderr, "profiler: %d %d push %s: %s\n", getpid(), gettid(), domain->name, name);
    }
    return 0;
}

static int pop(nvtxDomainHandle_t domain) {
    fprintf(stderr, "profiler: %d %d pop %s\n", getpid(), gettid(), domain->name);
    return 0;
}

static void name_thread(uint32_t thread, const char *name) {
    fprintf(stderr, "profiler: %d %u thread %s\n", getpid(), thread, name);
}

// A CUstream, whose header is not needed for this.
static void name_stream(void *stream, const char *name) {
    fprintf(stderr, "profiler: %d %d stream %" PRIxPTR " is %s\n", getpid(), gettid(), (uintptr_t)stream, name);
}

static void set(NvtxFunctionTable table, unsigned size, unsigned number, NvtxFunctionPointer function) {
    if (number < size && table[number]) *table[number] = function;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
    const NvtxExportTableVersionInfo *version = export_table(NVTX_ETID_VERSIONINFO);
    const NvtxExportTableCallbacks *callbacks = export_table(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable core, core2, cuda, other;
    unsigned size, size2, size3, size4;
    if (!version || version->struct_size != sizeof *version || version->version != NVTX_VERSION) return 0;
    if (!callbacks || callbacks->struct_size != sizeof *callbacks) return 0;
    version->SetInjectionNvtxVersion(NVTX_VERSION);
    if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size)) return 0;
    if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &core2, &size2)) return 0;
    if (size != NVTX_CBID_CORE_SIZE || size2 != NVTX_CBID_CORE2_SIZE) return 0;
    if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CUDA, &cuda, &size4) || size4 != NVTX_CBID_CUDA_SIZE) return 0;
    set(cuda, size4, NVTX_CBID_CUDA_NameCuStreamA, (NvtxFunctionPointer)name_stream);
    if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_OPENCL, &other, &size3)) return 0;
    set(core, size, NVTX_CBID_CORE_NameOsThreadA, (NvtxFunctionPointer)name_thread);
    set(core2, size2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)create);
    set(core2, size2, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)enter);
    set(core2, size2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)push);
    set(core2, size2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)pop);
    return 1;
}
