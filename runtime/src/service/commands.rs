//! Decodes the words of a slot, with which a kernel asks for something, and checks that the fields are valid.

use super::device_sync;
use crate::transfer::strided::Blocks;
use cushmem_abi::{
    CHUNK_BYTES, CollectiveCommand, CommandHead, CommandKind, DevicePrepared, RING_CONTEXTS, SLOT_BYTES, WordOp,
};
use cushmem_device::DeviceTeam;
use cushmem_protocol::ring::Command;

/// What a slot asks for. The fields were checked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decoded {
    /// A barrier of all PEs of a team, with the ticket of the reply.
    Barrier(DeviceTeam, u64),
    /// A collective, with the ticket of the reply.
    Collective(KernelCollective, u64),
    Prepared(PreparedCommand),
    Memory(Checked),
    Strided(StridedCommand),
    File(FileCommand),
    /// The end of the job, with this status.
    Exit(i32),
}

/// A collective that a kernel asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelCollective {
    pub(crate) dest: usize,
    pub(crate) source: usize,
    pub(crate) elements: usize,
    pub(crate) what: CollectiveCommand,
}

/// A part of a file to read to a chunk, or to write from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileCommand {
    pub(super) writes: bool,
    /// The file's number and generation.
    pub(super) file: [u32; 2],
    /// The ticket of the chunk.
    pub(super) ticket: u64,
    pub(super) bytes: usize,
    pub(super) offset: u64,
    pub(super) context: usize,
    /// The ticket of the reply.
    pub(super) reply: u64,
}

/// A strided copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct StridedCommand {
    pub(super) to_peer: bool,
    pub(super) blocks: Blocks,
    pub(super) pe: u32,
    pub(super) context: usize,
    /// Addresses of the first element, both on this PE: of the symmetric end and of the other one.
    pub(super) symmetric: usize,
    pub(super) private: usize,
    /// As in [`Checked`].
    pub(super) reply: Option<u64>,
}

/// An operation that is started by handle.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedCommand {
    pub(super) name: DevicePrepared,
    pub(super) context: usize,
    /// The epoch of a trigger.
    pub(super) epoch: Option<u64>,
    /// As in [`Checked`].
    pub(super) reply: Option<u64>,
}

/// A command on memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    pub(super) what: MemoryOp,
    pub(super) pe: u32,
    pub(super) context: usize,
    /// Address of the symmetric end, on this PE.
    pub(super) address: usize,
    /// The ticket of the reply, if somebody waits for one.
    pub(super) reply: Option<u64>,
}

/// What a command on memory asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemoryOp {
    /// Change or load a word of `width` bytes, perhaps behind the puts before.
    Word { op: WordOp, width: usize, operand: u64, condition: u64, behind: bool },
    /// Copy this many bytes from this address of the PE that asks.
    Put { from: usize, bytes: usize },
    /// Copy this many bytes to this address of the PE that asks.
    Get { to: usize, bytes: usize },
    /// Copy the first `bytes` bytes of these words.
    PutHere { words: [u64; SLOT_BYTES / 8], bytes: usize },
    /// Copy this many bytes from the chunk with this ticket.
    PutChunk { ticket: u64, bytes: usize },
    /// Copy this many bytes to the chunk with this ticket.
    GetChunk { ticket: u64, bytes: usize },
    /// Free the chunk with this ticket.
    FreeChunk { ticket: u64 },
}

/// What a command on a word asks for.
pub(super) struct Word {
    pub(super) op: WordOp,
    pub(super) width: usize,
    pub(super) operand: u64,
    pub(super) condition: u64,
    pub(super) behind: bool,
}

/// Whether an operation allows words of this many bytes.
#[inline]
pub(super) const fn fits(op: WordOp, width: usize) -> bool {
    matches!(width, 4 | 8) || matches!(op, WordOp::Fetch | WordOp::Set) && matches!(width, 1 | 2)
}

/// The word that a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) op: WordOp,
    pub(super) width: usize,
    pub(super) address: usize,
    pub(super) behind: bool,
}

/// A fast form of [`decide`] for the most common commands, which does not check the PE. Returns the command's word, or
/// `None` for everything else and for what is invalid.
#[inline]
pub(super) fn word_of(CommandHead { kind, width, context, .. }: CommandHead, command: &Command) -> Option<Target> {
    let [address, _, _, reply, ..] = command.arguments;
    let ((op, behind), width, address) = (CommandKind::word_op(kind)?, usize::from(width), address as usize);
    let is_valid = fits(op, width)
        && address.is_multiple_of(width)
        && usize::from(context) < RING_CONTEXTS
        && (op != WordOp::Fetch || reply != 0);
    is_valid.then_some(Target { op, width, address, behind })
}

/// Decodes the words of a slot, or says what is wrong with them. There are so many PEs, and so many slots of teams.
pub(super) fn decide(command: &Command, me: u32, (n_pes, teams): (u32, usize)) -> Result<Decoded, String> {
    let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
    if [CommandKind::Iput, CommandKind::Iget].map(CommandKind::number).contains(&kind) {
        return check_strided(command, n_pes).map(Decoded::Strided);
    }
    if [CommandKind::ReadFile, CommandKind::WriteFile].map(CommandKind::number).contains(&kind) {
        return check_file(command).map(Decoded::File);
    }
    let meets = kind == CommandKind::Sync.number();
    let collects = kind == CommandKind::Collective.number();
    let fires = kind == CommandKind::Fire.number();
    if kind == CommandKind::GlobalExit.number() {
        return exit_status(command).map(Decoded::Exit);
    }
    if !meets && !collects && !fires && kind != CommandKind::Prepared.number() {
        return check(command, n_pes).map(Decoded::Memory);
    }
    let context = usize::from(context);
    if (width, pe) != (0, 0) || context >= RING_CONTEXTS {
        return Err(format!("width {width}, PE {pe} and context {context} are not 0, 0 and below {RING_CONTEXTS}"));
    }
    let [a, b, c, reply, more @ ..] = command.arguments;
    let reply = reply.checked_sub(1);
    if collects {
        let what = CollectiveCommand::of_words(more).ok_or_else(|| format!("no collective is {:#x}", more[0]))?;
        let asked = KernelCollective { dest: a as usize, source: b as usize, elements: c as usize, what };
        return Ok(Decoded::Collective(asked, reply.ok_or("it has no reply slot")?));
    }
    if meets {
        let team = DeviceTeam::of_words([a, b, c]);
        device_sync::check(&team, me, (n_pes, teams))?;
        return Ok(Decoded::Barrier(team, reply.ok_or("it has no reply slot")?));
    }
    let (Ok(index), Ok(generation)) = (u32::try_from(a), u32::try_from(b)) else {
        return Err(format!("index {a} and generation {b} are not below 2^32"));
    };
    if fires != (c > 0) || fires && reply.is_some() {
        return Err(format!("epoch {c}, and {} reply", if reply.is_some() { "a" } else { "no" }));
    }
    let name = DevicePrepared { index, generation };
    Ok(Decoded::Prepared(PreparedCommand { name, context, epoch: fires.then_some(c), reply }))
}

/// Decodes the words of a command that ends the job, or says what is wrong with them.
fn exit_status(command: &Command) -> Result<i32, String> {
    let CommandHead { width, context, pe, .. } = CommandHead::of_bits(command.head);
    let [status, a, b, reply, ..] = command.arguments;
    match u32::try_from(status) {
        Ok(status) if (width, context, pe, a, b) == (0, 0, 0, 0, 0) && reply > 0 => Ok(status.cast_signed()),
        _ => Err(format!(
            "status {status} of 32 bits, with {width}, {pe}, {context}, {a} and {b} instead of zeros, and {} reply",
            if reply > 0 { "a" } else { "no" }
        )),
    }
}

/// Decodes the words of a command on memory, or says what is wrong with them.
fn check(command: &Command, n_pes: u32) -> Result<Checked, String> {
    let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
    let [address, a, b, reply, ..] = command.arguments;
    let (width, context, address) = (usize::from(width), usize::from(context), address as usize);
    let Some(known) = CommandKind::of_number(kind) else { return Err(format!("kind {kind} is unknown")) };
    check_place(pe, context, n_pes)?;
    let reply = reply.checked_sub(1);
    let what = match (known, CommandKind::word_op(kind)) {
        (CommandKind::Word(WordOp::Fetch), _) if reply.is_none() => return Err("it has no reply slot".to_owned()),
        (_, Some((op, behind))) => MemoryOp::Word { op, width, operand: a, condition: b, behind },
        (CommandKind::Put, _) => MemoryOp::Put { from: a as usize, bytes: b as usize },
        (CommandKind::Get, _) => MemoryOp::Get { to: a as usize, bytes: b as usize },
        (CommandKind::PutHere, _) => {
            let [_, words @ ..] = command.arguments;
            return match width {
                1..=SLOT_BYTES => {
                    Ok(Checked { what: MemoryOp::PutHere { words, bytes: width }, pe, context, address, reply: None })
                }
                _ => Err(format!("{width} bytes instead of 1 to {SLOT_BYTES}")),
            };
        }
        (CommandKind::PutChunk, _) => MemoryOp::PutChunk { ticket: a, bytes: b as usize },
        (CommandKind::GetChunk, _) if reply.is_none() => return Err("it has no reply slot".to_owned()),
        (CommandKind::GetChunk, _) => MemoryOp::GetChunk { ticket: a, bytes: b as usize },
        (CommandKind::FreeChunk, _) if (width, address, b, reply) != (0, 0, 0, None) => {
            return Err(format!("width {width}, {address:#x} and {b} are not 0, or it has a reply slot"));
        }
        (CommandKind::FreeChunk, _) => MemoryOp::FreeChunk { ticket: a },
        _ => return Err(format!("{known} is carried out elsewhere")),
    };
    match what {
        MemoryOp::Word { op, .. } => {
            if !fits(op, width) {
                let sizes = if fits(op, 1) { "1, 2, 4 or 8" } else { "4 or 8" };
                return Err(format!("a word of {width} bytes instead of {sizes}"));
            }
            if !address.is_multiple_of(width) {
                return Err(format!("the word at {address:#x} is not aligned to {width} bytes"));
            }
        }
        MemoryOp::Put { bytes: 0, .. } | MemoryOp::Get { bytes: 0, .. } => return Err("no bytes".to_owned()),
        MemoryOp::Put { from: here, bytes } | MemoryOp::Get { to: here, bytes } => {
            if here == 0 || here.checked_add(bytes).is_none() {
                return Err(format!("{bytes} bytes at {here:#x}: no such memory"));
            }
        }
        MemoryOp::PutChunk { bytes, .. } if !(1..=CHUNK_BYTES).contains(&bytes) || reply.is_some() => {
            return Err(format!("{bytes} bytes of a chunk of {CHUNK_BYTES}, reply {}", reply.is_some()));
        }
        MemoryOp::GetChunk { bytes, .. } if !(1..=CHUNK_BYTES).contains(&bytes) => {
            return Err(format!("{bytes} bytes of a chunk of {CHUNK_BYTES}"));
        }
        MemoryOp::PutHere { .. }
        | MemoryOp::PutChunk { .. }
        | MemoryOp::GetChunk { .. }
        | MemoryOp::FreeChunk { .. } => {}
    }
    Ok(Checked { what, pe, context, address, reply })
}

fn check_place(pe: u32, context: usize, n_pes: u32) -> Result<(), String> {
    if pe >= n_pes {
        return Err(format!("PE {pe} is out of range (0 to {})", n_pes - 1));
    }
    if context >= RING_CONTEXTS {
        return Err(format!("context {context} is out of range (0 to {})", RING_CONTEXTS - 1));
    }
    Ok(())
}

/// Decodes the words of a command for a part of a file, or says what is wrong with them.
fn check_file(command: &Command) -> Result<FileCommand, String> {
    let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
    let [file, ticket, bytes, reply, offset, ..] = command.arguments;
    let (bytes, context) = (bytes as usize, usize::from(context));
    let is_valid = (width, pe) == (0, 0) && context < RING_CONTEXTS && (1..=CHUNK_BYTES).contains(&bytes);
    let Some(reply) = reply.checked_sub(1).filter(|_| is_valid && offset.checked_add(bytes as u64).is_some()) else {
        return Err(format!(
            "{bytes} bytes at {offset} of a file, width {width}, PE {pe}, context {context}, reply {}",
            reply > 0
        ));
    };
    let (writes, file) = (kind == CommandKind::WriteFile.number(), [file as u32, (file >> 32) as u32]);
    Ok(FileCommand { writes, file, ticket, bytes, offset, context, reply })
}

/// Decodes the words of a command for a strided copy, or says what is wrong with them.
fn check_strided(command: &Command, n_pes: u32) -> Result<StridedCommand, String> {
    let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
    check_place(pe, context.into(), n_pes)?;
    let [symmetric, private, count, reply, dst, sst, size] = command.arguments;
    let (to_peer, [symmetric, private]) =
        (kind == CommandKind::Iput.number(), [symmetric, private].map(|at| at as usize));
    let blocks = Blocks {
        count: count as usize,
        elements: 1,
        size: size as usize,
        dst: dst.cast_signed() as isize,
        sst: sst.cast_signed() as isize,
    };
    let is_valid = width == 0 && count > 0 && size > 0 && blocks.dst > 0 && blocks.sst > 0 && reply > 0;
    if !is_valid || private == 0 || blocks.private(private, to_peer).is_none() {
        return Err(format!(
            "{count} elements of {size} bytes at {private:#x}, distances {dst} and {sst}, width {width}, reply {}",
            reply > 0
        ));
    }
    let (context, reply) = (context.into(), reply.checked_sub(1));
    Ok(StridedCommand { to_peer, blocks, pe, context, symmetric, private, reply })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_numbers::Random;

    /// Catches a slot whose fields are out of range and that is carried out nevertheless. A third of the slots are
    /// sensible except for one field.
    #[test]
    fn garbled_slots_are_refused() {
        let mut random = Random::new(0x9e37_79b9);
        let mut next = || random.bits();
        // Commands on memory, barriers, prepared operations, refusals, collectives, ends of the job, strided
        // copies, and files.
        let mut counts = [0; 8];
        for round in 0..1_500_000 {
            let mut arguments = std::array::from_fn(|_| next());
            let head = if round % 6 == 1 {
                // A collective that there may be.
                arguments[4] = (arguments[4] & !0xffff) | (next() % 11);
                CommandHead { kind: CommandKind::Collective.number(), width: 0, context: next() as u16 % 1100, pe: 0 }
                    .bits()
            } else if round % 12 == 9 {
                // An end of the job that may be valid.
                arguments = std::array::from_fn(|_| next() % 2 * (1 + 7 * (next() % 2)));
                let kind = CommandKind::GlobalExit.number();
                CommandHead { kind, width: next() as u8 % 2, context: next() as u16 % 2, pe: 0 }.bits()
            } else if round % 6 == 3 {
                // A team or a name that may be valid.
                let kind = CommandKind::Sync.number() + next() as u8 % 3;
                arguments = std::array::from_fn(|_| (next() % 3) + ((next() % 3) << 32));
                CommandHead { kind, width: u8::from(next().is_multiple_of(8)), context: next() as u16 % 1100, pe: 0 }
                    .bits()
            } else if round % 3 == 0 {
                let kind = next() as u8 % 40;
                let is_strided = [CommandKind::Iput, CommandKind::Iget].map(CommandKind::number).contains(&kind);
                let of_file = [CommandKind::ReadFile, CommandKind::WriteFile].map(CommandKind::number).contains(&kind);
                let width = if is_strided || of_file { next() as u8 % 2 } else { 1 << (next() % 7) };
                arguments[0] &= !0xf;
                arguments.iter_mut().skip(1).for_each(|argument| *argument >>= next() % 64);
                let pe = next() as u32 % if of_file { 2 } else { 6 };
                CommandHead { kind, width, context: next() as u16 % 1100, pe }.bits()
            } else {
                next() >> 8
            };
            let command = Command { head, arguments };
            let (asked, fields) = (decide(&command, 2, (5, 64)), CommandHead::of_bits(head));
            let word = word_of(fields, &command).filter(|_| fields.pe < 5);
            let expected = match &asked {
                Ok(Decoded::Memory(Checked { what: MemoryOp::Word { op, width, behind, .. }, address, .. })) => {
                    Some(Target { op: *op, width: *width, address: *address, behind: *behind })
                }
                _ => None,
            };
            assert_eq!(word, expected, "{head:#x} {arguments:x?}");
            match asked {
                Ok(Decoded::Memory(Checked { what, pe, context, address, .. })) => {
                    counts[0] += 1;
                    assert!(pe < 5 && context < RING_CONTEXTS, "{head:#x}");
                    match what {
                        MemoryOp::Word { op, width, .. } => {
                            let sizes: &[usize] =
                                if matches!(op, WordOp::Fetch | WordOp::Set) { &[1, 2, 4, 8] } else { &[4, 8] };
                            assert!(sizes.contains(&width) && address.is_multiple_of(width), "{head:#x}");
                        }
                        MemoryOp::Put { from: here, bytes } | MemoryOp::Get { to: here, bytes } => {
                            assert!(here > 0 && bytes > 0 && here.checked_add(bytes).is_some(), "{head:#x}");
                        }
                        MemoryOp::PutHere { bytes, .. } => assert!((1..=48).contains(&bytes), "{head:#x}"),
                        MemoryOp::PutChunk { bytes, .. } | MemoryOp::GetChunk { bytes, .. } => {
                            assert!((1..=65536).contains(&bytes), "{head:#x}");
                        }
                        MemoryOp::FreeChunk { .. } => assert_eq!((address, arguments[3]), (0, 0), "{head:#x}"),
                    }
                }
                Ok(Decoded::Barrier(team, reply)) => {
                    counts[1] += 1;
                    assert!((0..team.n_pes).all(|pe| team.pe(pe) < 5) && team.pe(team.my_pe) == 2, "{team:?}");
                    assert!((fields.width, fields.pe) == (0, 0) && Some(reply) == arguments[3].checked_sub(1));
                }
                Ok(Decoded::Prepared(PreparedCommand { name, context, epoch, reply })) => {
                    counts[2] += 1;
                    assert!((fields.width, fields.pe) == (0, 0) && context < RING_CONTEXTS, "{head:#x}");
                    assert_eq!([name.index, name.generation].map(u64::from), [arguments[0], arguments[1]]);
                    assert_eq!(epoch.unwrap_or(0), arguments[2]);
                    assert!(epoch.is_none() || reply.is_none(), "nobody waits for a trigger by a reply");
                }
                Ok(Decoded::Collective(KernelCollective { dest, source, elements, what }, reply)) => {
                    counts[4] += 1;
                    assert_eq!([dest, source, elements].map(|number| number as u64), arguments[..3]);
                    assert_eq!(
                        (what.to_words(), Some(reply)),
                        (arguments[4..].try_into().unwrap(), arguments[3].checked_sub(1))
                    );
                }
                Err(_) => counts[3] += 1,
                Ok(Decoded::File(FileCommand { file, ticket, bytes, offset, context, .. })) => {
                    counts[7] += 1;
                    assert!((1..=65536).contains(&bytes) && context < RING_CONTEXTS, "{head:#x}");
                    assert!((fields.width, fields.pe) == (0, 0) && arguments[3] > 0, "{head:#x}");
                    assert_eq!([ticket, offset], [arguments[1], arguments[4]]);
                    assert_eq!(file.map(u64::from), [arguments[0] & u64::from(u32::MAX), arguments[0] >> 32]);
                    assert!(offset.checked_add(bytes as u64).is_some(), "{head:#x}");
                }
                Ok(Decoded::Exit(status)) => {
                    counts[5] += 1;
                    assert!((fields.width, fields.context, fields.pe) == (0, 0, 0), "{head:#x}");
                    assert!(arguments[..3] == [status as u64, 0, 0] && arguments[3] > 0, "{arguments:?}");
                }
                Ok(Decoded::Strided(StridedCommand { to_peer, blocks, pe, context, symmetric, private, reply })) => {
                    counts[6] += 1;
                    assert!(pe < 5 && context < RING_CONTEXTS && reply.is_some(), "{head:#x}");
                    assert_eq!([symmetric, private].map(|at| at as u64), arguments[..2], "{head:#x}");
                    let Blocks { count, elements, size, dst, sst } = blocks;
                    assert!(count > 0 && elements == 1 && size > 0 && dst > 0 && sst > 0, "{blocks:?}");
                    let last = (count as u128 - 1) * (if to_peer { sst } else { dst }) as u128 * size as u128;
                    assert!(last + (private + size) as u128 <= usize::MAX as u128, "{blocks:?}");
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 500), "{counts:?}: the trial tries nothing");
    }

    /// Catches a line that does not say what is wrong.
    #[test]
    fn what_is_wrong_with_a_slot_is_said() {
        let head = |kind, width, context, pe| CommandHead { kind, width, context, pe }.bits();
        let says = |head, address| {
            let arguments = [address, 0, 0, 0, 0, 0, 0];
            decide(&Command { head, arguments }, 0, (4, 64)).expect_err("it is wrong")
        };
        let add = WordOp::Add as u8;
        assert_eq!(says(0, 0), "kind 0 is unknown");
        assert_eq!(says(head(add, 8, 0, 4), 0), "PE 4 is out of range (0 to 3)");
        assert_eq!(says(head(add, 8, 1024, 0), 0), "context 1024 is out of range (0 to 1023)");
        assert_eq!(says(head(add, 3, 0, 0), 0), "a word of 3 bytes instead of 4 or 8");
        assert_eq!(says(head(WordOp::Set as u8, 3, 0, 0), 0), "a word of 3 bytes instead of 1, 2, 4 or 8");
        assert_eq!(says(head(WordOp::Fetch as u8, 8, 0, 0), 0), "it has no reply slot");
        assert_eq!(says(head(CommandKind::Put.number(), 0, 0, 0), 0), "no bytes");
        assert_eq!(says(head(CommandKind::PutHere.number(), 49, 0, 0), 0), "49 bytes instead of 1 to 48");
        assert_eq!(says(head(CommandKind::PutChunk.number(), 0, 0, 0), 0), "0 bytes of a chunk of 65536, reply false");
        assert_eq!(says(head(CommandKind::GetChunk.number(), 0, 0, 0), 0), "it has no reply slot");
        let free = head(CommandKind::FreeChunk.number(), 0, 0, 0);
        assert_eq!(says(free, 0x1000), "width 0, 0x1000 and 0 are not 0, or it has a reply slot");
        let (prepared, fire) = (CommandKind::Prepared.number(), CommandKind::Fire.number());
        assert_eq!(says(head(prepared, 8, 0, 3), 0), "width 8, PE 3 and context 0 are not 0, 0 and below 1024");
        assert_eq!(says(head(prepared, 0, 0, 0), 1 << 32), "index 4294967296 and generation 0 are not below 2^32");
        assert_eq!(says(head(fire, 0, 0, 0), 0), "epoch 0, and no reply");
        assert_eq!(
            says(head(CommandKind::GlobalExit.number(), 0, 0, 0), 7),
            "status 7 of 32 bits, with 0, 0, 0, 0 and 0 instead of zeros, and no reply"
        );
        let iput = CommandKind::Iput.number();
        let why = "0 elements of 0 bytes at 0x0, distances 0 and 0, width 0, reply false";
        assert_eq!(says(head(iput, 0, 0, 0), 0x1000), why);
        assert_eq!(says(head(iput, 0, 0, 4), 0x1000), "PE 4 is out of range (0 to 3)");
        assert_eq!(says(head(add, 8, 0, 0), 0x1004), "the word at 0x1004 is not aligned to 8 bytes");
        let why = "0 bytes at 0 of a file, width 0, PE 0, context 0, reply false";
        assert_eq!(says(head(CommandKind::ReadFile.number(), 0, 0, 0), 1), why);
    }
}
