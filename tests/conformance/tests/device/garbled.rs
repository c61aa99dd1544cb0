//! A slot of the command ring that was not written by the library: the job ends with a line that names the PE, the
//! kernel, the slot and the field.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Grid, Shmem};
use cushmem_abi::{
    CollectiveCommand, CollectiveKind, CommandHead, CommandKind, HostRing, RING_SLOTS, SLOT_WORDS, WordOp,
};
use cushmem_conformance::{Backend, run_to_failure};
use cushmem_conformance_kernels as kernels;
use cushmem_protocol::ring::{Command, lap};
use std::mem::offset_of;
use std::time::{Duration, Instant};

/// How many commands come before it.
const BEFORE: u64 = 5;
/// What the other PE prints if its word changes afterwards.
const EXECUTED: &str = "garbled: the word has changed";

/// A valid command for the host memory of PE 1.
fn sensible(word: u64) -> Command {
    let head = CommandHead { kind: WordOp::Add as u8, width: 8, context: 0, pe: 1 };
    Command { head: head.bits(), arguments: [word, 100, 0, 0, 0, 0, 0] }
}

/// The valid command with a modified head.
fn headed(word: u64, change: impl Fn(&mut CommandHead)) -> Command {
    let command = sensible(word);
    let mut head = CommandHead::of_bits(command.head);
    change(&mut head);
    Command { head: head.bits(), ..command }
}

/// A put or get of the word whose local end belongs to nobody.
fn copying(word: u64, kind: CommandKind) -> Command {
    let command = headed(word, |head| head.kind = kind.number());
    Command { arguments: [word, 0x1000, 8, 0, 0, 0, 0], ..command }
}

/// A strided put of the word, with elements of 8 bytes.
fn strided(word: u64, [private, count, reply, dst, src]: [u64; 5]) -> Command {
    let command = headed(word, |head| (head.kind, head.width) = (CommandKind::Iput.number(), 0));
    Command { arguments: [word, private, count, reply, dst, src, 8], ..command }
}

/// A command for an operation that it names.
fn named(kind: CommandKind, [index, generation, epoch, reply]: [u64; 4]) -> Command {
    let head = CommandHead { kind: kind.number(), width: 0, context: 0, pe: 0 }.bits();
    Command { head, arguments: [index, generation, epoch, reply, 0, 0, 0] }
}

/// A collective of all PEs on the word.
fn collective(word: u64, elements: u64, what: CollectiveCommand) -> Command {
    let head = CommandHead { kind: CommandKind::Collective.number(), width: 0, context: 0, pe: 0 }.bits();
    let [what, team, strides] = what.to_words();
    Command { head, arguments: [word, word, elements, 1, what, team, strides] }
}

/// An exchange of words without strides.
const ALLTOALLS: CollectiveCommand =
    CollectiveCommand { kind: CollectiveKind::Alltoalls, code: 0, width: 8, slot: 0, root: 0, strides: [0; 2] };

/// A kernel of PE 0 stores the words of a garbled command and of a valid one into the next slots.
fn store(shmem: &Shmem, garbled: impl Fn(u64) -> Command) {
    let rig = Rig::new(shmem);
    let word = shmem.malloc::<u64>(1).expect("malloc");
    word.copy_from(&[0]).expect("write");
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.run(kernels::add_signals, Grid::linear(1, 1), (word.device_ptr(), BEFORE, 1));
    }
    rig.barrier();
    assert_eq!(shmem.g(word.at(0), 1).expect("g"), BEFORE);
    rig.barrier();
    let address = word.device_ptr().address();
    let commands = [garbled(address), sensible(address)];
    let words = commands.map(|command| command.encode(lap(BEFORE, RING_SLOTS as u64))).concat();
    if shmem.my_pe() == 0 {
        let at = offset_of!(HostRing, slots) as u64 + BEFORE * size_of::<[u64; SLOT_WORDS]>() as u64;
        let words = rig.private(&words);
        rig.run(kernels::store_into_ring, Grid::linear(1, 1), (words.device_ptr(), 2 * SLOT_WORDS, at, LIMIT_NS));
    }
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        let found = word.to_vec().expect("read")[0];
        if shmem.my_pe() == 1 && found != BEFORE {
            println!("{EXECUTED} to {found}");
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

macro_rules! garbled { ($($name:ident: $command:expr, $says:expr;)*) => {
    garbled! { @ soft $($name: $command, $says;)* }
    garbled! { @ cuda $($name: $command, $says;)* }
}; (@ $backend:ident $($name:ident: $command:expr, $says:expr;)*) => {
    mod $backend {
        use super::*;
        $(
            #[test]
            fn $name() {
                let name = concat!(module_path!(), "::", stringify!($name));
                let says = ["PE 0 ended the job with status 1: kernel store_into_ring: command 5 (slot 5, ", $says];
                let backend = Backend::named(stringify!($backend));
                run_to_failure(name, backend, &[], &says, &[EXECUTED], |shmem| store(&shmem, $command));
            }
        )*
    }
} }

garbled! {
    kind: |word| headed(word, |head| head.kind = 99), "unknown, width 8, context 0) for 0x";
    pe: |word| headed(word, |head| head.pe = 4000), "on PE 4000: PE 4000 is out of range (0 to 1)";
    context: |word| headed(word, |head| head.context = 1024), "context 1024 is out of range (0 to 1023)";
    width: |word| headed(word, |head| head.width = 3), "a word of 3 bytes instead of 4 or 8";
    alignment: |word| sensible(word + 1), " is not aligned to 8 bytes";
    address: |_| sensible(0x10), "(slot 5, Add, width 8, context 0) for 0x10 on PE 1: ";
    length: |word| {
        let command = headed(word, |head| head.kind = CommandKind::Put.number());
        Command { arguments: [word, word, 1 << 60, 0, 0, 0, 0], ..command }
    }, "(slot 5, Put, width 8, context 0) for 0x";
    source: |word| copying(word, CommandKind::Put), " on PE 1: there are no 8 bytes to read at 0x1000";
    target: |word| copying(word, CommandKind::Get), " on PE 1: there are no 8 bytes to write at 0x1000";
    strided_source: |word| strided(word, [0x1000, 2, 1, 1, 2]), " on PE 1: there are no 24 bytes to read at 0x1000";
    strided_target: |word| strided(word, [word, 1 << 50, 1, 1, 1]), "(slot 5, Iput, width 0, context 0) for 0x";
    stride: |word| strided(word, [word, 1, 1, 0, 1]), " on PE 1: 1 elements of 8 bytes at 0x";
    team: |word| {
        let command = headed(word, |head| head.kind = CommandKind::Sync.number());
        Command { arguments: [7 | 1 << 32, 9, 3, 1, 0, 0, 0], ..command }
    }, "(slot 5, Sync, ";
    operation: |_| named(CommandKind::Prepared, [99, 0, 0, 0]), "(slot 5, Prepared, width 0, context 0): there is no prepared operation 99 of generation 0";
    trigger: |_| named(CommandKind::Fire, [4095, 7, 1, 0]), "(slot 5, Fire, width 0, context 0): there is no trigger 4095 of generation 7";
    width_of_a_name: |_| {
        let command = named(CommandKind::Prepared, [0; 4]);
        Command { head: command.head | CommandHead { kind: 0, width: 8, context: 0, pe: 3 }.bits(), ..command }
    }, "(slot 5, Prepared, width 8, context 0): width 8, PE 3 and context 0 are not 0, 0 and below 1024";
    epoch: |_| named(CommandKind::Prepared, [0, 0, 7, 0]), "(slot 5, Prepared, width 0, context 0): epoch 7";
    element: |word| collective(word, 1, CollectiveCommand { width: 0, ..ALLTOALLS }), "alltoalls: an element has 0 bytes";
    dst: |word| collective(word, 1, ALLTOALLS), "alltoalls: dst 0 is not between 1 and 4294967295";
    sst: |word| collective(word, 1, CollectiveCommand { strides: [1, 0], ..ALLTOALLS }), "alltoalls: sst 0 is not between 1 and 4294967295";
    root: |word| {
        collective(word, 1, CollectiveCommand { kind: CollectiveKind::Broadcast, root: 2, ..ALLTOALLS })
    }, "broadcast: PE_root 2 is out of range (0 to 1)";
    reach: |word| {
        let strides = [u32::MAX; 2];
        collective(word, u64::MAX, CollectiveCommand { strides, ..ALLTOALLS })
    }, "alltoalls: source 0x";
    status: |_| named(CommandKind::GlobalExit, [1 << 32, 0, 0, 1]), "(slot 5, GlobalExit, width 0, context 0): status 4294967296 of 32 bits, with 0, ";
    any_bits: |_| Command { head: 0x00ff_ffff_ffff_ffff, arguments: [u64::MAX; 7] }, "kind 255 is unknown";
}
