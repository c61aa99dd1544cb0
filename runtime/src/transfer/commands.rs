//! What kernels ask for: the words of a slot, with fields that make sense.

use crate::transport::{AmoOp, WordOp};
use cushmem_abi::{CommandHead, CommandKind, RING_CONTEXTS};
use cushmem_protocol::ring::Command;

/// A command with fields that make sense.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    pub(super) what: What,
    pub(super) pe: u32,
    pub(super) context: usize,
    /// Address of the symmetric end, on this PE.
    pub(super) address: usize,
    /// The ticket of the reply, for somebody who waits for one.
    pub(super) reply: Option<u64>,
}

/// What it asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// Change a word of so many bytes, or load it, perhaps behind the puts before.
    Word { op: WordOp, width: usize, operand: u64, condition: u64, behind: bool },
    /// Copy so many bytes from this address of the PE that asks.
    Put { from: usize, bytes: usize },
    /// Copy so many bytes to this address of the PE that asks.
    Get { to: usize, bytes: usize },
}

/// What the words of a slot say, or what is wrong with them.
pub(super) fn check(command: &Command, n_pes: u32) -> Result<Checked, String> {
    let CommandHead { kind, width, context, pe } = CommandHead::of_bits(command.head);
    let [address, a, b, reply, ..] = command.arguments;
    let (width, context, address) = (usize::from(width), usize::from(context), address as usize);
    let Some(kind) = CommandKind::ALL.into_iter().find(|known| *known as u8 == kind) else {
        return Err(format!("kind {kind} is not known"));
    };
    if pe >= n_pes {
        return Err(format!("PE {pe} is not in 0..{n_pes}"));
    }
    if context >= RING_CONTEXTS {
        return Err(format!("context {context} is not in 0..{RING_CONTEXTS}"));
    }
    let reply = reply.checked_sub(1);
    let word = |op, behind| What::Word { op, width, operand: a, condition: b, behind };
    let update = |op| word(WordOp::Update(op), false);
    let what = match kind {
        CommandKind::CompareSwap => word(WordOp::CompareSwap, false),
        CommandKind::Swap => update(AmoOp::Swap),
        CommandKind::Add => update(AmoOp::Add),
        CommandKind::And => update(AmoOp::And),
        CommandKind::Or => update(AmoOp::Or),
        CommandKind::Xor => update(AmoOp::Xor),
        CommandKind::AddBehind => word(WordOp::Update(AmoOp::Add), true),
        CommandKind::Fetch if reply.is_none() => return Err("nobody waits for the word".to_owned()),
        CommandKind::Fetch => word(WordOp::Fetch, false),
        CommandKind::Set => word(WordOp::Set, false),
        CommandKind::SetBehind => word(WordOp::Set, true),
        CommandKind::Put => What::Put { from: a as usize, bytes: b as usize },
        CommandKind::Get => What::Get { to: a as usize, bytes: b as usize },
        CommandKind::Sync | CommandKind::Prepared | CommandKind::Fire => {
            return Err(format!("{kind:?} is carried out elsewhere"));
        }
    };
    match what {
        What::Word { op, .. } => {
            let whole = matches!(op, WordOp::Fetch | WordOp::Set);
            if !(matches!(width, 4 | 8) || whole && matches!(width, 1 | 2)) {
                let sizes = if whole { "1, 2, 4 or 8" } else { "4 or 8" };
                return Err(format!("a word of {width} bytes, and not of {sizes}"));
            }
            if !address.is_multiple_of(width) {
                return Err(format!("the word at {address:#x} is not aligned to {width} bytes"));
            }
        }
        What::Put { bytes: 0, .. } | What::Get { bytes: 0, .. } => return Err("no bytes".to_owned()),
        What::Put { from: here, bytes } | What::Get { to: here, bytes } => {
            if here == 0 || here.checked_add(bytes).is_none() {
                return Err(format!("{bytes} bytes at {here:#x}, which do not exist"));
            }
        }
    }
    Ok(Checked { what, pe, context, address, reply })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence of numbers that looks random: of xorshift.
    fn numbers() -> impl FnMut() -> u64 {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        }
    }

    /// Catches a slot of any content whose fields are out of range and that is carried out nevertheless. A third of the slots are sensible but for one field.
    #[test]
    fn garbled_slots_are_refused() {
        let mut next = numbers();
        let (mut accepted, mut refused) = (0, 0);
        for round in 0..1_000_000 {
            let mut arguments = std::array::from_fn(|_| next());
            let head = if round % 3 == 0 {
                let (kind, width) = (next() as u8 % 15, 1 << (next() % 5));
                arguments[0] &= !0xf;
                CommandHead { kind, width, context: next() as u16 % 1100, pe: next() as u32 % 6 }.bits()
            } else {
                next() >> 8
            };
            match check(&Command { head, arguments }, 5) {
                Ok(Checked { what, pe, context, address, .. }) => {
                    accepted += 1;
                    assert!(pe < 5 && context < RING_CONTEXTS, "{head:#x}");
                    match what {
                        What::Word { op, width, .. } => {
                            let sizes: &[usize] =
                                if matches!(op, WordOp::Fetch | WordOp::Set) { &[1, 2, 4, 8] } else { &[4, 8] };
                            assert!(sizes.contains(&width) && address.is_multiple_of(width), "{head:#x}");
                        }
                        What::Put { from: here, bytes } | What::Get { to: here, bytes } => {
                            assert!(here > 0 && bytes > 0 && here.checked_add(bytes).is_some(), "{head:#x}");
                        }
                    }
                }
                Err(_) => refused += 1,
            }
        }
        assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused: the trial tries nothing");
    }

    /// Catches a line that does not say what is wrong.
    #[test]
    fn what_is_wrong_with_a_slot_is_said() {
        let head = |kind, width, context, pe| CommandHead { kind, width, context, pe }.bits();
        let says = |head, address| {
            let arguments = [address, 0, 0, 0, 0, 0, 0];
            check(&Command { head, arguments }, 4).expect_err("it is wrong")
        };
        let add = CommandKind::Add as u8;
        assert_eq!(says(0, 0), "kind 0 is not known");
        assert_eq!(says(head(add, 8, 0, 4), 0), "PE 4 is not in 0..4");
        assert_eq!(says(head(add, 8, 1024, 0), 0), "context 1024 is not in 0..1024");
        assert_eq!(says(head(add, 3, 0, 0), 0), "a word of 3 bytes, and not of 4 or 8");
        assert_eq!(says(head(CommandKind::Set as u8, 3, 0, 0), 0), "a word of 3 bytes, and not of 1, 2, 4 or 8");
        assert_eq!(says(head(CommandKind::Fetch as u8, 8, 0, 0), 0), "nobody waits for the word");
        assert_eq!(says(head(CommandKind::Put as u8, 0, 0, 0), 0), "no bytes");
        assert_eq!(says(head(add, 8, 0, 0), 0x1004), "the word at 0x1004 is not aligned to 8 bytes");
    }
}
