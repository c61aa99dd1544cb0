/* Makes LTO-IR of text in LLVM's language, with NVIDIA's library of a compiler: nvvm LIBNVVM IN OUT OPTION... */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (!found)
        fprintf(stderr, "there is no %s\n", name), exit(2);
    return found;
}

static char *read_all(const char *path, size_t *length) {
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 0, SEEK_END))
        fprintf(stderr, "cannot read %s\n", path), exit(2);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(1, *length + 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length)
        fprintf(stderr, "cannot read %s\n", path), exit(2);
    fclose(file);
    return bytes;
}

/* Calls `size(program, &n)` and `get(program, bytes)`. */
static char *result(void *program, const char *size, const char *get, size_t *length) {
    int (*size_of)(void *, size_t *) = (int (*)(void *, size_t *))find(size);
    int (*bytes_of)(void *, char *) = (int (*)(void *, char *))find(get);
    *length = 0;
    size_of(program, length);
    char *bytes = calloc(1, *length + 1);
    if (!bytes)
        exit(2);
    bytes_of(program, bytes);
    return bytes;
}

int main(int argc, const char **argv) {
    if (argc < 4)
        return 2;
    library = dlopen(argv[1], RTLD_NOW);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    int (*create)(void **) = (int (*)(void **))find("nvvmCreateProgram");
    int (*add)(void *, const char *, size_t, const char *) = (int (*)(void *, const char *, size_t, const char *))find("nvvmAddModuleToProgram");
    int (*compile)(void *, int, const char **) = (int (*)(void *, int, const char **))find("nvvmCompileProgram");
    void *program = NULL;
    size_t length;
    char *text = read_all(argv[2], &length);
    int status = create(&program);
    if (!status)
        status = add(program, text, length, "libcushmem_device");
    if (!status)
        status = compile(program, argc - 4, argv + 4);
    if (status) {
        fprintf(stderr, "libNVVM: error %d: %s\n", status, result(program, "nvvmGetProgramLogSize", "nvvmGetProgramLog", &length));
        return 1;
    }
    char *made = result(program, "nvvmGetCompiledResultSize", "nvvmGetCompiledResult", &length);
    FILE *out = fopen(argv[3], "w");
    return !out || fwrite(made, 1, length, out) != length || fclose(out);
}
