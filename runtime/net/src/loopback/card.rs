//! Names of processes and cards of memory, for processes of one user on one machine.

use crate::fabric::Local;
use crate::loopback::files::Files;
use crate::loopback::memory::{Backing, Memory, ProcessMemory};
use std::os::fd::AsRawFd;

/// The words of a card: the process, its descriptor of the file or [`NO_FILE`], the offset in the file or the address,
/// the length, and the offset in the region.
const WORDS: usize = 5;
const NO_FILE: u64 = u64::MAX;

/// The name of this process.
pub(super) fn name() -> Vec<u8> {
    std::process::id().to_le_bytes().to_vec()
}

/// The process with a name.
pub(super) fn process(name: &[u8]) -> Result<u32, String> {
    match *name {
        [a, b, c, d] => Ok(u32::from_le_bytes([a, b, c, d])),
        _ => Err(format!("the name of a process has {} bytes instead of 4", name.len())),
    }
}

/// The card of a piece.
pub(super) fn of(memory: &Local) -> Vec<u8> {
    match &memory.file {
        Some(file) => file.card_at(memory.at),
        None => words([std::process::id().into(), NO_FILE, memory.address as u64, memory.bytes as u64, memory.at]),
    }
}

fn words(words: [u64; WORDS]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Memory {
    /// The card of this range as a whole region. It is valid as long as this process has the descriptor open.
    pub fn card(&self) -> Vec<u8> {
        self.card_at(0)
    }

    /// The card of this range as the piece of a region that starts there.
    fn card_at(&self, at: u64) -> Vec<u8> {
        words([std::process::id().into(), self.file.as_raw_fd() as u64, self.offset, self.bytes, at])
    }
}

impl ProcessMemory {
    /// The card of this range as a whole region.
    pub fn card(&self) -> Vec<u8> {
        words([self.pid as u64, NO_FILE, self.start as u64, self.bytes, 0])
    }
}

/// What a card says.
#[derive(Debug, PartialEq, Eq)]
struct Card {
    pid: u64,
    file: Option<u64>,
    /// The offset in the file, or the address.
    start: u64,
    bytes: u64,
    /// The offset in the region at which the piece starts.
    at: u64,
}

fn parse(card: &[u8]) -> Result<Card, String> {
    let (words, rest) = card.as_chunks::<8>();
    let &[pid, file, start, bytes, at] = words else {
        return Err(format!("has {} bytes instead of {}", card.len(), 8 * WORDS));
    };
    if !rest.is_empty() {
        return Err(format!("has {} bytes instead of {}", card.len(), 8 * WORDS));
    }
    let [pid, file, start, bytes, at] = [pid, file, start, bytes, at].map(u64::from_le_bytes);
    if bytes == 0 || start.checked_add(bytes).is_none() {
        return Err(format!("describes an impossible range: {bytes} bytes at {start}"));
    }
    if i32::try_from(pid).is_err() {
        return Err(format!("names an impossible process: {pid}"));
    }
    Ok(Card { pid, file: Some(file).filter(|file| *file != NO_FILE), start, bytes, at })
}

/// The offset in the region at which a piece starts, and what its card describes. Opens the file if it names one.
pub(super) fn read(card: &[u8], files: &mut Files) -> Result<(u64, Backing), String> {
    let Card { pid, file, start, bytes, at } = parse(card)?;
    let Some(file) = file else {
        return Ok((at, Backing::Process(ProcessMemory { pid: pid as i32, start: start as usize, bytes })));
    };
    let path = format!("/proc/{pid}/fd/{file}");
    let file = files.open(&path).map_err(|cause| match cause.raw_os_error() {
        Some(libc::EMFILE) => format!("names {path}: this process cannot open more files (ulimit -n)"),
        _ => format!("names {path}, which cannot be opened: {cause}"),
    })?;
    Ok((at, Backing::File(Memory { file, offset: start, bytes })))
}

#[cfg(test)]
mod fuzz {
    use super::*;
    use crate::pieces::{Piece, Regions};
    use cushmem_fuzz::{Parser, is_one_line, within};

    /// Catches the name of a process and the card of a piece with which this one could not compute.
    #[test]
    fn loopback_card() {
        let parser = Parser::new("loopback_card", env!("CARGO_PKG_NAME"));
        let parser = parser.sample("file", words([7, 3, 4096, 8192, 0])).sample("name", 7_u32.to_le_bytes());
        parser.sample("process", words([7, NO_FILE, 1 << 40, 512, 8192])).run(|bytes| {
            if let Err(why) = process(bytes) {
                is_one_line(&why, bytes);
            }
            let card = match within(256, || parse(bytes)) {
                Ok(card) => card,
                Err(why) => return is_one_line(&why, bytes),
            };
            let Card { pid, file, start, bytes: length, at } = card;
            assert_eq!(words([pid, file.unwrap_or(NO_FILE), start, length, at]), bytes);
            let mut regions = Regions::<Vec<()>>::default();
            let piece = Piece { peer: 1, number: 0, at, bytes: length, way: () };
            match regions.learn(1, piece) {
                Ok(()) => {
                    assert_eq!(regions.check((1, 1), at, 1), Ok(()));
                    assert!(regions.check((1, 1), at, usize::MAX).is_err() || length == u64::MAX);
                }
                Err(why) => is_one_line(&why, bytes),
            }
        });
    }
}
