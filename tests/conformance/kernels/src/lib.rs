//! Kernels of the conformance tests. A kernel checks and counts what only a kernel can see; the program that launches
//! it checks everything else.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

mod amo;
mod arrays;
mod collectives;
mod commands;
mod completion;
mod copies;
mod cxx;
mod ends;
mod exchange;
mod lanes;
mod math;
mod meet;
mod mix;
mod numbers;
mod place;
mod print;
mod private;
mod processor;
mod roles;
mod shared;
mod strided;
mod task_puts;
pub mod tasks;
mod teams;
mod triggers;
mod unequal;
mod waits;
mod words;

pub use amo::AMO_WORDS;
pub use arrays::*;
pub use collectives::*;
pub use commands::{COPIED, named, spoiled};
pub use cxx::*;
pub use lanes::*;
pub use math::*;
pub use mix::mix;
pub use numbers::*;
pub use print::*;
pub use private::*;
pub use processor::*;
pub use roles::{gates, pieces};
pub use shared::*;
pub use strided::*;
pub use task_puts::*;
pub use teams::*;
pub use unequal::*;
pub use words::{PART_BYTES, PARTS, Pattern};

use amo::Amos;
use commands::{Messages, Spoiled};
use completion::News;
use copies::Copies;
use cushmem_device::{
    Block, Ctx, DevPtr, DevicePrepared, DeviceTeam, DeviceTrigger, Ivars, Need, Roles, Scope, SignalOp, Thread, Warp,
    Wide, atomic_inc, block_idx_x, fence, kernels, my_pe, n_pes, p, pe_quiet, signal_op, thread_idx_x, wait_until,
    wait_until_all, wait_until_for,
};
use exchange::Exchange;
use meet::Meeting;
use triggers::By;

kernels! {
    use arrays, collectives, cxx, lanes, math, numbers, print, private, processor, shared, strided, task_puts, tasks, teams, unequal;

    /// Fills words, and bumps a trigger by each lane.
    pub unsafe fn produce_thread(trigger: DeviceTrigger, src: DevPtr<u64>, n: usize, round: u64) {
        triggers::produce(By::Thread, trigger, src, n, round);
    }

    /// Fills words, and bumps a trigger by each warp.
    pub unsafe fn produce_warp(trigger: DeviceTrigger, src: DevPtr<u64>, n: usize, round: u64) {
        triggers::produce(By::Warp, trigger, src, n, round);
    }

    /// Fills words, and bumps a trigger by each block.
    pub unsafe fn produce_block(trigger: DeviceTrigger, src: DevPtr<u64>, n: usize, round: u64) {
        triggers::produce(By::Block, trigger, src, n, round);
    }

    /// Fills words, and bumps a trigger by the grid.
    pub unsafe fn produce_grid(trigger: DeviceTrigger, src: DevPtr<u64>, n: usize, round: u64) {
        triggers::produce(By::Grid, trigger, src, n, round);
    }

    /// Fills words and bumps a trigger, round by round.
    pub unsafe fn produce_rounds(trigger: DeviceTrigger, src: DevPtr<u64>, n: usize, go: DevPtr<u64>, rounds: u64, late: DevPtr<u64>, limit_ns: u64) {
        triggers::rounds(trigger, src, n, go, rounds, late, limit_ns);
    }

    /// Posts a prepared operation from the first lane of each block.
    pub unsafe fn post_prepared(prepared: DevicePrepared, times: u64, default: u32) {
        triggers::post(prepared, times, default != 0);
    }

    /// Puts the list's ranges, each by a lane.
    pub unsafe fn put_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::put(Thread, Copies { dst, src, list, n, pe });
    }

    /// Puts the list's ranges, each by a warp.
    pub unsafe fn put_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::put(Warp, Copies { dst, src, list, n, pe });
    }

    /// Puts the list's ranges, each by a block.
    pub unsafe fn put_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::put(Block, Copies { dst, src, list, n, pe });
    }

    /// Like `put_thread`, with more in flight.
    pub unsafe fn put_wide_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::put(Wide(Thread), Copies { dst, src, list, n, pe });
    }

    /// Like `put_block`, with more in flight.
    pub unsafe fn put_wide_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::put(Wide(Block), Copies { dst, src, list, n, pe });
    }

    /// Gets the list's ranges, each by a lane.
    pub unsafe fn get_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::get(Thread, Copies { dst, src, list, n, pe });
    }

    /// Gets the list's ranges, each by a warp.
    pub unsafe fn get_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::get(Warp, Copies { dst, src, list, n, pe });
    }

    /// Gets the list's ranges, each by a block.
    pub unsafe fn get_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::get(Block, Copies { dst, src, list, n, pe });
    }

    /// Like `get_warp`, with more in flight.
    pub unsafe fn get_wide_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::get(Wide(Warp), Copies { dst, src, list, n, pe });
    }

    /// Like `get_block`, with more in flight.
    pub unsafe fn get_wide_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copies::get(Wide(Block), Copies { dst, src, list, n, pe });
    }

    /// Puts and gets of several element types.
    pub unsafe fn put_elements(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, pe: u32) {
        copies::elements(dst, src, n, pe);
    }

    /// A p of every type by every lane.
    pub unsafe fn p_words(dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
        words::put_all(dst, src, pe);
    }

    /// A g of every type by every lane.
    pub unsafe fn g_words(dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
        words::get_all(dst, src, pe);
    }

    /// Every lane adds its number plus one, `times` times.
    pub unsafe fn add_signals(sig: DevPtr<u64>, times: u64, pe: u32) {
        words::add(sig, times, pe);
    }

    /// The first lane sets a signal.
    pub unsafe fn set_signal(sig: DevPtr<u64>, value: u64, pe: u32) {
        if place::lane() == 0 {
            signal_op(sig, value, SignalOp::Set, pe);
        }
    }

    /// What each lane gets from the lane that `sources` names for it, from the lane that is `delta` higher, and, in the
    /// first 16 lanes of a warp, from the named lane modulo 16.
    pub unsafe fn shuffles(values: DevPtr<u32>, sources: DevPtr<u32>, delta: u32, out: DevPtr<u32>) {
        words::shuffle(values, sources, delta, out);
    }

    /// Which comparisons hold between a word of each kind and a value: a mask in `out` for u32, i32, i64, u64 and f64.
    pub unsafe fn compare(words: DevPtr<u64>, values: DevPtr<u64>, limit_ns: u64, out: DevPtr<u64>) {
        out.write(words::compare::<u32>(words.cast(), values.cast::<u32>().read(), limit_ns));
        out.add(1).write(words::compare::<i32>(words.add(1).cast(), values.add(1).cast::<i32>().read(), limit_ns));
        out.add(2).write(words::compare::<i64>(words.add(2).cast(), values.add(2).cast::<i64>().read(), limit_ns));
        out.add(3).write(words::compare::<u64>(words.add(3), values.add(3).read(), limit_ns));
        out.add(4).write(words::compare::<f64>(words.add(4).cast(), values.add(4).cast::<f64>().read(), limit_ns));
    }

    /// Waits until the word is `value`: `out` gets 1, or 0 after the limit.
    pub unsafe fn wait_for(word: DevPtr<u64>, value: u64, limit_ns: u64, out: DevPtr<u64>) {
        let seen = wait_until_for(word, cushmem_device::Cmp::Eq, value, limit_ns);
        out.write(u64::from(seen == Some(value)));
    }

    /// Takes what arrives in words of 4 bytes: see [`waits::take`]. One lane.
    pub unsafe fn take_i32(
        words: DevPtr<i32>, numbers: DevPtr<u64>, values: DevPtr<i32>, taken: DevPtr<i32>, n: usize, round: u64, by: u32,
        places: DevPtr<u64>, limit_ns: u64, right: DevPtr<u64>
    ) {
        right.write(waits::take(waits::Arriving { words, numbers, values, taken, n }, round, by, places, limit_ns));
    }

    /// Like `take_i32`, with words of 8 bytes.
    pub unsafe fn take_u64(
        words: DevPtr<u64>, numbers: DevPtr<u64>, values: DevPtr<u64>, taken: DevPtr<i32>, n: usize, round: u64, by: u32,
        places: DevPtr<u64>, limit_ns: u64, right: DevPtr<u64>
    ) {
        right.write(waits::take(waits::Arriving { words, numbers, values, taken, n }, round, by, places, limit_ns));
    }

    /// Answers the CPU of `peer`, which stores numbers and announces them: see [`waits::answer`]. One lane.
    pub unsafe fn answer_words(
        numbers: DevPtr<u64>, word: DevPtr<i64>, sig: DevPtr<u64>, answer: DevPtr<u64>, rounds: u64, peer: u32,
        wrong: DevPtr<u64>
    ) {
        waits::answer(numbers, (word, sig), (answer, peer), rounds, wrong);
    }

    /// What tests say of words: see [`waits::looks`]. One lane.
    pub unsafe fn looks_f64(
        words: DevPtr<f64>, status: DevPtr<i32>, values: DevPtr<f64>, n: usize, places: DevPtr<u64>, out: DevPtr<u64>
    ) {
        waits::looks(words, status, values, n, places, out);
    }

    /// Like `looks_f64`, with words of 4 bytes.
    pub unsafe fn looks_u32(
        words: DevPtr<u32>, status: DevPtr<i32>, values: DevPtr<u32>, n: usize, places: DevPtr<u64>, out: DevPtr<u64>
    ) {
        waits::looks(words, status, values, n, places, out);
    }

    /// One lane waits, without a limit, until all words are `value`.
    pub unsafe fn wait_for_all(words: DevPtr<i64>, n: usize, value: i64) {
        wait_until_all(Ivars::new(words, n), cushmem_device::Cmp::Eq, value);
    }

    /// Looks at words of 2 bytes until `stop` is not 0: see [`words::watch`].
    pub unsafe fn watch_u16(words: DevPtr<u16>, count: usize, stop: DevPtr<u64>, report: DevPtr<u64>) {
        words::watch(words, count, stop, report);
    }

    /// Looks at words of 4 bytes.
    pub unsafe fn watch_u32(words: DevPtr<u32>, count: usize, stop: DevPtr<u64>, report: DevPtr<u64>) {
        words::watch(words, count, stop, report);
    }

    /// Looks at words of 8 bytes.
    pub unsafe fn watch_u64(words: DevPtr<u64>, count: usize, stop: DevPtr<u64>, report: DevPtr<u64>) {
        words::watch(words, count, stop, report);
    }

    /// Each lane puts a word with p again and again: see [`words::pattern`].
    pub unsafe fn p_patterns_u16(words: DevPtr<u16>, rounds: u32, pe: u32) {
        words::p_patterns(words, rounds, pe);
    }

    /// Like `p_patterns_u16`, with words of 4 bytes.
    pub unsafe fn p_patterns_u32(words: DevPtr<u32>, rounds: u32, pe: u32) {
        words::p_patterns(words, rounds, pe);
    }

    /// Like `p_patterns_u16`, with words of 8 bytes.
    pub unsafe fn p_patterns_u64(words: DevPtr<u64>, rounds: u32, pe: u32) {
        words::p_patterns(words, rounds, pe);
    }

    /// One lane, warp or block puts a range of words of 2 bytes again and again: see [`words::put_patterns`].
    pub unsafe fn put_patterns_u16(words: DevPtr<u16>, source: DevPtr<u16>, count: usize, rounds: u32, pe: u32) {
        words::put_patterns(words, source, count, rounds, pe);
    }

    /// Like `put_patterns_u16`, with words of 4 bytes.
    pub unsafe fn put_patterns_u32(words: DevPtr<u32>, source: DevPtr<u32>, count: usize, rounds: u32, pe: u32) {
        words::put_patterns(words, source, count, rounds, pe);
    }

    /// Like `put_patterns_u16`, with words of 8 bytes.
    pub unsafe fn put_patterns_u64(words: DevPtr<u64>, source: DevPtr<u64>, count: usize, rounds: u32, pe: u32) {
        words::put_patterns(words, source, count, rounds, pe);
    }

    /// Counts the running blocks, and keeps their lanes busy until the limit.
    pub unsafe fn occupy(started: DevPtr<u64>, never: DevPtr<u64>, limit_ns: u64) {
        if thread_idx_x() == 0 {
            atomic_inc(started, my_pe());
        }
        wait_until_for(never, cushmem_device::Cmp::Ne, 0, limit_ns);
    }

    /// Lane 3 of block 1 waits, without a limit, until the word is at least `value`.
    pub unsafe fn wait_in_lane_3(word: DevPtr<i64>, value: i64) {
        if block_idx_x() == 1 && thread_idx_x() == 3 {
            wait_until(word, cushmem_device::Cmp::Ge, value);
        }
    }

    /// The address of `object` on each of the PEs; 0 if it has none.
    pub unsafe fn pointers(object: DevPtr<u8>, pes: DevPtr<u32>, out: DevPtr<u64>) {
        words::pointers(object, pes, out);
    }

    /// How a kernel accesses `object` on each of the PEs, with atomics if `atomic` is not 0.
    pub unsafe fn routes(object: DevPtr<u8>, pes: DevPtr<u32>, atomic: u32, out: DevPtr<u64>) {
        words::routes(object, pes, if atomic == 0 { Need::LoadStore } else { Need::Atomic }, out);
    }

    /// Every atomic operation on words of 32 bits.
    pub unsafe fn amo_u32(words: DevPtr<u64>, pe: u32, first: u32, times: usize, fetched: DevPtr<u64>, wrong: DevPtr<u64>) {
        amo::all::<u32>(Amos { words, pe, first, times, fetched, wrong });
    }

    /// Every atomic operation on words of 32 bits with a sign.
    pub unsafe fn amo_i32(words: DevPtr<u64>, pe: u32, first: u32, times: usize, fetched: DevPtr<u64>, wrong: DevPtr<u64>) {
        amo::all::<i32>(Amos { words, pe, first, times, fetched, wrong });
    }

    /// Every atomic operation on words of 64 bits.
    pub unsafe fn amo_u64(words: DevPtr<u64>, pe: u32, first: u32, times: usize, fetched: DevPtr<u64>, wrong: DevPtr<u64>) {
        amo::all::<u64>(Amos { words, pe, first, times, fetched, wrong });
    }

    /// Every atomic operation on words of 64 bits with a sign.
    pub unsafe fn amo_i64(words: DevPtr<u64>, pe: u32, first: u32, times: usize, fetched: DevPtr<u64>, wrong: DevPtr<u64>) {
        amo::all::<i64>(Amos { words, pe, first, times, fetched, wrong });
    }

    /// This PE's number and the number of PEs.
    pub unsafe fn identity(out: DevPtr<u32>) {
        out.write(my_pe());
        out.add(1).write(n_pes());
    }

    /// Lane 3 of block 1 stores a word on `pe`.
    pub unsafe fn p_from_lane_3(dst: DevPtr<u64>, value: u64, pe: u32) {
        if block_idx_x() == 1 && thread_idx_x() == 3 {
            p(dst, value, pe);
        }
    }

    /// Barriers by one lane per PE.
    pub unsafe fn barrier_thread(slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::pes::<_, true>(Thread, Meeting { slots, first, rounds, wrong });
    }

    /// Barriers by one warp per PE.
    pub unsafe fn barrier_warp(slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::pes::<_, true>(Warp, Meeting { slots, first, rounds, wrong });
    }

    /// Barriers by one block per PE.
    pub unsafe fn barrier_block(slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::pes::<_, true>(Block, Meeting { slots, first, rounds, wrong });
    }

    /// Synchronisations by one lane per PE.
    pub unsafe fn sync_thread(slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::pes::<_, false>(Thread, Meeting { slots, first, rounds, wrong });
    }

    /// Synchronisations by one warp per PE.
    pub unsafe fn sync_warp(slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::pes::<_, false>(Warp, Meeting { slots, first, rounds, wrong });
    }

    /// Synchronisations by one block per PE.
    pub unsafe fn sync_block(slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::pes::<_, false>(Block, Meeting { slots, first, rounds, wrong });
    }

    /// Synchronisations of a team by one lane per PE.
    pub unsafe fn team_thread(team: DeviceTeam, slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::team(Thread, team, Meeting { slots, first, rounds, wrong });
    }

    /// Synchronisations of a team by one warp per PE.
    pub unsafe fn team_warp(team: DeviceTeam, slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::team(Warp, team, Meeting { slots, first, rounds, wrong });
    }

    /// Synchronisations of a team by one block per PE.
    pub unsafe fn team_block(team: DeviceTeam, slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        meet::team(Block, team, Meeting { slots, first, rounds, wrong });
    }

    /// `ends::among_waits`.
    pub unsafe fn exit_among_waits(word: DevPtr<u64>, status: i32, meets: u32, limit_ns: u64) {
        ends::among_waits(word, status, meets, limit_ns);
    }

    /// Two blocks that are resident together: each synchronises a team of its own, with half of the slots.
    pub unsafe fn teams_at_once(one: DeviceTeam, other: DeviceTeam, slots: DevPtr<u64>, half: usize, rounds: u64, wrong: DevPtr<u64>) {
        if block_idx_x() == 0 {
            meet::team(Block, one, Meeting { slots, first: 1, rounds, wrong });
        } else {
            meet::team(Block, other, Meeting { slots: slots.add(half), first: 1, rounds, wrong });
        }
    }

    /// One barrier by a lane.
    pub unsafe fn barrier_once() {
        Thread.barrier_all();
    }

    /// Barriers of the blocks of a cooperative launch.
    pub unsafe fn grid_rounds(counter: DevPtr<u32>, words: DevPtr<u64>, rounds: u64, wrong: DevPtr<u64>) {
        meet::blocks(counter, words, rounds, wrong);
    }

    /// Barriers of all blocks of all PEs' cooperative launches.
    pub unsafe fn grid_and_pes(counter: DevPtr<u32>, words: DevPtr<u64>, rounds: u64, wrong: DevPtr<u64>) {
        meet::blocks_of_pes(counter, words, rounds, wrong);
    }

    /// Roles, which wait for each other.
    pub unsafe fn take_roles(counts: DevPtr<u64>, gates: DevPtr<u64>, limit_ns: u64, roles: Roles) {
        roles::run(counts, gates, limit_ns, roles);
    }

    /// Pieces of work, dealt in rounds.
    pub unsafe fn deal(counts: DevPtr<u64>, most: u64, rounds: u64, dealt: DevPtr<u64>) {
        roles::deal(counts, most, rounds, dealt);
    }

    /// `put_signal` by a lane, in both directions; the signals add if `add` is not 0.
    pub unsafe fn exchange_thread(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Thread, false>(Thread, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// `put_signal` by a warp, in both directions.
    pub unsafe fn exchange_warp(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Warp, false>(Warp, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// `put_signal` by a block, in both directions.
    pub unsafe fn exchange_block(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Block, false>(Block, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// Like `exchange_block`, with more in flight.
    pub unsafe fn exchange_wide(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Wide<Block>, false>(Wide(Block), Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// `put_signal_nbi` by a lane, in both directions.
    pub unsafe fn exchange_nbi_thread(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Thread, true>(Thread, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// `put_signal_nbi` by a warp, in both directions.
    pub unsafe fn exchange_nbi_warp(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Warp, true>(Warp, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// `put_signal_nbi` by a block, in both directions.
    pub unsafe fn exchange_nbi_block(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64, add: u32) {
        exchange::run::<Block, true>(Block, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns }, op(add));
    }

    /// Sends back what arrives, from where it arrived.
    pub unsafe fn relay_block(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        exchange::relay(Block, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns });
    }

    /// Answers a CPU's `put_signal`s.
    pub unsafe fn answer_cpu(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, sig: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        exchange::answer(Block, Exchange { dst, src, n, sig, rounds, peer, report, limit_ns });
    }

    /// `completion::scopes` by lanes.
    pub unsafe fn news_by_thread(data: DevPtr<u64>, counts: DevPtr<u64>, flags: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        completion::scopes(Thread, News { data, counts, flags, rounds, peer, report, limit_ns });
    }

    /// `completion::scopes` by warps.
    pub unsafe fn news_by_warp(data: DevPtr<u64>, counts: DevPtr<u64>, flags: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        completion::scopes(Warp, News { data, counts, flags, rounds, peer, report, limit_ns });
    }

    /// `completion::scopes` by blocks.
    pub unsafe fn news_by_block(data: DevPtr<u64>, counts: DevPtr<u64>, flags: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        completion::scopes(Block, News { data, counts, flags, rounds, peer, report, limit_ns });
    }

    /// `completion::listed`.
    pub unsafe fn quiet_for_list(counts: DevPtr<u64>, list: DevPtr<u32>, n: usize, rounds: u64, report: DevPtr<u64>) {
        completion::listed(counts, list, n, rounds, report);
    }

    /// A put by a block on its context, and a quiet of the block.
    pub unsafe fn put_and_quiet(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, pe: u32) {
        let context = Ctx::new();
        context.put(Block, dst, src, n, pe);
        context.quiet_by(Block);
    }

    /// One quiet for a list.
    pub unsafe fn pe_quiet_once(list: DevPtr<u32>, n: usize) {
        pe_quiet(list, n);
    }

    /// One lane. A word, a fence and a flag.
    pub unsafe fn p_fence_p(data: DevPtr<u64>, flag: DevPtr<u64>, value: u64, pe: u32) {
        p(data, value, pe);
        fence();
        p(flag, value, pe);
    }

    /// Every lane stores words.
    pub unsafe fn send_words(dst: DevPtr<u64>, rounds: u64, pe: u32) {
        commands::send_words(dst, rounds, pe);
    }

    /// Puts the list's ranges, each by a block, on its context.
    pub unsafe fn put_ranges(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32, wrong: DevPtr<u64>) {
        commands::put_ranges(dst, src, list, n, pe, wrong);
    }

    /// Puts the list's ranges, and overwrites their sources.
    pub unsafe fn put_and_spoil(dst: DevPtr<u8>, src: DevPtr<u8>, most: usize, list: DevPtr<u64>, n: u64, pe: u32) {
        commands::put_and_spoil(Spoiled { dst, src, most, list, n, pe });
    }

    /// Copies with signals, in both directions.
    pub unsafe fn copy_and_signal(data: DevPtr<u64>, source: DevPtr<u64>, flag: DevPtr<u64>, rounds: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        commands::exchange::<false>(Messages { data, source, flag, rounds, peer, report, limit_ns });
    }

    /// Copies, fences and flags by block 0, in both directions, while the other blocks store words.
    pub unsafe fn copy_among_others(data: DevPtr<u64>, source: DevPtr<u64>, flag: DevPtr<u64>, scratch: DevPtr<u64>, rounds: u64, others: u64, peer: u32, report: DevPtr<u64>, limit_ns: u64) {
        commands::exchange_among_others(Messages { data, source, flag, rounds, peer, report, limit_ns }, scratch, others);
    }

    /// Copies, about which a third PE is notified.
    pub unsafe fn copy_to_a_third(data: DevPtr<u64>, local: DevPtr<u64>, flag: DevPtr<u64>, rounds: u64, report: DevPtr<u64>, limit_ns: u64) {
        commands::copy_to_a_third(data, local, flag, rounds, report, limit_ns);
    }

    /// Stores words into the command ring.
    pub unsafe fn store_into_ring(words: DevPtr<u64>, n: usize, at: u64, limit_ns: u64) {
        commands::store_into_ring(words, n, at, limit_ns);
    }

    /// `completion::quiet_for_commands`.
    pub unsafe fn quiet_for_commands(counts: DevPtr<u64>, rounds: u64, left: u64, peer: u32, report: DevPtr<u64>) {
        completion::quiet_for_commands(counts, rounds, left, peer, report);
    }
}

#[inline(always)]
fn op(add: u32) -> SignalOp {
    if add == 0 { SignalOp::Set } else { SignalOp::Add }
}
