/* Compiles with NVRTC, or links with nvJitLink, whose libraries the machine that builds this may lack.
 *
 *     jit compile LIBNVRTC OUT KERNEL OPTION...
 *     jit link LIBNVJITLINK OUT FILE... OPTION... */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static void *library;

static void *find(const char *name) {
    /* nvJitLink's header gives functions the names of their version. */
    char versioned[64];
    void *found = dlsym(library, name);
    for (int version = 12; !found && version < 20; version++) {
        snprintf(versioned, sizeof versioned, "__%s_%d_0", name, version);
        found = dlsym(library, versioned);
    }
    if (!found)
        fprintf(stderr, "there is no %s\n", name), exit(2);
    return found;
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (!file || !fread(text, 1, (1 << 20) - 1, file))
        fprintf(stderr, "cannot read %s\n", path), exit(2);
    fclose(file);
    return text;
}

static int write_file(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");
    return !file || fwrite(bytes, 1, length, file) != length || fclose(file);
}

/* Calls `size(of, &n)` and `get(of, bytes)`. */
static char *read_result(void *of, const char *size, const char *get, size_t *length) {
    int (*size_of)(void *, size_t *) = (int (*)(void *, size_t *))find(size);
    int (*bytes_of)(void *, char *) = (int (*)(void *, char *))find(get);
    *length = 0;
    size_of(of, length);
    char *bytes = calloc(1, *length + 1);
    bytes_of(of, bytes);
    return bytes;
}

static int compile(const char *out, const char *kernel, int count, const char **options) {
    int (*create)(void **, const char *, const char *, int, void *, void *) = (int (*)(void **, const char *, const char *, int, void *, void *))find("nvrtcCreateProgram");
    int (*build)(void *, int, const char **) = (int (*)(void *, int, const char **))find("nvrtcCompileProgram");
    void *program;
    size_t length;
    int status = create(&program, read_text(kernel), kernel, 0, NULL, NULL);
    if (!status)
        status = build(program, count, options);
    fputs(read_result(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog", &length), stderr);
    if (status)
        return printf("NVRTC: error %d\n", status), 1;
    char *cubin = read_result(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN", &length);
    return write_file(out, cubin, length);
}

static int kind_of(const char *path) {
    const char *end = strrchr(path, '.');
    return !end ? 10 : !strcmp(end, ".cubin") ? 1 : !strcmp(end, ".ptx") ? 2 : !strcmp(end, ".fatbin") ? 4 : !strcmp(end, ".a") ? 6 : 10;
}

static int join(const char *out, int count, const char **arguments) {
    int (*create)(void **, unsigned, const char **) = (int (*)(void **, unsigned, const char **))find("nvJitLinkCreate");
    int (*add)(void *, int, const char *) = (int (*)(void *, int, const char *))find("nvJitLinkAddFile");
    int (*complete)(void *) = (int (*)(void *))find("nvJitLinkComplete");
    const char *options[MOST];
    int number = 0, status;
    void *handle;
    size_t length;
    for (int i = 0; i < count; i++)
        if (arguments[i][0] == '-' && number < MOST)
            options[number++] = arguments[i];
    status = create(&handle, (unsigned)number, options);
    for (int i = 0; i < count && !status; i++)
        if (arguments[i][0] != '-')
            status = add(handle, kind_of(arguments[i]), arguments[i]);
    if (!status)
        status = complete(handle);
    fputs(read_result(handle, "nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog", &length), stderr);
    fputs(read_result(handle, "nvJitLinkGetInfoLogSize", "nvJitLinkGetInfoLog", &length), stdout);
    if (status)
        return printf("nvJitLink: error %d\n", status), 1;
    char *cubin = read_result(handle, "nvJitLinkGetLinkedCubinSize", "nvJitLinkGetLinkedCubin", &length);
    return write_file(out, cubin, length);
}

int main(int argc, const char **argv) {
    if (argc < 5)
        return 2;
    library = dlopen(argv[2], RTLD_NOW);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    return strcmp(argv[1], "compile") ? join(argv[3], argc - 4, argv + 4) : compile(argv[3], argv[4], argc - 5, argv + 5);
}
