//! Checks that all PEs make the same collective call with the same arguments.
//!
//! Each PE *announces* its call in its own control area, meets the others in a barrier that the call needs anyway, and
//! then compares its call with what the next PE announced. This costs two cache lines written and two read, over the
//! network if that PE is on another node. If the calls differ, the job cannot continue, because the heaps would no
//! longer be alike; it ends with a line that says which PE asked for what.
//!
//! ```text
//!  word  0        1 … 4                  5 … 9
//!        | number | name of the routine  | arguments |      twice: for odd and even numbers
//! ```
//!
//! *Writer*: only the owner, before it enters the barrier with that number. *Readers*: PEs that have left that barrier;
//! by then all PEs have written. *Why it is not overwritten too early*: the owner writes the same words again for a
//! barrier that is at least two further on. It gets that far only after the reader has entered the barrier in between,
//! too. *A PE that is not in the call* but in another barrier has not written this number; this is how it is found.
//! *When a PE dies*, the wait in the barrier notices.
//!
//! Collectives of teams have no such barrier; in check mode their members exchange their calls first.

use crate::Team;
use crate::job::Pe;
use crate::sync::Sync;
use crate::sync::child::refuse_children;
use crate::sync::control::Control;
use crate::sync::network::{Far, Region};
use cushmem_bootstrap::PeList;
use std::sync::atomic::{AtomicU64, Ordering};

const NAME_WORDS: usize = 4;
const ARGUMENTS: usize = 5;
const WORDS: usize = 1 + NAME_WORDS + ARGUMENTS;
/// Exit status after a wrong call: that of `abort`.
pub(crate) const WRONG_CALL: i32 = 134;

/// How long other PEs give the reporting PE to print its report.
const SPEAKING: std::time::Duration = std::time::Duration::from_secs(5);

/// What a PE announces.
#[repr(C, align(64))]
pub(crate) struct Announcement([AtomicU64; WORDS]);

/// A collective call.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    /// The routine that the user called; up to 32 bytes of its name are compared.
    pub(crate) routine: &'static str,
    pub(crate) arguments: [Argument; ARGUMENTS],
}

/// An argument that is the same on all PEs.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    None,
    Number(&'static str, u64),
    Signed(&'static str, i32),
    /// A symmetric address.
    Object(&'static str, Object),
}

/// Where a symmetric address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Null,
    /// At this offset of the host heap.
    Host(u64),
    /// At this offset of the GPU heap.
    Gpu(u64),
    /// At this offset of the memory on which the network executes atomic operations.
    Network(u64),
    /// Outside all heaps.
    Outside,
}

/// Marks an offset in the GPU heap; no heap is so large.
const GPU_HEAP: u64 = 1 << 63;
/// Marks an offset in the memory of the network's atomic operations.
const NETWORK: u64 = 1 << 62;
/// Added to every offset, so that none looks like NULL.
const FIRST_OFFSET: u64 = 1;
const OUTSIDE: u64 = u64::MAX;

impl Object {
    fn word(self) -> u64 {
        match self {
            Self::Null => 0,
            Self::Host(offset) => offset + FIRST_OFFSET,
            Self::Gpu(offset) => (offset + FIRST_OFFSET) | GPU_HEAP,
            Self::Network(offset) => (offset + FIRST_OFFSET) | NETWORK,
            Self::Outside => OUTSIDE,
        }
    }

    fn of_word(word: u64) -> Self {
        match word {
            0 => Self::Null,
            OUTSIDE => Self::Outside,
            word if word & GPU_HEAP != 0 => Self::Gpu((word & !GPU_HEAP).saturating_sub(FIRST_OFFSET)),
            word if word & NETWORK != 0 => Self::Network((word & !NETWORK).saturating_sub(FIRST_OFFSET)),
            word => Self::Host(word - FIRST_OFFSET),
        }
    }

    fn show(self) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Outside => "outside the heaps".to_owned(),
            Self::Gpu(offset) => format!("byte {offset} of the GPU heap"),
            Self::Network(offset) => format!("byte {offset} of the memory for the network's atomic operations"),
            Self::Host(offset) => format!("byte {offset} of the heap"),
        }
    }
}

impl Call {
    pub(crate) fn new(routine: &'static str, arguments: &[Argument]) -> Self {
        let arguments = std::array::from_fn(|i| arguments.get(i).copied().unwrap_or(Argument::None));
        Self { routine, arguments }
    }

    fn words(&self, number: u64) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[0] = number;
        for (word, part) in words[1..=NAME_WORDS].iter_mut().zip(self.routine.as_bytes().chunks(8)) {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            *word = u64::from_ne_bytes(bytes);
        }
        for (word, argument) in words[1 + NAME_WORDS..].iter_mut().zip(self.arguments) {
            *word = argument.word();
        }
        words
    }
}

impl Call {
    /// A number that almost always differs if calls differ.
    pub(crate) fn digest(&self) -> u32 {
        let mix = |all: u64, word: u64| (all ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        (self.words(0).into_iter().fold(1, mix) >> 32) as u32
    }
}

impl Argument {
    fn word(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Number(_, value) => value,
            Self::Signed(_, value) => i64::from(value).cast_unsigned(),
            Self::Object(_, object) => object.word(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Number(name, _) | Self::Signed(name, _) | Self::Object(name, _) => name,
        }
    }

    /// A value of this argument, as text.
    fn show(self, word: u64) -> String {
        match self {
            Self::Object(..) => Object::of_word(word).show(),
            Self::Signed(..) => word.cast_signed().to_string(),
            _ => word.to_string(),
        }
    }
}

impl Sync {
    /// Meets all PEs, and ends the job unless they make the same call. The caller has completed its operations.
    pub(crate) fn meet_in(&self, call: &Call) {
        refuse_children(self.me().number(), call.routine);
        // Relaxed: only this PE counts its barriers, and only one of its threads at a time is in a collective call.
        let number = self.barriers.load(Ordering::Relaxed) + 1;
        let own = call.words(number);
        for (word, value) in self.control.announcement(self.me(), number).0.iter().zip(own) {
            // Relaxed: the barrier orders this store, like everything before it.
            word.store(value, Ordering::Relaxed);
        }
        self.meet(call.routine);
        let next = self.me().number() + 1;
        let next = self.job.pe(next).unwrap_or(Pe::member(0));
        if self.announced(next, number) != own {
            self.end_disagreement(call, number);
        }
    }

    fn announced(&self, pe: Pe, number: u64) -> [u64; WORDS] {
        if let Some(network) = self.network.as_ref().filter(|_| !self.control.is_near(pe)) {
            let at = Control::announcement_at(number) as u64;
            let words = network.collective().get_words(Far { pe, region: Region::Control, at });
            return words.unwrap_or_else(|error| self.job.end("compare calls", &error));
        }
        let words = &self.control.announcement(pe, number).0;
        // Relaxed: the barrier orders this load after the owner's store.
        std::array::from_fn(|i| words[i].load(Ordering::Relaxed))
    }

    /// The first PE that sees a difference reports it; the others wait for the end of the job.
    #[cold]
    fn end_disagreement(&self, call: &Call, number: u64) -> ! {
        let (n, my_pe) = (self.job.n_pes(), self.job.my_pe());
        let all: Vec<_> = self.job.pes().map(|pe| self.announced(pe, number)).collect();
        let sees = |pe: u32| all[pe as usize][0] == number && all[pe as usize] != all[((pe + 1) % n) as usize];
        if (0..my_pe).any(sees) {
            std::thread::sleep(SPEAKING);
            self.job.bootstrap().abort(WRONG_CALL, "");
        }
        let (own, theirs) = (all[my_pe as usize], all[((my_pe + 1) % n) as usize]);
        let absent = |words: &[u64; WORDS]| words[0] != number;
        let like = |words: &[u64; WORDS]| if absent(&theirs) { absent(words) } else { *words == theirs };
        let same: Vec<u32> = (0..n).filter(|pe| like(&all[*pe as usize])).collect();
        self.end_wrong_call(call.routine, &difference(call, own, theirs, &same))
    }

    #[cold]
    pub(crate) fn end_wrong_call(&self, routine: &str, text: &str) -> ! {
        eprintln!("cushmem: PE {}: {routine}: {}", self.job.my_pe(), cushmem_environment::printable(text));
        self.job.bootstrap().abort(WRONG_CALL, "")
    }

    /// In check mode: ends the job unless all members of the team make the same call.
    #[inline(always)]
    pub(crate) fn agree(&self, team: &Team, call: impl FnOnce() -> Call) {
        if self.check {
            self.agree_on(team, &call());
        }
    }

    /// All members hear from all, so all see a difference, and the first member reports it.
    #[cold]
    fn agree_on(&self, team: &Team, call: &Call) {
        let (own, mut others) = (call.words(0), vec![]);
        self.gather(call.routine, team, own, |member, theirs| others.push((member, theirs)));
        let Some(&(_, first)) = others.iter().find(|(_, theirs)| *theirs != own) else { return };
        if team.my_pe() != 0 {
            std::thread::sleep(SPEAKING);
            self.job.bootstrap().abort(WRONG_CALL, "");
        }
        let same =
            others.iter().filter(|(_, theirs)| *theirs == first).filter_map(|(member, _)| team.pes().pe(*member));
        self.end_wrong_call(call.routine, &difference(call, own, first, &same.collect::<Vec<u32>>()))
    }
}

/// Describes how `theirs`, announced by the PEs `pes`, differs from `own`.
fn difference(call: &Call, own: [u64; WORDS], theirs: [u64; WORDS], pes: &[u32]) -> String {
    let who = PeList(pes);
    if theirs[0] != own[0] {
        let is = if pes.len() == 1 { "is" } else { "are" };
        return format!("all PEs must call it, but {who} {is} in a barrier");
    }
    if theirs[1..=NAME_WORDS] != own[1..=NAME_WORDS] {
        let name: Vec<u8> = theirs[1..=NAME_WORDS].iter().flat_map(|w| w.to_ne_bytes()).filter(|b| *b != 0).collect();
        return format!("all PEs must call it, but {who} called {}", String::from_utf8_lossy(&name));
    }
    let first = 1 + NAME_WORDS;
    let values = call.arguments.iter().zip(own[first..].iter().zip(&theirs[first..]));
    let Some((argument, (mine, other))) = values.into_iter().find(|(_, (mine, other))| mine != other) else {
        return format!("{who} called it with different arguments");
    };
    let (mine, other) = (argument.show(*mine), argument.show(*other));
    format!("argument {}: {mine} on this PE, but {other} on {who}", argument.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let malloc = |size| Call::new("shmem_malloc", &[Argument::Number("size", size)]);
        let free = |at| Call::new("shmem_free", &[Argument::Object("ptr", at)]);
        let say = |a: Call, b: Call, pes: &[u32]| difference(&a, a.words(7), b.words(7), pes);
        assert_eq!(say(malloc(64), malloc(128), &[1]), "argument size: 64 on this PE, but 128 on PE 1");
        assert_eq!(
            say(malloc(64), free(Object::Null), &[1, 2]),
            "all PEs must call it, but PEs 1, 2 called shmem_free"
        );
        let (host, gpu) = (Object::Host(512), Object::Gpu(512));
        assert_eq!(
            say(free(host), free(gpu), &[3]),
            "argument ptr: byte 512 of the heap on this PE, but byte 512 of the GPU heap on PE 3"
        );
        assert_eq!(
            say(free(Object::Null), free(host), &[0]),
            "argument ptr: NULL on this PE, but byte 512 of the heap on PE 0"
        );
        let late = difference(&malloc(64), malloc(64).words(7), malloc(64).words(5), &[1]);
        assert_eq!(late, "all PEs must call it, but PE 1 is in a barrier");
    }

    /// Catches names that are truncated so much that they become equal.
    #[test]
    fn names_are_told_apart() {
        let words = |name| Call::new(name, &[]).words(1);
        assert_ne!(words("shmem_malloc_with_hints"), words("shmem_malloc"));
        assert_ne!(words("shmem_malloc"), words("shmem_calloc"));
    }
}
