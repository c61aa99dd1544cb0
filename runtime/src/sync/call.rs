//! A collective call as a value: its routine and its arguments, the words in which a PE announces it, and how two calls
//! differ. `agreement` compares the calls of all PEs.

use cushmem_bootstrap::PeList;
use std::sync::atomic::AtomicU64;

const NAME_WORDS: usize = 4;
const ARGUMENTS: usize = 5;
pub(super) const WORDS: usize = 1 + NAME_WORDS + ARGUMENTS;

/// What a PE announces.
#[repr(C, align(64))]
pub(crate) struct Announcement(pub(super) [AtomicU64; WORDS]);

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

    pub(super) fn words(&self, number: u64) -> [u64; WORDS] {
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

/// Describes how `theirs`, announced by the PEs `pes`, differs from `own`.
pub(super) fn difference(call: &Call, own: [u64; WORDS], theirs: [u64; WORDS], pes: &[u32]) -> String {
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
