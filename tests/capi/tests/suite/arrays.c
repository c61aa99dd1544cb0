/* Arrays larger than a GPU: what the CPU sees of them, and what tasks of this PE read, write and add in them, by the
 * function ARRAY_ELEMENTS of the kernels with which this is linked. Arguments are the file of an array and, perhaps, a
 * mistake to make instead. */
#include "check.h"
#include "functions.h"
#include <shmemx.h>
#include <unistd.h>

/* The kernels. */
void *test_module(void);

/* What libcushmem has in C, and this program never calls. */
#define NEVER(name)                                                                                                    \
    void name(void);                                                                                                   \
    void name(void) { abort(); }
NEVER(cushmem_longdouble_min)
NEVER(cushmem_longdouble_max)
NEVER(cushmem_longdouble_sum)
NEVER(cushmem_longdouble_prod)

enum { LINE_BYTES = 512, LINES = 6, MOST = LINES * LINE_BYTES / 2 * MAX_PES };
enum how { READ, WRITE, ADD };

static const char *const functions[] = {FUNCTIONS};
static shmemx_task_queue_t queue;
static uint64_t *words, *done;
static int buffer, data;

static void begin_tasks(void)
{
    const shmemx_task_options_t options = {.slots = 4, .threads = 32};
    queue = shmemx_task_queue_create(test_module(), functions, sizeof functions / sizeof *functions, &options);
    CHECK(queue != NULL);
    words = (uint64_t *)shmem_malloc(MOST * sizeof *words);
    done = (uint64_t *)shmem_calloc(1, sizeof *done);
    buffer = shmemx_task_buffer(queue, words, MOST * sizeof *words);
    data = shmemx_task_buffer(queue, shmem_malloc(sizeof(shmemx_device_array_t)), sizeof(shmemx_device_array_t));
}

/* Between elements of the array and `words`. */
static void elements(shmemx_array_t array, enum how how, size_t first, size_t n)
{
    static uint64_t rounds;
    shmemx_device_array_t device = shmemx_array_device(array);
    shmemx_task_t task = {.function = ARRAY_ELEMENTS, .buffer = data, .arguments = {(uint64_t)buffer, how, first, n},
                          .done = done, .value = ++rounds, .sig_op = SHMEM_SIGNAL_SET};
    shmemx_put_task(queue, &task, &device, sizeof device, me);
    shmem_signal_wait_until(done, SHMEM_CMP_EQ, rounds);
}

static uint64_t element(size_t index, int who, size_t bytes)
{
    uint64_t value = VALUE(uint64_t, who, 0, index);
    return bytes == 8 ? value : (uint16_t)value;
}

static void store(void *to, size_t bytes, size_t n, size_t first, int who)
{
    for (size_t i = 0; i < n; i++)
        if (bytes == 8)
            ((uint64_t *)to)[i] = element(first + i, who, bytes);
        else
            ((uint16_t *)to)[i] = (uint16_t)element(first + i, who, bytes);
}

/* Each PE writes the lines that lie with the next one. */
static void read_and_write(const shmemx_array_options_t *place, const char *path, size_t bytes)
{
    int next = (me + 1) % npes;
    size_t each = LINES * LINE_BYTES / bytes, n = each * (size_t)npes - 3, before = 0, first;
    void *own = malloc(each * (size_t)npes * bytes);
    shmemx_array_options_t options = *place;
    options.line_bytes = LINE_BYTES;
    options.slots = options.in_place ? 0 : 4;
    options.file = path;
    if (path && me == 0) {
        FILE *file = fopen(path, "w");
        store(own, bytes, n, 0, 0);
        CHECK(file && fwrite(own, bytes, n, file) == n && !fclose(file));
    }
    shmem_barrier_all();
    shmemx_array_t array = shmemx_array_create(n, bytes, &options);
    CHECK(array != NULL);
    SAME(shmemx_array_device(array).elem_bytes, bytes);
    for (int pe = 0; pe < npes; pe++) {
        size_t there = shmemx_array_range(array, pe, &first);
        SAME(there, path ? 0 : pe == npes - 1 ? each - 3 : each);
        SAME(first, before);
        before += there;
    }
    SAME(shmemx_array_range(array, me, NULL), path ? 0 : me == npes - 1 ? each - 3 : each);
    CHECK((shmemx_array_part(array) == NULL) == (path != NULL));
    if (!path) {
        size_t there = shmemx_array_range(array, me, &first);
        store(own, bytes, there, first, 0);
        shmem_putmem(shmemx_array_part(array), own, there * bytes, me);
    }
    shmem_barrier_all();
    routine = "reads";
    elements(array, READ, 0, n);
    for (size_t i = 0; i < n; i++)
        SAME(words[i], element(i, 0, bytes));
    shmem_barrier_all();
    routine = "writes";
    size_t from = each * (size_t)next, to = next == npes - 1 ? n : from + each;
    for (size_t i = from; i < to; i++)
        words[i - from] = element(i, 1 + me, bytes);
    elements(array, WRITE, from, to - from);
    SAME(shmemx_array_flush(array), 0);
    shmem_barrier_all();
    SAME(shmemx_array_invalidate(array), 0);
    elements(array, READ, 0, n);
    for (size_t i = 0; i < n; i++)
        SAME(words[i], element(i, 1 + (int)(i / each + (size_t)npes - 1) % npes, bytes));
    shmem_barrier_all();
    /* These are written back by the end of the array. */
    for (size_t i = from; i < to; i++)
        words[i - from] = element(i, 0, bytes);
    elements(array, WRITE, from, to - from);
    SAME(shmemx_array_free(array), 0);
    if (path && me == 0) {
        uint8_t *found = (uint8_t *)malloc(n * bytes);
        FILE *file = fopen(path, "r");
        CHECK(file && fread(found, bytes, n, file) == n && !fclose(file));
        store(own, bytes, n, 0, 0);
        SAME_BYTES(found, own, n * bytes);
        free(found);
    }
    shmem_barrier_all();
    free(own);
}

static void accumulate(int on_host)
{
    enum { COUNT = 200 };
    const shmemx_array_options_t options = {.on_host = on_host, .mode = SHMEMX_ARRAY_ACCUMULATE, .line_bytes = LINE_BYTES};
    uint64_t zeros[LINE_BYTES] = {0};
    routine = "additions";
    shmemx_array_t array = shmemx_array_create(COUNT, 8, &options);
    shmem_putmem(shmemx_array_part(array), zeros, shmemx_array_range(array, me, NULL) * 8, me);
    shmem_barrier_all();
    for (uint64_t i = 0; i < COUNT; i++)
        words[i] = i + (uint64_t)me;
    elements(array, ADD, 0, COUNT);
    shmem_barrier_all();
    elements(array, READ, 0, COUNT);
    for (int i = 0; i < COUNT; i++)
        SAME(words[i], i * npes + npes * (npes - 1) / 2);
    shmem_barrier_all();
    SAME(shmemx_array_free(array), 0);
}

/* The last PE puts a task to PE 0, which is leaving the job already, and nobody awaits it. */
static void late(const char *which, const char *path)
{
    const shmemx_array_options_t options = {.file = path, .slots = 4, .line_bytes = LINE_BYTES};
    shmemx_array_t array = shmemx_array_create(1000, 8, &options);
    begin_tasks();
    shmemx_device_array_t device = shmemx_array_device(array);
    shmemx_device_array_t *there = (shmemx_device_array_t *)shmem_malloc(sizeof device);
    *there = device;
    for (size_t i = 0; i < 1000; i++)
        words[i] = 7 * (i % 250);
    shmem_barrier_all();
    if (me == npes - 1) {
        shmem_getmem(&device, there, sizeof device, 0);
        sleep(1);
        for (uint64_t i = 0; i < 1000; i += 250) {
            shmemx_task_t task = {.function = ARRAY_ELEMENTS, .buffer = data, .arguments = {(uint64_t)buffer, WRITE, i, 250}};
            shmemx_put_task(queue, &task, &device, sizeof device, 0);
        }
    }
    if (!strcmp(which, "late-finalize") || (!strcmp(which, "late-apart") && me == 0))
        shmem_finalize();
    exit(0);
}

static void refused(size_t n, size_t elem_bytes, const shmemx_array_options_t *options)
{
    CHECK(shmemx_array_create(n, elem_bytes, options) == NULL);
    exit(0);
}

static void mistake(const char *which, char *path)
{
    shmemx_array_options_t options = {0};
    if (!strncmp(which, "late", 4))
        late(which, path);
    if (!strcmp(which, "elem_bytes"))
        refused(10, 3, NULL);
    if (!strcmp(which, "nelems"))
        refused(0, 8, NULL);
    if (!strncmp(which, "line", 4)) {
        options.line_bytes = strcmp(which, "line-below") ? 1000 : 256;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "slots")) {
        options.slots = 4294967294;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "mode")) {
        options.mode = 3;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "in_place")) {
        options.in_place = 1;
        options.slots = 4;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "in_place-apart")) {
        options.in_place = 1;
        refused(10, 8, &options);
    }
    options.file = path;
    if (!strcmp(which, "in_place-file")) {
        options.in_place = 1;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "on_host")) {
        options.on_host = 1;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "accumulate")) {
        options.mode = SHMEMX_ARRAY_ACCUMULATE;
        refused(10, 8, &options);
    }
    if (!strcmp(which, "file")) {
        options.mode = SHMEMX_ARRAY_READ_ONLY;
        options.file = "/nowhere/array";
        refused(10, 8, &options);
    }
    if (!strcmp(which, "differs")) {
        options.slots = (size_t)me + 1;
        shmemx_array_create(10, 8, &options);
    }
    shmemx_array_t array = shmemx_array_create(1000, 8, &options);
    CHECK(array != NULL);
    if (!strcmp(which, "pe"))
        shmemx_array_range(array, 1, NULL);
    if (!strcmp(which, "pe-below"))
        shmemx_array_range(array, -1, NULL);
    if (!strcmp(which, "size")) {
        void shmemx_impl_array_elements(const shmemx_device_array_t *array, size_t elem_bytes);
        shmemx_device_array_t device = shmemx_array_device(array);
        shmemx_impl_array_elements(&device, 8);
        shmemx_impl_array_elements(&device, 4);
    }
    if (!strcmp(which, "twice"))
        for (int i = 0; i < 2; i++)
            shmemx_array_free(array);
    if (!strcmp(which, "freed")) {
        shmemx_array_free(array);
        shmemx_array_device(array);
    }
    begin_tasks();
    if (!strcmp(which, "truncated")) {
        CHECK(!truncate(path, 4096));
        elements(array, READ, 900, 1);
    }
    for (size_t i = 0; i < 1000; i++)
        words[i] = 7 * i;
    elements(array, WRITE, 0, 1000);
    if (!strcmp(which, "flush")) {
        CHECK(!truncate(path, 0));
        SAME(shmemx_array_flush(array), 1);
        SAME(shmemx_array_free(array), 1);
    }
    if (!strcmp(which, "flush-exit"))
        CHECK(!truncate(path, 0));
    /* Otherwise the end of the program writes the elements back. */
    if (!strcmp(which, "finalize"))
        shmem_finalize();
    exit(0);
}

int main(int argc, char **argv)
{
    begin();
    if (argc > 2)
        mistake(argv[2], argv[1]);
    begin_tasks();
    const shmemx_array_options_t gpu = {0}, host = {.on_host = 1};
    const shmemx_array_options_t loads = {.in_place = 1}, host_loads = {.on_host = 1, .in_place = 1};
    for (size_t bytes = 2; bytes <= 8; bytes += 6) {
        read_and_write(&gpu, NULL, bytes);
        read_and_write(&host, NULL, bytes);
        read_and_write(&gpu, argv[1], bytes);
        if (getenv("GPU_IN_PLACE"))
            read_and_write(&loads, NULL, bytes);
        if (getenv("HOST_IN_PLACE"))
            read_and_write(&host_loads, NULL, bytes);
    }
    accumulate(0);
    accumulate(1);
    return finish();
}
