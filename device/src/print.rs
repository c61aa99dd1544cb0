//! Lines of text that a lane prints, by way of the CPU.
//!
//! A line is a few words: a head, the arguments as 64 bits each, and the text, whose words are constants in the
//! kernel's code. They travel in commands of the ring, five words in each, so there is no buffer of its own that could
//! be full. The CPU puts the arguments into the text. No memory of the GPU is involved, neither local nor global.

use crate::command::Ring;
use crate::fail::fail;
use crate::{Word, arch, my_pe};
use cushmem_abi::{CommandHead, CommandKind, ErrorCode, PrintedPiece, PrintedType};
use cushmem_protocol::ring::{self, Command};

/// A type whose values a kernel can print: an integer, `f32`, `f64`, `bool` or `char`.
/// [`print_line!`](crate::print_line) has an example.
pub trait Print: Copy {
    #[doc(hidden)]
    const TYPE: PrintedType;
    #[doc(hidden)]
    fn bits(self) -> u64;
}

macro_rules! printed { ($($t:ty: $type:ident, |$value:ident| $bits:expr;)*) => {$(
    impl Print for $t {
        const TYPE: PrintedType = PrintedType::$type;
        #[inline(always)]
        fn bits(self) -> u64 {
            let $value = self;
            $bits
        }
    }
)*} }
printed! {
    u8: Unsigned, |v| v.into();
    u16: Unsigned, |v| v.into();
    u32: Unsigned, |v| v.into();
    u64: Unsigned, |v| v;
    usize: Unsigned, |v| v as u64;
    i8: Signed8, |v| v.cast_unsigned().into();
    i16: Signed16, |v| v.cast_unsigned().into();
    i32: Signed32, |v| v.cast_unsigned().into();
    i64: Signed, |v| v.cast_unsigned();
    isize: Signed, |v| v as u64;
    f32: Single, |v| v.to_bits().into();
    f64: Double, |v| v.to_bits();
    bool: Bool, |v| v.into();
    char: Char, |v| u32::from(v).into();
}

/// An argument of a line, with its type.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct PrintedValue(PrintedType, u64);

impl PrintedValue {
    #[inline(always)]
    pub fn of<T: Print>(value: T) -> Self {
        Self(T::TYPE, value.bits())
    }
}

/// The text of a line.
#[doc(hidden)]
pub trait PrintText {
    const TEXT: &'static str;
}

/// The most words of a line.
const WORDS: usize = 5 * PrintedPiece::WORDS;

/// The text's words; the last one ends with zeros.
const fn words_of(text: &str) -> [u64; WORDS] {
    let (bytes, mut words, mut i) = (text.as_bytes(), [0; WORDS], 0);
    while i < bytes.len() && i < 8 * WORDS {
        words[i / 8] |= (bytes[i] as u64) << (i % 8 * 8);
        i += 1;
    }
    words
}

/// The number of `{}` and `{:x}` in a text.
const fn places_in(text: &str) -> usize {
    let (bytes, mut places, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        let next = if i + 1 < bytes.len() { bytes[i + 1] } else { 0 };
        match (bytes[i], next) {
            (b'{', b'{') | (b'}', b'}') => i += 2,
            (b'{', b'}') => (places, i) = (places + 1, i + 2),
            (b'{', b':') if i + 3 < bytes.len() && bytes[i + 2] == b'x' && bytes[i + 3] == b'}' => {
                (places, i) = (places + 1, i + 4);
            }
            (b'{' | b'}', _) => panic!("a line of a kernel has places {{}} and {{:x}}; other braces are doubled"),
            _ => i += 1,
        }
    }
    places
}

struct Text<T, const N: usize>(core::marker::PhantomData<T>);

impl<T: PrintText, const N: usize> Text<T, N> {
    const WORDS: [u64; WORDS] = words_of(T::TEXT);
    const LINE_WORDS: usize = {
        assert!(places_in(T::TEXT) == N, "a line of a kernel has as many arguments as places");
        assert!(N <= 8, "a line of a kernel has at most eight arguments");
        let words = 1 + N + T::TEXT.len().div_ceil(8);
        assert!(words <= WORDS, "a line of a kernel has at most 192 bytes, of which each argument takes eight");
        words
    };
}

/// Prints a line. All loops over its words are written out, with constant indices: an array with another index would be
/// in local memory.
#[doc(hidden)]
#[inline(always)]
pub fn print_line_of<T: PrintText, const N: usize>(_: T, values: [PrintedValue; N]) {
    const {
        assert!(PrintedPiece::WORDS == 5);
    }
    let of_type = |i: usize| if i < N { (values[i].0 as u64) << (32 + 4 * i) } else { 0 };
    let all_types =
        of_type(0) | of_type(1) | of_type(2) | of_type(3) | of_type(4) | of_type(5) | of_type(6) | of_type(7);
    let head = all_types | (N as u64) << 16 | T::TEXT.len() as u64;
    let word = |i: usize| match i {
        0 => head,
        i if i <= N => values[i - 1].1,
        i if i < Text::<T, N>::LINE_WORDS => Text::<T, N>::WORDS[i - 1 - N],
        _ => 0,
    };
    let width = |first: usize| {
        let left = Text::<T, N>::LINE_WORDS - first;
        let (last, words) = if left <= 5 { (PrintedPiece::LAST, left as u8) } else { (0, 5) };
        words | last | if first == 0 { PrintedPiece::FIRST } else { 0 }
    };
    let lane = arch::block_and_thread();
    let line = post_piece(lane, width(0), word(0), word(1), word(2), word(3), word(4));
    if Text::<T, N>::LINE_WORDS > 5 {
        post_piece(line, width(5), word(5), word(6), word(7), word(8), word(9));
    }
    if Text::<T, N>::LINE_WORDS > 10 {
        post_piece(line, width(10), word(10), word(11), word(12), word(13), word(14));
    }
    if Text::<T, N>::LINE_WORDS > 15 {
        post_piece(line, width(15), word(15), word(16), word(17), word(18), word(19));
    }
    if Text::<T, N>::LINE_WORDS > 20 {
        post_piece(line, width(20), word(20), word(21), word(22), word(23), word(24));
    }
}

/// Posts a piece of a line and returns its ticket; the ticket of the first piece is `line` of the others. With the last
/// piece, waits until the CPU has printed the line. It is generic because a function called from another crate must be.
#[cold]
#[inline(never)]
fn post_piece<T: Word + Into<u64>>(line: T, width: u8, a: u64, b: u64, c: u64, d: u64, e: u64) -> u64 {
    if arch::context_ring() == 0 {
        fail(ErrorCode::NoProxy, my_pe(), 0, 0);
    }
    let ring = Ring::new(None);
    let head = CommandHead { kind: CommandKind::Print.number(), width, context: 0, pe: 0 }.bits();
    let waits = width & PrintedPiece::LAST != 0;
    let reply = if waits { ring.given(ring::claim_reply(&ring)) + 1 } else { 0 };
    let arguments = [line.into(), a, b, reply, c, d, e];
    let ticket = ring.given(ring::post(&ring, &Command { head, arguments }));
    if waits {
        ring.answer(reply);
    }
    ticket
}

/// Prints a line to the standard error of this PE, with the PE, the kernel, the block and the lane before it, as in
/// `PE 1: kernel relax, block 3, thread 5: rest 0.25 after 7 steps`. Arguments are values of types with
/// [`Print`](crate::Print), up to eight; the text has a place `{}` for each, or `{:x}` for hexadecimal digits. Text and
/// arguments together have at most 192 bytes, 8 for each argument.
///
/// It is for finding mistakes: the lane waits until the CPU has printed the line, for some 10 µs, so that no line is
/// lost, whatever happens next; and the kernel needs 30 to 46 registers. Lines of a lane appear in their order. If the
/// CPU does not answer within the limit of the library's waits, the kernel ends with a message.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, kernels, print_line};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Prints the numbers that are not finite.
///     pub unsafe fn check(numbers: DevPtr<f32>, n: usize) {
///         let mut i = Block.lane();
///         while i < n {
///             let number = numbers.add(i).read();
///             if !number.is_finite() {
///                 print_line!("number {} is {}", i, number);
///             }
///             i += Block.lanes();
///         }
///     }
/// }
/// ```
#[macro_export]
macro_rules! print_line {
    ($text:literal $(, $argument:expr)* $(,)?) => {{
        struct TextOfThisLine;
        impl $crate::PrintText for TextOfThisLine {
            const TEXT: &'static str = $text;
        }
        $crate::print_line_of(TextOfThisLine, [$($crate::PrintedValue::of($argument)),*])
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches places that are counted in doubled braces, or not counted, and text that is cut.
    #[test]
    fn places_and_words() {
        assert_eq!([places_in("{} {:x}{{}} }}{}"), places_in(""), places_in("{{{}")], [3, 0, 1]);
        let words = words_of("12345678é");
        assert_eq!((words[0].to_le_bytes(), words[1], words[2]), (*b"12345678", 0xa9c3, 0));
    }
}
