/* Runs before the executable's own code, in both libraries. shmemcc marks executables with the symbol below. This file is C because Rust has
 * no weak symbols.
 *
 * A shared library that is linked with the same flags has the mark too, but it does not count: the program may open the library at any time,
 * when its threads already use the globals. The executable itself is therefore examined. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <string.h>

extern const char cushmem_symmetric_globals[] __attribute__((weak));
static const char mark[] = "cushmem_symmetric_globals";
void cushmem_share_globals(void);

static int is_mark(const ElfW(Sym) *symbol, const char *names)
{
    return symbol->st_shndx != SHN_UNDEF && !strcmp(names + symbol->st_name, mark);
}

/* Whether an object exports the mark. The linker wrote a hash table of one of two kinds, or both. */
static int exports_mark(const ElfW(Dyn) *entry, uintptr_t bias)
{
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const uint32_t *gnu = NULL, *old = NULL;
    for (; entry->d_tag != DT_NULL; entry++) {
        /* Some loaders add the bias to this table, others do not. */
        uintptr_t at = entry->d_un.d_ptr < bias ? entry->d_un.d_ptr + bias : entry->d_un.d_ptr;
        switch (entry->d_tag) {
        case DT_SYMTAB: symbols = (const void *)at; break;
        case DT_STRTAB: names = (const void *)at; break;
        case DT_GNU_HASH: gnu = (const void *)at; break;
        case DT_HASH: old = (const void *)at; break;
        }
    }
    if (!symbols || !names)
        return 0;
    if (gnu && gnu[0]) {
        /* Number of buckets, first symbol, length of the filter, and another number; then the filter, the buckets, and the chains, each of which
         * ends in an odd number. */
        const uint32_t *buckets = gnu + 4 + gnu[2] * (sizeof(ElfW(Addr)) / 4), *chains = buckets + gnu[0];
        uint32_t hash = 5381;
        for (const char *c = mark; *c; c++)
            hash = hash * 33 + (unsigned char)*c;
        for (uint32_t i = buckets[hash % gnu[0]]; i >= gnu[1]; i++) {
            if (is_mark(&symbols[i], names))
                return 1;
            if (chains[i - gnu[1]] & 1)
                break;
        }
        return 0;
    }
    for (uint32_t i = 0; old && i < old[1]; i++)
        if (is_mark(&symbols[i], names))
            return 1;
    return 0;
}

static void before_main(void);

/* The loader's list starts with the executable. It is marked if it contains this code, from libcushmem.a, or if it exports the mark. */
static int ask(struct dl_phdr_info *executable, size_t size, void *answer)
{
    (void)size;
    uintptr_t bias = executable->dlpi_addr;
    for (int i = 0; i < executable->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &executable->dlpi_phdr[i];
        uintptr_t start = bias + header->p_vaddr;
        if ((header->p_type == PT_LOAD && (uintptr_t)before_main - start < header->p_memsz)
            || (header->p_type == PT_DYNAMIC && exports_mark((const void *)start, bias)))
            *(int *)answer = 1;
    }
    return 1;
}

static void before_main(void)
{
    int marked = 0;
    if (cushmem_symmetric_globals)
        dl_iterate_phdr(ask, &marked);
    if (marked)
        cushmem_share_globals();
}

/* Priorities for users start at 101, so this runs before them. */
__attribute__((section(".init_array.00001"), used)) static void (*const entry)(void) = before_main;
