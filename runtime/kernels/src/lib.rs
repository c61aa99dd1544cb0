//! Kernels that the library itself launches. They are loaded when the GPUs start, before any kernel of the program can
//! spin, so they are few and small. Each has an entry here, whose body is a function in the module for its subject.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

mod agent;
mod collective;
mod combine;
mod processor;
mod stream;

use cushmem_abi::{BarrierStep, DeviceTaskQueue, TaskWords};
use cushmem_device::collective::Unequal;
use cushmem_device::{DevPtr, DeviceTeam, PROCESSOR_WORDS, kernels, run_processor, shared};
use cushmem_protocol::agent::Life;

shared! {
    static PROCESSOR: [u64; PROCESSOR_WORDS];
}

kernels! {
    /// One block: puts `bytes` bytes, and then updates the signal `sig`: `op` 9 sets it, 10 adds to it.
    pub unsafe fn stream_put_signal(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, sig: DevPtr<u64>, value: u64, op: u32, pe: u32) {
        stream::put_signal(dst, src, bytes, sig, value, op, pe);
    }

    /// One block with a lane for each of `words` words: puts them to the peer's memory, at the address where this GPU
    /// has it, and then sets the signal there.
    pub unsafe fn stream_put_words(there: DevPtr<u64>, src: DevPtr<u64>, words: u32, sig: DevPtr<u64>, value: u64) {
        stream::put_words(there, src, words, sig, value);
    }

    /// One block: puts a task that the CPU has checked, and first its data, which are at `src`, unless `carries` is 0.
    pub unsafe fn stream_put_task(queue: DeviceTaskQueue, words: TaskWords, src: DevPtr<u8>, carries: u32, pe: u32) {
        cushmem_device::put_checked_task(queue, words, src, carries != 0, pe);
    }

    /// Blocks of any size: puts `bytes` bytes; each block puts a part of them.
    pub unsafe fn stream_put(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, pe: u32) {
        stream::put(dst, src, bytes, pe);
    }

    /// Blocks of any size: gets `bytes` bytes; each block gets a part of them.
    pub unsafe fn stream_get(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, pe: u32) {
        stream::get(dst, src, bytes, pe);
    }

    /// Blocks of any size: copies `count` blocks of `words` words of `width` bytes (1, 2, 4 or 8), to a PE if `to_peer`
    /// is not 0, otherwise from it. The first ones are at `dst` and `src`; the strides are the bytes from one to the
    /// next.
    pub unsafe fn stream_blocks(
        dst: DevPtr<u8>, src: DevPtr<u8>, width: u32, words: usize, count: usize, dst_step: isize, src_step: isize, pe: u32, to_peer: u32
    ) {
        let ends = [(dst, dst_step), (src, src_step)];
        match width {
            1 => stream::blocks::<u8>(ends, words, count, pe, to_peer != 0),
            2 => stream::blocks::<u16>(ends, words, count, pe, to_peer != 0),
            4 => stream::blocks::<u32>(ends, words, count, pe, to_peer != 0),
            _ => stream::blocks::<u64>(ends, words, count, pe, to_peer != 0),
        }
    }

    /// One lane: stores the low `width` bytes (1, 2, 4 or 8) of `value`.
    pub unsafe fn stream_p(dst: DevPtr<u8>, value: u64, width: u32, pe: u32) {
        stream::p(dst, value, width, pe);
    }

    /// One lane: updates the signal `sig` as `stream_put_signal` does, after everything that came before on the stream.
    pub unsafe fn stream_signal(sig: DevPtr<u64>, value: u64, op: u32, pe: u32) {
        stream::signal(sig, value, op, pe);
    }

    /// One block with a lane for each PE from `first` on, up to 64, each with a bit in both masks: adds 1 to this PE's
    /// word in the array `sigs` of each PE in `to`. Then waits until the word of each PE in `from` is above 0 here, and
    /// takes 1 from it.
    pub unsafe fn stream_exchange(sigs: DevPtr<u64>, first: u32, to: u64, from: u64) {
        stream::exchange(sigs, first, to, from);
    }

    /// One lane: spends `ns` nanoseconds.
    pub unsafe fn stream_pause(ns: u64) {
        stream::pause(ns);
    }

    /// One lane: answers `n` times when the first of three `words` has the next number, from 1 on: the third is then
    /// the time, and the second the number. Gives up if a number does not come.
    pub unsafe fn stream_clock(words: DevPtr<u64>, n: u64) {
        stream::clock(words, n);
    }

    /// One lane: waits until the integer `word`, of 2, 4 or 8 bytes, compares with `value`, whose bits are the low
    /// ones; `cmp` is the number of a `Cmp`.
    pub unsafe fn stream_wait(word: DevPtr<u64>, width: u32, signed: u32, cmp: u32, value: u64) {
        stream::wait(word, (width, signed != 0), cmp, value);
    }

    /// One lane: asks a thread of the CPU for the collective with this number, and waits until it is complete. The
    /// first of `words` says which collective it is, the second how many graphs have asked for, the third how many are
    /// complete.
    pub unsafe fn stream_deputy(words: DevPtr<u64>, what: u64) {
        stream::deputy(words, what);
    }

    /// One lane: completes everything that came before on the stream.
    pub unsafe fn stream_quiet() {
        stream::quiet();
    }

    /// One block: the barrier of all PEs.
    pub unsafe fn stream_barrier_all() {
        stream::barrier_all();
    }

    /// One lane: the barrier or synchronisation of two PEs that reach each other, whose words the CPU has looked up.
    pub unsafe fn stream_meet_two(here: DevPtr<BarrierStep>, there: DevPtr<BarrierStep>, other: u32) {
        cushmem_device::meet_two(here, there, other);
    }

    /// One block: the synchronisation of a team's PEs.
    pub unsafe fn stream_team_sync(team: DeviceTeam) {
        stream::team_sync(team);
    }

    /// One block of whole warps: the GPU agent of this epoch, whose first command has the number `first`.
    pub unsafe fn agent_serve(area: DevPtr<u64>, epoch: u32, first: u64, idle: u64, longest: u64) {
        agent::serve(area, &Life { epoch, first, idle, longest });
    }

    /// One block of whole warps: the command processor, whose ring is at `ring`; this is the launch with this number.
    pub unsafe fn processor_serve(ring: u64, launch: u64, longest_ns: u64) {
        run_processor(ring, launch, longest_ns, PROCESSOR.ptr());
    }

    /// One lane: puts `bytes` bytes to a PE, or gets them if `is_get` is not 0, and completes them, `n` times. The
    /// command processor copies if `leaves` is not 0. Leaves in `spent` the nanoseconds until the calls returned, and
    /// until the copies were complete.
    pub unsafe fn thread_copies(
        there: DevPtr<u8>, here: DevPtr<u8>, bytes: usize, n: u64, is_get: u32, leaves: u32, pe: u32,
        spent: DevPtr<u64>
    ) {
        processor::thread_copies(there, here, bytes, n, is_get != 0, leaves != 0, pe, spent);
    }

    /// A number of blocks that is a power of two, each of up to 512 lanes: combines elements of `width` bytes of all
    /// members, in `bytes` bytes; `code` is a `Combine`, `folding` a `Folding`.
    pub unsafe fn collective_fold(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, width: u32, code: u32, folding: u32) {
        collective::fold(team, dst, src, bytes, width, code, folding);
    }

    /// Blocks like those of `collective_fold`: reduces `bytes` bytes, which fit into the inboxes.
    pub unsafe fn collective_reduce_short(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, code: u32) {
        collective::reduce_short(team, dst, src, bytes, code);
    }

    /// Blocks like those of `collective_fold`: copies `bytes` bytes to each member's dest, at offset `at`; those for
    /// member `j` are `j * step` bytes into the source. Only `root` copies, or all members if it is the largest number.
    pub unsafe fn collective_copy(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, step: usize, at: usize, root: u32) {
        collective::copy(team, dst, src, bytes, step, at, root);
    }

    /// Blocks like those of `collective_fold`: like `collective_copy` by all members, where member `i` copies to block
    /// `i` of each dest, with bytes that fit into the inboxes.
    pub unsafe fn collective_copy_short(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, step: usize) {
        collective::copy_short(team, dst, src, bytes, step);
    }

    /// Blocks like those of `collective_fold`: copies rows of `row` bytes, as many as the splits say.
    pub unsafe fn collective_unequal(
        team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, dst_splits: DevPtr<u64>, src_splits: DevPtr<u64>, room: usize, given: usize, row: usize
    ) {
        collective::unequal(team, dst, src, Unequal { dst_splits, src_splits, room, given, row });
    }

    /// Blocks like those of `collective_fold`: copies `elements` elements of `size` bytes to each member, with gaps
    /// between the elements.
    pub unsafe fn collective_strided(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, size: usize, elements: usize, dst_stride: usize, src_stride: usize) {
        collective::strided(team, dst, src, size, elements, dst_stride, src_stride);
    }
}
