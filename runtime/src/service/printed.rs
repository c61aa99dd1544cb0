//! Lines that kernels print: the proxy collects their words and puts the arguments into the text.

use cushmem_abi::{CommandHead, PrintedPiece, PrintedType};
use cushmem_protocol::ring::Command;
use std::collections::HashMap;

/// The most words of a line: a device library of this version sends fewer.
const MOST_WORDS: usize = 64;

/// Lines of which not all pieces have come, by the ticket of the first. A kernel that ends in the middle of a line, by
/// an error of another lane, leaves one behind.
#[derive(Default)]
pub(super) struct Printed {
    begun: HashMap<u64, Line>,
}

#[derive(Default)]
struct Line {
    /// `block << 32 | thread`.
    lane: u64,
    words: Vec<u64>,
}

/// A whole line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) block: u64,
    pub(super) thread: u64,
    pub(super) text: String,
    /// The ticket of the reply.
    pub(super) reply: u64,
}

impl Printed {
    /// Takes a piece. Returns the line if it is whole; the error says what is wrong with the piece.
    pub(super) fn take(&mut self, ticket: u64, head: CommandHead, command: &Command) -> Result<Option<Whole>, String> {
        let [from, a, b, reply, c, d, e] = command.arguments;
        let (is_first, is_last) = (head.width & PrintedPiece::FIRST != 0, head.width & PrintedPiece::LAST != 0);
        let words = usize::from(head.width & !(PrintedPiece::FIRST | PrintedPiece::LAST));
        if !(1..=PrintedPiece::WORDS).contains(&words) || is_last != (reply != 0) || (head.context, head.pe) != (0, 0) {
            return Err(format!(
                "a piece of a line with {words} words and {} reply",
                if reply == 0 { "no" } else { "a" }
            ));
        }
        let mut line = match is_first {
            true => Line { lane: from, words: vec![] },
            false => self.begun.remove(&from).ok_or_else(|| format!("no line began with command {from}"))?,
        };
        line.words.extend_from_slice(&[a, b, c, d, e][..words]);
        if line.words.len() > MOST_WORDS {
            return Err(format!("a line of more than {MOST_WORDS} words"));
        }
        if !is_last {
            self.begun.insert(if is_first { ticket } else { from }, line);
            return Ok(None);
        }
        let (block, thread) = (line.lane >> 32, line.lane & u64::from(u32::MAX));
        let text = text_of(&line.words).ok_or("a line whose words make no sense")?;
        Ok(Some(Whole { block, thread, text, reply: reply - 1 }))
    }
}

/// The text with the arguments in their places.
fn text_of(words: &[u64]) -> Option<String> {
    let (&head, rest) = words.split_first()?;
    let (bytes, count) = ((head & 0xffff) as usize, (head >> 16 & 0xff) as usize);
    let (arguments, text) = rest.split_at_checked(count).filter(|_| count <= 8)?;
    let text: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = std::str::from_utf8(text.get(..bytes)?).ok()?;
    let types = (0..count).map(|i| PrintedType::ALL.get((head >> (32 + 4 * i) & 0xf) as usize).copied());
    let mut values = arguments.iter().zip(types);
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        shown += &rest[..at];
        rest = &rest[at..];
        let places = [("{{", None), ("}}", None), ("{}", Some(false)), ("{:x}", Some(true))];
        let (place, is_hexadecimal) = places.into_iter().find(|(place, _)| rest.starts_with(place))?;
        rest = &rest[place.len()..];
        match is_hexadecimal {
            None => shown += &place[..1],
            Some(is_hexadecimal) => {
                let (bits, kind) = values.next()?;
                shown += &value_of(*bits, kind?, is_hexadecimal)?;
            }
        }
    }
    values.next().is_none().then(|| shown + rest)
}

fn value_of(bits: u64, kind: PrintedType, is_hexadecimal: bool) -> Option<String> {
    Some(match kind {
        _ if is_hexadecimal => format!("{bits:x}"),
        PrintedType::Unsigned => bits.to_string(),
        PrintedType::Signed => bits.cast_signed().to_string(),
        PrintedType::Signed8 => (bits as u8).cast_signed().to_string(),
        PrintedType::Signed16 => (bits as u16).cast_signed().to_string(),
        PrintedType::Signed32 => (bits as u32).cast_signed().to_string(),
        PrintedType::Single => f32::from_bits(bits as u32).to_string(),
        PrintedType::Double => f64::from_bits(bits).to_string(),
        PrintedType::Bool => (bits != 0).to_string(),
        PrintedType::Char => char::from_u32(bits as u32)?.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_abi::CommandKind;

    fn piece(width: u8, arguments: [u64; 7]) -> (CommandHead, Command) {
        let head = CommandHead { kind: CommandKind::Print.number(), width, context: 0, pe: 0 };
        (head, Command { head: head.bits(), arguments })
    }

    fn words(text: &str, arguments: &[(PrintedType, u64)]) -> Vec<u64> {
        let types =
            arguments.iter().enumerate().fold(0, |types, (i, (kind, _))| types | (*kind as u64) << (32 + 4 * i));
        let mut words = vec![types | (arguments.len() as u64) << 16 | text.len() as u64];
        words.extend(arguments.iter().map(|(_, bits)| bits));
        words.extend(
            text.as_bytes()
                .chunks(8)
                .map(|chunk| chunk.iter().enumerate().fold(0, |word, (i, byte)| word | u64::from(*byte) << (8 * i))),
        );
        words
    }

    /// Catches arguments in wrong places or read as another type.
    #[test]
    fn arguments_are_put_into_the_text() {
        use PrintedType::{Bool, Char, Double, Signed, Single, Unsigned};
        let all = [
            (Unsigned, u64::MAX),
            (Signed, u64::MAX),
            (Single, 1.5f32.to_bits().into()),
            (Double, (-0.1f64).to_bits()),
            (Bool, 1),
            (Char, 'ß'.into()),
            (Unsigned, 0xbeef),
        ];
        let text = "a {}, b {}: {} {}{{{}}} {} 0x{:x}.";
        let shown = text_of(&words(text, &all)).expect("text");
        assert_eq!(shown, "a 18446744073709551615, b -1: 1.5 -0.1{true} ß 0xbeef.");
        assert_eq!(text_of(&words("", &[])).as_deref(), Some(""));
    }

    /// Catches digits of a narrow negative number that are those of 64 bits, and one that is read as positive.
    #[test]
    fn signed_numbers_of_every_width_print_as_in_rust() {
        use PrintedType::{Signed, Signed8, Signed16, Signed32};
        let of = |text, kind, bits| text_of(&words(text, &[(kind, bits)])).expect("text");
        for value in [i8::MIN, -1, 0, 5, i8::MAX] {
            let (v16, v32, v64) = (i16::from(value), i32::from(value), i64::from(value));
            let all = [
                (Signed8, u64::from(value.cast_unsigned()), format!("{value:x}")),
                (Signed16, v16.cast_unsigned().into(), format!("{v16:x}")),
                (Signed32, v32.cast_unsigned().into(), format!("{v32:x}")),
                (Signed, v64.cast_unsigned(), format!("{v64:x}")),
            ];
            for (kind, bits, digits) in all {
                assert_eq!((of("{}", kind, bits), of("{:x}", kind, bits)), (value.to_string(), digits), "{kind:?}");
            }
        }
    }

    /// Catches lines of two lanes that are mixed up, and a line that is printed before its last piece.
    #[test]
    fn pieces_of_two_lines_may_alternate() {
        let mut printed = Printed::default();
        let lines = [words("first line, of {}", &[(PrintedType::Unsigned, 1)]), words("second line, of nobody", &[])];
        let [a, b] = &lines;
        let part = |words: &[u64]| -> [u64; 5] { std::array::from_fn(|i| words.get(i).copied().unwrap_or(0)) };
        let mut take = |ticket, width, from, words: &[u64], reply| {
            let [p, q, r, s, t] = part(words);
            let (head, command) = piece(width, [from, p, q, reply, r, s, t]);
            printed.take(ticket, head, &command)
        };
        assert_eq!(take(7, PrintedPiece::FIRST | 3, 4 << 32 | 5, &a[..3], 0), Ok(None));
        assert_eq!(take(8, PrintedPiece::FIRST | 2, 6, &b[..2], 0), Ok(None));
        let whole = |block, thread, text: &str, reply| Whole { block, thread, text: text.into(), reply };
        let rest = (b.len() - 2) as u8;
        assert_eq!(
            take(9, PrintedPiece::LAST | rest, 8, &b[2..], 2),
            Ok(Some(whole(0, 6, "second line, of nobody", 1)))
        );
        let rest = (a.len() - 3) as u8;
        assert_eq!(take(10, PrintedPiece::LAST | rest, 7, &a[3..], 3), Ok(Some(whole(4, 5, "first line, of 1", 2))));
        assert!(take(11, PrintedPiece::LAST | 1, 7, &[0], 1).is_err(), "a line that has ended");
    }

    /// Catches garbled words that are read beyond their end, or whose line is printed.
    #[test]
    fn garbled_words_are_refused() {
        let mut random = cushmem_numbers::Random::new(11);
        let whole = words("{} of {:x}", &[(PrintedType::Unsigned, 1), (PrintedType::Signed, 2)]);
        let (mut shown, mut taken) = ([0; 2], [0; 2]);
        for _ in 0..200_000 {
            // A line with a few wrong bits, cut or with more words.
            let mut words = whole.clone();
            words.resize(random.below(8), random.bits());
            for _ in 0..random.below(3) {
                let at = random.below(words.len().max(1));
                words.iter_mut().skip(at).take(1).for_each(|word| *word ^= 1 << random.below(64));
            }
            let text = text_of(&words);
            shown[usize::from(text.is_some())] += 1;
            if text.is_some() {
                let (bytes, count) = (words[0] as u16, (words[0] >> 16) as u8);
                assert!(count <= 8, "{count} arguments");
                assert!(1 + usize::from(count) + usize::from(bytes).div_ceil(8) <= words.len(), "{words:x?}");
            }
            let arguments = std::array::from_fn(|_| random.bits() >> random.below(64) & random.bits());
            let (head, command) = piece(random.bits() as u8, arguments);
            let line = Printed::default().take(3, head, &command);
            taken[usize::from(line.is_ok())] += 1;
            if line.is_ok() {
                assert!(head.width & PrintedPiece::FIRST != 0, "the line had no beginning");
                assert!((1..=5).contains(&(head.width & 0x3f)), "words of a piece in width {}", head.width);
                assert_eq!(head.width & PrintedPiece::LAST != 0, arguments[3] != 0, "the last one has a reply");
            }
        }
        assert!(shown.iter().chain(&taken).all(|times| *times > 100), "{shown:?} and {taken:?}");
        assert_eq!(text_of(&words("{} {}", &[(PrintedType::Unsigned, 1)])), None);
        assert_eq!(text_of(&words("{", &[])), None);
        assert_eq!(text_of(&[100]), None);
    }
}
