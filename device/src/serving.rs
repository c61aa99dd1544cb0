//! The command processor of a GPU: a block that carries out what [`crate::processor`] leaves it. The library launches
//! it if the user asks for it. [`cushmem_protocol::ring`] has the protocol; the ring is in GPU memory, and this block
//! takes the place of the CPU.
//!
//! *What is ordered with what*: each lane of the first warp acquires a part of a command, and the block meets before it
//! copies, so all lanes read what the lane that posted the command had written or seen. The block meets again behind
//! the copy, and lane 0 fences before it updates a signal, and again, as `fence.sc.sys`, before it stores `done`. A
//! fence or quiet that acquires `done` so comes after the copies of all lanes of the block: what the waiting lane
//! stores as a release afterwards covers them, and of two PEs that put, call quiet and load, at least one sees the
//! other's put, as in [`crate::complete`]. A relaxed store afterwards, such as that of `p`, is no release in PTX's
//! memory model, since the lane's own fence comes before its wait. That it does not overtake the copies rests on what
//! the GPU does, as there: they have been performed at every observer when `done` is stored.

use crate::recorded::Begun;
use crate::{Block, DevPtr, Scope, SharedPtr, SignalOp, Warp, Word, arch, bulk};
use core::mem::offset_of;
use cushmem_abi::{CommandHead, CommandKind, KernelOperation, KernelWork, PROCESSOR_SLOTS, ProcessorRing, SLOT_WORDS};
use cushmem_protocol::ring::{self, Command, Reader, Taking, WORDS};

const PUT: u8 = CommandKind::Put.number();

/// A word of the ring.
#[inline(always)]
fn word(ring: u64, offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(ring + offset as u64)
}

/// Words of shared memory that the processor needs: those of one command.
#[doc(hidden)]
pub const PROCESSOR_WORDS: usize = 4;
/// The first of these words if the processor ends.
const END: u64 = 0;

/// Looks between two readings of the clock, of which there is also one before each command.
const LOOKS: u32 = 64;
/// The most commands that are carried out before `done` is stored, which takes a fence. It is stored earlier if the
/// next command had not arrived when the copy of the last one began: that takes no round trip, which looking again
/// would.
const TOGETHER: u64 = 4;

/// The ring as the first warp of the processor accesses it.
struct Serving(u64);

impl Taking for Serving {
    #[inline(always)]
    fn slots(&self) -> u64 {
        PROCESSOR_SLOTS as u64
    }
    #[inline(always)]
    fn words(&self, slot: u64, lap: u64) -> Option<[u64; WORDS]> {
        let at = self.slot(slot);
        // SAFETY: a slot of the ring, which is aligned to 64 bytes; all lanes of the warp are here.
        // SYNC(processor-ring) acquire.sys: pairs with the fence in `post`.
        unsafe { arch::ld_acquire_sys_v8_u64_by_warp(at.raw().cast(), lap) }
    }
    #[inline(always)]
    fn publish_read(&self, tickets: u64) {
        if Block.lane() == 0 {
            // SAFETY: a word of the ring. SYNC(processor-ring) release.sys: pairs with the acquire in `look_at_read`.
            unsafe { arch::st_release_sys_u64(word(self.0, offset_of!(ProcessorRing, read)).raw(), tickets) };
        }
    }
}

impl Serving {
    /// The words of a slot.
    #[inline(always)]
    fn slot(&self, slot: u64) -> DevPtr<u64> {
        word(self.0, offset_of!(ProcessorRing, slots) + slot as usize * size_of::<[u64; SLOT_WORDS]>())
    }

    /// The first word of the slot of a ticket, to be looked at later: see [`Serving::is_of`].
    #[inline(always)]
    fn glance(&self, ticket: u64) -> u64 {
        // SAFETY: the first word of a slot of the ring.
        unsafe { u64::load_relaxed_sys(self.slot(ticket & (PROCESSOR_SLOTS as u64 - 1))) }
    }

    /// Whether the command of a ticket seems to have arrived, by what [`Serving::glance`] has loaded. All lanes of the
    /// warp return the same. Only when `done` is stored depends on it.
    #[inline(always)]
    fn is_of(&self, ticket: u64, first: u64) -> bool {
        arch::ballot(u32::MAX, (first ^ ring::lap(ticket, PROCESSOR_SLOTS as u64)) & 1 == 0) == u32::MAX
    }

    /// Tells lanes that all commands below this ticket are complete. The block has met after the last one.
    #[inline(always)]
    fn complete(&self, tickets: u64) {
        if Block.lane() == 0 {
            // SYNC(processor-ring) release fence: pairs with the acquire in `complete` of lanes.
            arch::fence_sc_sys();
            // SAFETY: a word of the ring.
            unsafe { u64::store_relaxed_sys(word(self.0, offset_of!(ProcessorRing, done)), tickets) };
        }
    }
}

/// The body of the processor: one block, of whole warps. Ends between two commands once `longest_ns` have passed, or,
/// if that is 0, as soon as there are none. `launch` is the number of the launch.
///
/// # Safety
/// `ring` is the address of a [`ProcessorRing`], of which one kernel at a time takes commands. `shared` are
/// [`PROCESSOR_WORDS`] of this block's shared memory.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn run_processor(ring: u64, launch: u64, longest_ns: u64, shared: SharedPtr<u64>) {
    let (serving, start) = (Serving(ring), arch::globaltimer());
    // SAFETY: a word of the ring, which the launch before has stored.
    let first = unsafe { u64::load_relaxed_sys(word(ring, offset_of!(ProcessorRing, read))) };
    let (mut reader, mut completed) = (Reader::starting_at(first), first);
    loop {
        let (mut behind, mut begun) = (None, Begun::none());
        if Block.lane() < 32 {
            let found = find(&serving, &mut reader, &mut completed, start, longest_ns);
            if Block.lane() == 0 {
                let (head, [there, here, bytes, _, signal, value, _]) =
                    found.map_or((END, [0; 7]), |command| (command.head, command.arguments));
                let CommandHead { kind, width, .. } = CommandHead::of_bits(head);
                // SAFETY: the caller guarantees the memory, and no other lane accesses it now.
                unsafe {
                    shared.write(if found.is_some() { u64::from(kind) } else { END });
                    shared.add(1).write(there);
                    shared.add(2).write(here);
                    shared.add(3).write(bytes);
                }
                behind = (width != 0).then_some((width, signal, value));
                if found.is_some() {
                    begun = Begun::command();
                }
            }
            Warp.sync();
        }
        Block.sync();
        // SAFETY: the caller guarantees the memory; lane 0 has written it before the block met.
        let [kind, there, here, bytes] = core::array::from_fn(|i| unsafe { shared.add(i).read() });
        if kind == END {
            break;
        }
        let (there, here) = (DevPtr::<u8>::from_address(there), DevPtr::from_address(here));
        // The load is under way while the lanes copy.
        let next = if Block.lane() < 32 { serving.glance(reader.next_ticket()) } else { 0 };
        // SAFETY: whoever posted the command guarantees both ends until it is complete.
        unsafe {
            if kind == u64::from(PUT) {
                bulk::copy_from_here(Block, there, here, bytes as usize);
            } else {
                bulk::copy_from_there(Block, here, there, bytes as usize);
            }
        }
        // The lanes have read the shared words too.
        Block.sync();
        if let Some((width, signal, value)) = behind {
            // SYNC(signal) release fence: pairs with the acquire of whoever waits for the signal.
            arch::fence_acq_rel_sys();
            let signal = DevPtr::<u64>::from_address(signal);
            // SAFETY: whoever posted the command guarantees the signal, which is mapped there.
            unsafe {
                if width == SignalOp::Set as u8 + 1 {
                    arch::st_release_sys_u64(signal.raw(), value);
                } else {
                    arch::red_add_release_sys_u64(signal.raw(), value);
                }
            }
        }
        // Before the command is complete, so that whoever has seen that finds it in the record.
        let operation = match behind {
            _ if kind != u64::from(PUT) => KernelOperation::Get,
            Some(_) => KernelOperation::PutSignal,
            None => KernelOperation::Put,
        };
        begun.end_command(KernelWork::PROCESSOR, operation, bytes as usize, there.address());
        if Block.lane() < 32 && !serving.is_of(reader.next_ticket(), next) {
            completed = reader.next_ticket();
            serving.complete(completed);
        }
    }
    if Block.lane() == 0 {
        // SAFETY: the words are in the ring, and in host memory that stays pinned until the kernel has ended.
        unsafe {
            let reports = u64::load_relaxed_sys(word(ring, offset_of!(ProcessorRing, reports)));
            u64::store_relaxed_sys(DevPtr::from_address(reports), launch);
        }
    }
}

/// The next command, or `None` once it is time to end, when all commands that were taken are complete. All lanes of the
/// first warp call it, and return the same.
#[inline(always)]
fn find(serving: &Serving, reader: &mut Reader, completed: &mut u64, start: u64, longest_ns: u64) -> Option<Command> {
    let mut looks = 0u32;
    loop {
        // First here, so that a launch also ends if there is always a command.
        let is_late =
            looks.is_multiple_of(LOOKS) && longest_ns != 0 && arch::globaltimer().wrapping_sub(start) > longest_ns;
        looks = looks.wrapping_add(1);
        let is_late = arch::ballot(u32::MAX, is_late) != 0;
        let taken = if is_late { None } else { reader.take(serving) };
        let (next, is_there) = (reader.next_ticket(), taken.is_some());
        // The one that was just taken is not complete.
        let until = next - u64::from(is_there);
        if *completed != until && (!is_there || until - *completed >= TOGETHER) {
            serving.complete(until);
            *completed = until;
        }
        if let Some((_, command)) = taken {
            return Some(command);
        }
        reader.publish(serving);
        if is_late || longest_ns == 0 {
            return None;
        }
        arch::pause();
    }
}
