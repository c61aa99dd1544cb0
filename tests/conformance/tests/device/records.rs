//! What kernels in CUDA C++ record, by the functions that their header calls around an operation, and what the command
//! processor and the GPU agent do, on the emulated GPU.

use crate::routes::{ALL, Alone, Job, WORD};
use cushmem_abi::{
    CommandHead, CommandKind, KernelEvent, KernelOperation, KernelRecord, KernelWork, ProcessorRing, WordOp,
};
use cushmem_conformance_kernels::{self as kernels, PUT_AND_ADD, PUT_AND_SET, RECORDED, record_by_scopes};
use cushmem_gpu::Grid;
use cushmem_protocol::ring::Command;
use std::mem::offset_of;

const SLOTS: usize = 64;

/// The events in the record, in the order of their numbers.
fn events(alone: &Alone) -> Vec<(KernelWork, KernelEvent)> {
    let words = alone.record(SLOTS);
    let taken = words[offset_of!(KernelRecord, taken) / 8] as usize;
    assert!(taken <= SLOTS, "{taken} events");
    let events = words[size_of::<KernelRecord>() / 8..].chunks(size_of::<KernelEvent>() / 8).take(taken);
    let event = |(number, words): (u64, &[u64])| {
        let event = KernelEvent::of_words(words.try_into().expect("six words"));
        let event = event.unwrap_or_else(|| panic!("event {number}: {words:?}"));
        assert!(event.from > 0, "{event:?}");
        (KernelWork::of_bits(event.what), event)
    };
    (0..).zip(events).map(event).collect()
}

/// Catches lanes that record what their scope does once more, blocks that are not asked, and words in the wrong place.
#[test]
fn the_first_lane_of_a_scope_records() {
    let mut alone = Alone::new(Job::of_four([ALL; 4]));
    alone.give_record(SLOTS, 2);
    let (word, count) = (alone.objects(WORD + 8).0, alone.objects(WORD + 16).0);
    assert_eq!(alone.run(record_by_scopes, Grid::linear(3, 70), (word, count)), None);
    let mut found = vec![];
    for (work, event) in events(&alone) {
        assert_eq!((work.pe, event.bytes, event.word), (2, 64, word.address()), "{event:?}");
        found.push((KernelOperation::of_number(work.operation).expect("an operation"), work.block, work.warp));
    }
    found.sort_by_key(|(operation, block, warp)| (*operation as u8, *block, *warp));
    // Blocks 0 and 2, with three warps each.
    let [by_thread, by_warp, by_block] = RECORDED.map(|number| KernelOperation::ALL[number as usize]);
    let alone_in = |operation| [(operation, 0, 0), (operation, 2, 0)];
    let warps = [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)].map(|(block, warp)| (by_warp, block, warp));
    assert_eq!(found, [&alone_in(by_thread)[..], &warps, &alone_in(by_block)].concat());
    assert_eq!(alone.read(0, WORD + 16), 10);
}

/// Catches events whose pieces are of two operations, and events that are lost though they are whole.
#[test]
fn an_operation_that_goes_on_while_its_slot_is_taken_again() {
    let slots = SLOTS as u64;
    for others in [slots - 1, slots, 2 * slots, 2 * slots + 5] {
        let mut alone = Alone::new(Job::of_four([ALL; 4]));
        alone.give_record(SLOTS, 1);
        assert_eq!(alone.run(kernels::record_around, Grid::linear(1, 1), (others as u32,)), None);
        let words = alone.record(SLOTS);
        assert_eq!(words[offset_of!(KernelRecord, taken) / 8], others + 1);
        let slots = words[size_of::<KernelRecord>() / 8..].chunks(size_of::<KernelEvent>() / 8);
        let event = |words: &[u64]| KernelEvent::of_words(words.try_into().expect("six words")).expect("it is whole");
        let mut events: Vec<_> = slots.map(event).collect();
        assert_eq!(events.len(), SLOTS);
        // The operation around the others has slot 0, and ends last.
        events.sort_by_key(|event| event.mark);
        assert_eq!((events[0].mark, events[0].bytes), (1, 64));
        let around = events[0];
        for pair in events.windows(2) {
            assert!(around.from <= pair[1].from && pair[1].until() <= around.until(), "{around:?}, {:?}", pair[1]);
            assert_eq!(pair[1].bytes, 8);
            assert!(pair[0].mark == 1 || pair[0].from <= pair[1].from, "{pair:?}");
        }
        let last = events.last().expect("there are some").mark;
        assert_eq!(last, if others % SLOTS as u64 == 0 { others } else { others + 1 });
    }
}

/// Catches pieces of two events that are taken for one, a slot without an event, bits that are cut off, and an
/// operation that takes no time, as on GPUs whose clock has steps.
#[test]
fn an_event_is_whole_or_there_is_none() {
    let (number, day) = (0x12_3456_789a, 86_400_000_000_000);
    let from = 20_000 * day;
    let words = |number, until| KernelEvent::ended(KernelEvent::begun(from, number), until, 7, 3 << 30, 9);
    for lasted in [0, 1, 32, 7_200_000_000_000] {
        for from in [from, from + 1] {
            let words = KernelEvent::ended(KernelEvent::begun(from, number), from + lasted, 7, 3 << 30, 9);
            let event = KernelEvent::of_words(words).expect("it is whole");
            assert_eq!(event, KernelEvent { from, mark: 0x6_789b, lasted, what: 7, bytes: 3 << 30, word: 9 });
            assert_eq!(event.until(), from + lasted);
        }
    }
    assert_eq!(KernelEvent::of_words(words(number, from - 1)), None, "it ended before it began");
    assert_eq!(KernelEvent::of_words([0; 6]), None);
    for other in [Some(number + 64), Some(number + (1 << 16)), Some(number - 64), None] {
        let (ours, theirs) = (words(number, from + 5), other.map_or([0; 6], |other| words(other, from + 6)));
        for mixed in 1..7u32 {
            let word = |word: usize| if mixed >> (word / 2) & 1 == 0 { ours[word] } else { theirs[word] };
            assert_eq!(KernelEvent::of_words(std::array::from_fn(word)), None, "{other:x?} {mixed:#b}");
        }
    }
    let numbers =
        [0, 63, 64, (1 << 20) - 1, 1 << 20].map(|number| KernelEvent::number(KernelEvent::begun(from, number)));
    assert_eq!(numbers.map(|number| number % 64), [0, 63, 0, 63, 0]);
}

/// Catches commands that the command processor does not record, or records by several lanes, and wrong numbers.
#[test]
fn the_command_processor_records_each_command() {
    const BYTES: u64 = 1 << 10;
    let mut alone = Alone::new(Job::of_four([ALL; 4]));
    alone.give_record(SLOTS, 1 << 16);
    alone.give_processor(size_of::<ProcessorRing>() as u64, [BYTES as u32, BYTES as u32]);
    let ((list, _), (inbox, _), (signal, _)) =
        (alone.objects::<u64>(WORD), alone.objects::<u8>(WORD + 48 * 1024), alone.objects::<u64>(WORD + 40 * 1024));
    let kinds = [0, 1, PUT_AND_SET, PUT_AND_ADD, 0];
    let words: Vec<u64> = kinds.iter().flat_map(|what| [*what, 0, 0, BYTES + 16 * what]).collect();
    alone.write(0, WORD, &words);
    let args = (list, kinds.len(), inbox, inbox, inbox, signal, 3, 0);
    assert_eq!(alone.run(kernels::carry_out, Grid::linear(1, 1), args), None);
    let of_processor = |alone: &Alone| {
        let all = events(alone).into_iter();
        all.filter(|(work, _)| (work.block, work.warp) == KernelWork::PROCESSOR).collect::<Vec<_>>()
    };
    assert_eq!(of_processor(&alone), [], "nothing was carried out");
    let done = alone.serve(1);
    let found = of_processor(&alone);
    assert_eq!((done, found.len()), (kinds.len() as u64, kinds.len()));
    let there = alone.address(3, WORD + 48 * 1024);
    for (what, (work, event)) in kinds.into_iter().zip(&found) {
        let operation = match what {
            0 => KernelOperation::Put,
            1 => KernelOperation::Get,
            _ => KernelOperation::PutSignal,
        };
        assert_eq!((work.operation, event.bytes, event.word), (operation as u8, BYTES + 16 * what, there), "{event:?}");
    }
    // One after the other.
    assert!(found.windows(2).all(|pair| pair[0].1.until() <= pair[1].1.from), "{found:?}");
}

/// Catches commands that the GPU agent does not record, or records by several lanes, copies that count as a put though
/// they are a get, and the wrong end.
#[test]
fn the_gpu_agent_records_each_command() {
    use KernelOperation::{Atomic, Get, Put};
    let mut alone = Alone::new(Job::of_four([ALL; 4]));
    alone.give_record(SLOTS, 1 << 16);
    let (here, there) = (alone.address(0, WORD), alone.address(3, WORD + 8 * 1024));
    alone.write(0, WORD, &[7; 512]);
    let (put, get, put_here) = (CommandKind::Put.number(), CommandKind::Get.number(), CommandKind::PutHere.number());
    let (add, swap) = (WordOp::Add as u8, WordOp::CompareSwap as u8);
    // The block copies, a warp copies, the first lane stores, loads and adds, some lanes store and load, and any other
    // operation on a word.
    let commands = [
        (put, 0, false, [there, here, 4 << 10], (Put, 4 << 10, there)),
        (put, 0, true, [here, there, 4 << 10], (Get, 4 << 10, there)),
        (put, 0, true, [here, there, 40], (Get, 40, there)),
        (put, 0, false, [there, here, 1 << 10], (Put, 1 << 10, there)),
        (put_here, 8, false, [there, 1, 0], (Put, 8, there)),
        (put_here, 20, false, [there, 1, 2], (Put, 20, there)),
        (get, 8, false, [there, 0, 0], (Get, 8, there)),
        (get, 48, false, [there, 0, 0], (Get, 48, there)),
        (add, 8, false, [there, 5, 0], (Atomic, 8, there)),
        (add, 4, true, [there, 5, 0], (Atomic, 4, there)),
        (swap, 8, false, [there, 0, 0], (Atomic, 8, there)),
        (put_here, 8, false, [there, 2, 0], (Put, 8, there)),
    ];
    let command = |(kind, width, flag, [address, a, b], _): &(u8, u8, bool, [u64; 3], _)| {
        let head = CommandHead { kind: *kind, width: *width, context: u16::from(*flag), pe: 0 }.bits();
        Command { head, arguments: [*address, *a, *b, 0, 0, 0, 0] }
    };
    let done = alone.carry_out(&commands.iter().map(command).collect::<Vec<_>>());
    assert_eq!((done, alone.read(3, WORD + 8 * 1024), alone.read(0, WORD)), (commands.len() as u64, 2, 7));
    let found = events(&alone);
    for (work, event) in &found {
        assert_eq!(((work.block, work.warp), work.pe), (KernelWork::AGENT, KernelWork::NO_PE), "{event:?}");
    }
    let said: Vec<_> = found.iter().map(|(work, event)| (work.operation, event.bytes, event.word)).collect();
    assert_eq!(said, commands.map(|(.., (operation, bytes, end))| (operation as u8, bytes, end)));
    // One after the other.
    assert!(found.windows(2).all(|pair| pair[0].1.until() <= pair[1].1.from), "{found:?}");
}
