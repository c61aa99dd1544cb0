/* Started with some of its standard streams closed: what is written there reaches no memory. The exit status says what
 * was wrong. With the argument `id`, it is a job of its own, by a unique id. */
#include <shmem.h>
#include <shmemx.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 1000 };

static long global[N];

/* Whether the number is a file or socket that the library has opened. */
static int is_the_librarys(int number)
{
    char name[] = "/proc/self/fd/0", target[100] = "";
    name[sizeof name - 2] = (char)('0' + number);
    return readlink(name, target, sizeof target - 1) > 0 && strncmp(target, "/dev/", 5) != 0 &&
           (strstr(target, "memfd") != NULL || strstr(target, "socket") != NULL || strstr(target, "anon") != NULL);
}

int main(int argc, char **argv)
{
    static const char text[] = "this is written to a closed stream";
    shmemx_uniqueid_t id;
    if (argc > 1 && strcmp(argv[1], "id") == 0) {
        if (shmemx_get_uniqueid(&id) != 0 || shmemx_init_attr(0, 1, &id) != 0)
            return 3;
    } else {
        shmem_init();
    }
    long *object = shmem_calloc(N, sizeof *object);
    int wrong = 0;
    for (int number = 0; number < 3; number++)
        wrong |= is_the_librarys(number) ? 4 : 0;
    shmem_barrier_all();
    for (int number = 0; number < 3; number++)
        if (write(number, text, sizeof text) < 0)
            continue;
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        for (int i = 0; i < N; i++)
            wrong |= shmem_long_g(&global[i], pe) != 0 || shmem_long_g(&object[i], pe) != 0 ? 8 : 0;
    shmem_barrier_all();
    shmem_finalize();
    return wrong;
}
