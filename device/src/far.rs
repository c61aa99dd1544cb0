//! What a kernel asks the CPU for where its own loads and stores do not reach a PE: in jobs of several nodes, and beside a GPU without peer access.
//!
//! Kernels are compiled twice ([`arch::far`]): those of jobs in which all PEs are mapped have nothing of this, and no test for it. All that is posted here is
//! out of line, with numbers for parameters, as a call would put a structure into local memory, and generic, as a call of another crate's function must be.

use crate::command::{self, Ring, Wait, given, silent, track};
use crate::fail::fail;
use crate::peer::{find, refuse, segment_of};
use crate::wait::REPORT_AFTER_NS;
use crate::{Cmp, Ctx, DevPtr, Need, Scope, SignalOp, Word, arch, my_pe, n_pes, report, sync};
use core::cell::Cell;
use cushmem_abi::{CommandHead, CommandKind, DeviceTeam, ErrorCode, Segment};
use cushmem_protocol::ring::{self, Command};

/// Whether the CPU must be asked for loads and stores of `object` on PE `pe`; never where all PEs are mapped.
#[inline(always)]
pub(crate) fn is_needed<T>(object: DevPtr<T>, pe: u32) -> bool {
    arch::far() && find(object, pe, Need::LoadStore).is_none()
}

/// Has the CPU load a word of PE `pe`.
#[inline(always)]
pub(crate) fn fetch<T: Word>(ctx: &Ctx, src: DevPtr<T>, pe: u32) -> T {
    let nothing = T::of_command(0);
    command::ask(ctx.head::<T>(CommandKind::Fetch), pe, src, nothing, nothing)
}

/// Has the CPU put what the lanes of a scope see in `src`. Lane 0 gets what [`await_copy`] needs, if `replies`.
#[inline(always)]
pub(crate) fn put<S: Scope, T: Copy>(
    ctx: &Ctx,
    scope: S,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
    pe: u32,
    replies: bool,
) -> u64 {
    // What other lanes stored into the source comes before the command.
    scope.sync();
    if scope.lane() != 0 {
        return 0;
    }
    copy(ctx.head::<()>(CommandKind::Put), pe, dst.address(), src.address(), (n * size_of::<T>()) as u64, replies)
}

/// Has the CPU get; as [`put`].
#[inline(always)]
pub(crate) fn get<S: Scope, T: Copy>(
    ctx: &Ctx,
    scope: S,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
    pe: u32,
    replies: bool,
) -> u64 {
    // What other lanes did with the target comes before the command.
    scope.sync();
    if scope.lane() != 0 {
        return 0;
    }
    copy(ctx.head::<()>(CommandKind::Get), pe, src.address(), dst.address(), (n * size_of::<T>()) as u64, replies)
}

/// Waits until the local end of a copy may be used, if the copy has a reply: the source of a put may change, a get has its data.
#[inline(always)]
pub(crate) fn await_copy(reply: u64) {
    if reply != 0 {
        answered(reply);
    }
}

/// Updates a signal behind data that the CPU puts to the same PE: by the CPU too, wherever the word is, as an instruction would overtake the data.
///
/// # Safety
/// `sig` is a symmetric, aligned word.
#[inline(always)]
pub(crate) unsafe fn update_behind(ctx: &Ctx, sig: DevPtr<u64>, value: u64, op: SignalOp, pe: u32) {
    match op {
        SignalOp::Set => command::post(ctx.head::<u64>(CommandKind::SetBehind), pe, sig, value),
        SignalOp::Add => match find(sig, pe, Need::Atomic) {
            Some(there) => {
                ctx.fence();
                // SAFETY: the caller vouches for the word, which is at that address on `pe`.
                // SYNC(signal) release.sys: pairs with the acquire loads of `signal_fetch` and `wait_until`; the data arrived before.
                unsafe { arch::red_add_release_sys_u64(there.raw(), value) }
            }
            None => command::post(ctx.head::<u64>(CommandKind::AddBehind), pe, sig, value),
        },
    }
}

/// Returns when all PEs of a team have called it. By one lane.
#[inline(always)]
pub(crate) fn meet(team: DeviceTeam) {
    let pes = u64::from(team.start) | u64::from(team.stride.cast_unsigned()) << 32;
    let numbers = u64::from(team.n_pes) | u64::from(team.my_pe) << 32;
    ask_to_meet(pes, numbers, u64::from(team.slot));
}

/// How a lane waits in these jobs, where an answer may take long: so that the host can read it.
struct Reported {
    looks: Cell<u32>,
    since: Cell<u64>,
    /// Whether the record is this lane's.
    is_there: Cell<bool>,
    /// Of which team it waits for all PEs, if it does.
    team: Option<u64>,
}

impl Reported {
    #[inline(always)]
    const fn new(team: Option<u64>) -> Self {
        Self { looks: Cell::new(0), since: Cell::new(0), is_there: Cell::new(false), team }
    }
}

impl Wait for Reported {
    #[inline(always)]
    fn pause(&self, word: DevPtr<u64>) {
        arch::pause();
        let looks = self.looks.get();
        self.looks.set(looks.wrapping_add(1));
        // The clock is slow to read.
        if looks.is_multiple_of(64) {
            let now = arch::globaltimer();
            if looks == 0 {
                self.since.set(now);
            }
            let (elapsed, limit) = (now.wrapping_sub(self.since.get()), arch::context_wait_limit_ns());
            if limit != 0 && elapsed > limit {
                match self.team {
                    Some(slot) => fail(ErrorCode::MeetingTimeout, my_pe(), slot, limit),
                    None => silent(limit),
                }
            }
            if elapsed > REPORT_AFTER_NS && !self.is_there.get() {
                // Of a barrier, its team's place, which no lane waits for.
                let word = self.team.map_or(word, sync::team_at);
                self.is_there.set(report::write(false, word, Cmp::Ne, 0, 0));
            }
        }
    }
}

impl Drop for Reported {
    #[inline(always)]
    fn drop(&mut self) {
        if self.is_there.get() {
            report::withdraw();
        }
    }
}

/// Posts a command of which a reply is wanted or not; returns its ticket, and that of the reply plus 1, else 0.
#[inline(always)]
fn send<W: Wait>(ring: &Ring<W>, head: u64, [a, b, c]: [u64; 3], replies: bool) -> (u64, u64) {
    let reply = if replies { given(ring::claim_reply(ring)) + 1 } else { 0 };
    let ticket = given(ring::post(ring, &Command { head, arguments: [a, b, c, reply, 0, 0, 0] }));
    (ticket, reply)
}

/// Ends the kernel if the CPU cannot do that to a word: as the agent of host memory it changes words there, and it loads and stores what is not mapped.
#[inline(always)]
fn check<T>(head: u64, pe: u32, word: DevPtr<T>) {
    let is_atomic = CommandHead::of_bits(head).kind < CommandKind::Fetch as u8;
    if pe >= n_pes() || arch::context_ring() == 0 || is_atomic && segment_of(word.address()) != Segment::Host {
        refuse(word.address(), pe, if is_atomic { Need::Atomic } else { Need::LoadStore });
    }
}

/// As [`command::post`]; nobody waits.
#[inline(always)]
pub(crate) fn post<T: Word>(head: u64, pe: u32, word: DevPtr<T>, value: T) {
    check(head, pe, word);
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    if kind == CommandKind::AddBehind as u8 || kind == CommandKind::SetBehind as u8 {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
    }
    let arguments = [word.address(), value.to_command(), 0];
    let (ticket, _) = send(&Ring(Reported::new(None)), head | u64::from(pe), arguments, false);
    track(context.into(), ticket);
}

/// As [`command::ask`].
#[inline(always)]
pub(crate) fn ask<T: Word>(head: u64, pe: u32, word: DevPtr<T>, operand: T, condition: T) -> T {
    check(head, pe, word);
    let arguments = [word.address(), operand.to_command(), condition.to_command()];
    let ring = Ring(Reported::new(None));
    let (_, reply) = send(&ring, head | u64::from(pe), arguments, true);
    T::of_command(given(ring::await_reply(&ring, reply - 1)))
}

/// Posts a put or a get of `bytes` bytes between `there`, of PE `pe`, and `here`; returns the ticket of its reply plus 1, or 0 if nobody need wait. `head` as for
/// [`post`].
#[cold]
#[inline(never)]
fn copy<T: Word + Into<u64>>(head: u64, pe: u32, there: u64, here: u64, bytes: T, replies: bool) -> u64 {
    let bytes = bytes.into();
    if pe >= n_pes() || arch::context_ring() == 0 {
        refuse(there, pe, Need::LoadStore);
    }
    if bytes == 0 {
        return 0;
    }
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    let ring = Ring(Reported::new(None));
    let is_word = bytes <= 8 && bytes.is_power_of_two() && there.is_multiple_of(bytes);
    let (ticket, reply) = if kind == CommandKind::Put as u8 && is_word {
        // It travels with the command, so that the source may change at once.
        let head = CommandHead { kind: CommandKind::Set as u8, width: bytes as u8, context, pe };
        send(&ring, head.bits(), [there, word_at(here, bytes), 0], false)
    } else {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
        send(&ring, head | u64::from(pe), [there, here, bytes], replies)
    };
    track(context.into(), ticket);
    reply
}

/// A word of any alignment.
#[inline(always)]
fn word_at(address: u64, bytes: u64) -> u64 {
    let (mut word, mut i) = (0, 0);
    while i < bytes {
        // SAFETY: whoever called vouches for the source of the put.
        word |= u64::from(unsafe { arch::ld_weak_u8(DevPtr::from_address(address + i).raw()) }) << (8 * i);
        i += 1;
    }
    word
}

#[cold]
#[inline(never)]
fn answered<T: Word + Into<u64>>(reply: T) {
    given(ring::await_reply(&Ring(Reported::new(None)), reply.into() - 1));
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; what a get brought comes before it.
    arch::fence_acq_rel_sys();
}

#[cold]
#[inline(never)]
fn ask_to_meet<T: Word + Into<u64>>(pes: T, numbers: u64, slot: u64) {
    let pes = pes.into();
    if arch::context_ring() == 0 {
        silent(0);
    }
    let ring = Ring(Reported::new(Some(slot)));
    let head = CommandHead { kind: CommandKind::Sync as u8, width: 0, context: 0, pe: 0 }.bits();
    let (_, reply) = send(&ring, head, [pes, numbers, slot], true);
    given(ring::await_reply(&ring, reply - 1));
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; what the other PEs did comes before it.
    arch::fence_acq_rel_sys();
}
