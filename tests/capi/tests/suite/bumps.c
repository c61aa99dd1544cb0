/* Triggers that a kernel of the program bumps: `produce` of apps/examples/kernels, as PTX, whose path is the argument.
 * The driver's functions are looked up at run time, so that no toolkit is needed. */
#include "check.h"
#include <dlfcn.h>
#include <shmemx.h>

enum { BLOCKS = 3, EACH = 100, N = BLOCKS * EACH };

typedef int launch_t(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

static void *driver;

static void *find(const char *name)
{
    void *found = dlsym(driver, name);
    if (!found) {
        fprintf(stderr, "no %s in libcuda.so.1\n", name);
        shmem_global_exit(1);
    }
    return found;
}

int main(int argc, char **argv)
{
    begin();
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    uint64_t *inbox = (uint64_t *)shmemx_malloc_gpu(N * sizeof *inbox);
    uint64_t *outbox = (uint64_t *)shmemx_malloc_gpu(N * sizeof *outbox);
    uint64_t *arrived = (uint64_t *)shmem_calloc(1, sizeof *arrived), *here = (uint64_t *)shmem_malloc(N * sizeof *here);
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (argc != 2 || !driver || !inbox || !outbox)
        shmem_global_exit(1);
    int (*module_load)(void **, const char *), (*get_function)(void **, void *, const char *), (*synchronize)(void);
    launch_t *launch;
    *(void **)&module_load = find("cuModuleLoad");
    *(void **)&get_function = find("cuModuleGetFunction");
    *(void **)&synchronize = find("cuCtxSynchronize");
    *(void **)&launch = find("cuLaunchKernel");
    void *module, *produce;
    SAME(module_load(&module, argv[1]), 0);
    SAME(shmemx_module_init(module), 0);
    SAME(get_function(&produce, module, "produce"), 0);

    for (int by_proxy = 0; by_proxy < 2; by_proxy++) {
        routine = by_proxy ? "triggers by the proxy" : "triggers by lanes";
        shmemx_op_t put = {SHMEMX_OP_PUT_SIGNAL, next, inbox, outbox, N * sizeof *inbox, arrived, 0, SHMEM_SIGNAL_SET, by_proxy, NULL};
        put.value = 7 + by_proxy;
        shmemx_trigger_t trigger = shmemx_trigger_create(&put, BLOCKS);
        if (by_proxy)
            shmemx_trigger_firm(trigger);
        shmemx_device_trigger_t device = shmemx_trigger_device(trigger);
        for (uint64_t round = 0; round < 6; round++) {
            size_t each = EACH;
            uint64_t value = 1000000 * (uint64_t)by_proxy + 1000 * round + (uint64_t)me;
            void *arguments[] = {&outbox, &each, &value, &device};
            /* Every third time, the trigger is due before it is armed, and must not have run by then. */
            for (int when = 0; when < 2; when++)
                if (when == (round % 3 == 2)) {
                    if (round == 0)
                        shmemx_trigger_arm(trigger);
                    else
                        shmemx_trigger_rearm(trigger);
                } else {
                    SAME(launch(produce, BLOCKS, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL), 0);
                    SAME(synchronize(), 0);
                }
            shmemx_trigger_wait(trigger);
            shmem_barrier_all();
            shmem_uint64_get(here, inbox, N, me);
            int wrong = 0;
            for (int i = 0; i < N; i++)
                wrong += here[i] != value - (uint64_t)me + (uint64_t)previous + (uint64_t)i;
            SAME(wrong, 0);
            SAME(shmem_signal_fetch(arrived), put.value);
            shmem_barrier_all();
        }
        shmemx_trigger_destroy(trigger);
    }
    return finish();
}
