//! The requests that one PE makes to another, and the words through which they are passed.

use crate::sync::sealed::{sealed, unsealed};
use crate::sync::shared_word::SharedWord;
use cushmem_abi::{CommandKind, WordOp};
use std::sync::atomic::Ordering;

/// Words of a request.
pub(super) const REQUEST_WORDS: usize = 6;

/// A request, made by the initiator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) kind: Kind,
    /// The first of the pair's slots that it uses.
    pub(super) slot: u8,
    /// Which memory: the number of a [`Space`].
    pub(super) space: u8,
    /// For registered memory, the number of the range.
    pub(super) range: u32,
    /// The offset in the PE's segment or range.
    pub(super) at: u64,
    /// The number of bytes; for a word 1, 2, 4 or 8.
    pub(super) bytes: u32,
    /// The operand for a word; for a copy of several rows, the bytes from the start of one to that of the next.
    pub(super) value: u64,
    /// The value with which a compare-and-swap compares; for a copy of several rows, the bytes of a row.
    pub(super) condition: u64,
}

/// What to do. It has the number of the same command of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Copy the chunk to GPU memory.
    Put,
    /// Copy GPU memory to the chunk.
    Get,
    /// Change a word, behind the puts before. The old value of a word of GPU memory goes into the chunk, unless the
    /// word is set. A word is fetched by [`Kind::Get`].
    Word(WordOp),
}

impl Kind {
    fn number(self) -> u8 {
        match self {
            Self::Put => CommandKind::Put.number(),
            Self::Get => CommandKind::Get.number(),
            Self::Word(op) => op as u8,
        }
    }

    fn of_number(number: u8) -> Option<Self> {
        match CommandKind::of_number(number)? {
            CommandKind::Put => Some(Self::Put),
            CommandKind::Get => Some(Self::Get),
            CommandKind::Word(WordOp::Fetch) => None,
            CommandKind::Word(op) => Some(Self::Word(op)),
            _ => None,
        }
    }
}

/// The memory that a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Gpu = 0,
    Host = 1,
    Globals = 2,
    /// GPU memory that was registered.
    Registered = 3,
}

pub(super) const SPACES: [Space; 4] = [Space::Gpu, Space::Host, Space::Globals, Space::Registered];

impl Request {
    /// The width of a row, the bytes from the start of one to that of the next, and the number of rows. A word is one
    /// row, and so is a copy without gaps. None if rows overlap or do not make up the bytes.
    pub(super) fn rows(&self) -> Option<(u64, u64, u64)> {
        let (bytes, step, width) = (u64::from(self.bytes), self.value, self.condition);
        if matches!(self.kind, Kind::Word(_)) || (step, width) == (0, 0) {
            return Some((bytes, bytes, 1));
        }
        let is_valid = width > 0 && bytes > 0 && bytes.is_multiple_of(width) && width <= step;
        is_valid.then(|| (width, step, bytes / width))
    }

    /// The request's words, sealed with its number. So a reader can see from the line alone when it is complete, in
    /// whatever pieces and order it arrives. Before this number the line held that of the request `SLOTS` earlier, or
    /// zeros before the first one.
    pub(super) fn encode(&self, number: u64) -> [u64; REQUEST_WORDS] {
        let [slot, space, bytes] = [self.slot.into(), self.space.into(), u64::from(self.bytes)];
        let head = u64::from(self.kind.number()) | slot << 8 | space << 16 | bytes << 32;
        sealed(number, [head, self.range.into(), self.at, self.value, self.condition, 0])
    }

    /// The request with this number, if all of it has arrived; an error names an invalid field.
    pub(super) fn read<W: SharedWord>(line: [&W; REQUEST_WORDS], number: u64) -> Option<Result<Self, String>> {
        // SYNC(stage) acquire: pairs with the initiator's release, or the network's.
        let [head, range, at, value, condition, _] = unsealed(number, line)?;
        let Some(kind) = Kind::of_number(head as u8) else { return Some(Err(format!("kind {}", head as u8))) };
        let (slot, space, bytes) = ((head >> 8) as u8, (head >> 16) as u8, (head >> 32) as u32);
        Some(Ok(Self { kind, slot, space, range: range as u32, at, bytes, value, condition }))
    }
}

/// Whether the line of the next request is free, that is, its previous request is acknowledged: everything older than
/// `oldest` is.
pub(super) fn has_room(asked: u64, oldest: Option<u64>, lines: usize) -> bool {
    oldest.is_none_or(|oldest| asked + 1 < oldest + lines as u64)
}

/// Makes a request. Its chunk has been written.
pub(super) fn store<W: SharedWord>(line: [&W; REQUEST_WORDS], words: [u64; REQUEST_WORDS]) {
    for (to, word) in line.into_iter().zip(words) {
        // SYNC(stage) release: pairs with the owner's acquire; orders the chunk before.
        to.store(word, Ordering::Release);
    }
}

/// Reports that a request has been carried out.
pub(super) fn acknowledge(ack: &impl SharedWord, number: u64) {
    // SYNC(stage) release: pairs with the initiator's acquire; orders the chunk of a get, and the end of all reads of
    // the chunk of a put.
    ack.store(number, Ordering::Release);
}

/// Whether the other PE has carried out a request.
pub(super) fn is_acknowledged(ack: &impl SharedWord, number: u64) -> bool {
    // SYNC(stage) acquire: pairs with the owner's release, or the network's; orders the chunk of a get.
    ack.load(Ordering::Acquire) == number
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    fn read(words: [u64; REQUEST_WORDS], number: u64) -> Option<Result<Request, String>> {
        let line = words.map(AtomicU64::new);
        Request::read(line.each_ref(), number)
    }

    /// Catches rows of a stranger's request that reach outside the chunk or each other, and a division by zero.
    #[test]
    fn rows_are_checked() {
        let rows = |kind, bytes, step, width| {
            let request = Request { kind, slot: 0, space: 0, range: 0, at: 0, bytes, value: step, condition: width };
            request.rows()
        };
        assert_eq!(rows(Kind::Put, 24, 0, 0), Some((24, 24, 1)), "no gaps");
        assert_eq!(rows(Kind::Get, 24, 9, 8), Some((8, 9, 3)));
        assert_eq!(rows(Kind::Word(WordOp::Add), 8, 1, 2), Some((8, 8, 1)), "operands of a word");
        for (bytes, step, width) in [(24, 8, 0), (24, 7, 8), (24, 9, 7), (24, 64, 48), (0, 8, 8)] {
            assert_eq!(rows(Kind::Put, bytes, step, width), None, "{bytes} bytes, step {step}, width {width}");
        }
    }

    /// Catches overlapping fields, and a line that is accepted with a word of an older request.
    #[test]
    fn a_request_is_believed_when_it_is_whole() {
        for (number, kind) in (1..).map(|n| n * 4099).zip((0..=u8::MAX).filter_map(Kind::of_number)) {
            let (at, bytes, range) = (u64::MAX - 9, u32::MAX, u32::MAX - 3);
            let (value, condition) = (0xfeed_beef_0123_4567, 0xabcd_0000_9876_1234);
            let request = Request { kind, slot: u8::MAX, space: 2, range, at, bytes, value, condition };
            let words = request.encode(number);
            assert_eq!(read(words, number), Some(Ok(request)));
            assert_eq!(read(words, number + 1), None);
            let older = Request { at: 0, bytes: 1, range: 1, value: 0, condition: 0, ..request }.encode(number - 16);
            for word in 0..REQUEST_WORDS {
                let mut torn = words;
                torn[word] = older[word];
                assert!(torn == words || read(torn, number).is_none(), "word {word}");
            }
        }
        for unknown in [CommandKind::Fire.number(), WordOp::Fetch as u8, u8::MAX] {
            let words = sealed(1, [unknown.into(), 0u64, 0, 0, 0, 0]);
            assert_eq!(read(words, 1), Some(Err(format!("kind {unknown}"))));
        }
    }
}
