/* Prepared operations and triggers, as far as the CPU can use them alone. With an argument: a mistake, which ends the
 * job. */
#include "check.h"
#include <shmemx.h>

static shmemx_op_t op(int kind, void *dest, const void *source, size_t nbytes, int pe)
{
    shmemx_op_t op = {kind, pe, dest, source, nbytes, NULL, 0, 0, 0, NULL};
    return op;
}

int main(int argc, char **argv)
{
    begin();
    int pe = (me + 1) % npes;
    uint64_t *words = (uint64_t *)shmem_calloc(8, sizeof *words);
    const char *mistake = argc > 1 ? argv[1] : "";
    shmemx_op_t put = op(SHMEMX_OP_PUT, words, words + 4, 16, pe);
    if (!strcmp(mistake, "kind"))
        put.kind = 11;
    if (!strcmp(mistake, "dest"))
        put.dest = &put;

    routine = "shmemx_prepare";
    shmemx_prepared_t first = shmemx_prepare(&put);
    shmemx_op_t with_signal = op(SHMEMX_OP_PUT_SIGNAL, words, words + 4, 16, pe);
    with_signal.sig_addr = words + 7;
    with_signal.value = 3;
    with_signal.sig_op = SHMEM_SIGNAL_ADD;
    shmemx_prepared_t second = shmemx_prepare(&with_signal);
    shmemx_device_prepared_t one = shmemx_prepared_device(first), other = shmemx_prepared_device(second);
    SAME(one.index != other.index, 1);
    shmemx_prepared_destroy(first);
    first = shmemx_prepare(&put);
    shmemx_device_prepared_t again = shmemx_prepared_device(first);
    SAME(again.index, one.index);
    SAME(again.generation, one.generation + 1);

    routine = "shmemx_trigger_create";
    shmemx_op_t add = op(SHMEMX_OP_ADD, words, NULL, !strcmp(mistake, "width") ? 2 : 8, pe);
    add.value = 1;
    shmemx_trigger_t last = shmemx_trigger_create(&add, 2);
    shmemx_op_t chain = op(SHMEMX_OP_TRIGGER, NULL, NULL, 0, 0);
    chain.next = last;
    shmemx_trigger_t head = shmemx_trigger_create(&chain, 1);
    SAME(shmemx_trigger_device(last).record != shmemx_trigger_device(head).record, 1);
    shmemx_trigger_arm(last);
    if (!strcmp(mistake, "armed"))
        shmemx_trigger_arm(last);
    SAME(shmemx_trigger_cancel(last), 1);
    uint64_t private_words[2] = {1, 2};
    if (!strcmp(mistake, "private")) {
        shmemx_op_t from_private = op(SHMEMX_OP_PUT, words, private_words, 16, pe);
        shmemx_trigger_arm_on_stream(shmemx_trigger_create(&from_private, 1));
    }
    shmemx_trigger_t firm = shmemx_trigger_create(&put, 1);
    shmemx_trigger_firm(firm);
    shmemx_trigger_arm(firm);
    if (!strcmp(mistake, "firm"))
        shmemx_trigger_cancel(firm);
    shmemx_trigger_destroy(firm);
    shmemx_trigger_t always = shmemx_trigger_create(&put, 1);
    shmemx_trigger_arm_always(always);
    if (!strcmp(mistake, "always"))
        shmemx_trigger_wait(always);
    shmemx_trigger_destroy(always);
    shmemx_trigger_t later = shmemx_trigger_create(&put, 1);
    if (!strcmp(mistake, "stale"))
        shmemx_trigger_arm(firm);
    shmemx_trigger_destroy(later);
    shmemx_trigger_arm(last);
    SAME(shmemx_trigger_cancel(last), 1);
    shmemx_trigger_destroy(head);
    shmemx_trigger_destroy(last);
    if (!strcmp(mistake, "destroyed"))
        shmemx_trigger_arm(last);
    shmem_barrier_all();
    for (int i = 0; i < 8; i++)
        SAME(words[i], 0);
    shmemx_prepared_destroy(first);
    shmemx_prepared_destroy(second);
    shmem_free(words);
    return finish();
}
