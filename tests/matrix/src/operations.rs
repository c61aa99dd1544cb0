//! What an operation does, both for real and to a model of the memory at its ends.

use crate::data::{Op, Type, When};
use cushmem::raw::{AmoOp, AnyStream, Completion, Raw};
use cushmem::{Amo, Blocks, SignalOp, Stream, Word};
use std::fmt::Display;
use std::ptr::{with_exposed_provenance as from, with_exposed_provenance_mut as to};

/// One operation: where it takes place, and how much it moves. An atomic one acts on a word of `bytes` bytes.
#[derive(Clone, Copy, Debug)]
pub struct Act {
    pub op: Op,
    pub when: When,
    pub bytes: usize,
    /// The type of the word.
    pub of: Type,
    pub source: usize,
    pub target: usize,
    pub signal: usize,
    pub pe: u32,
}

/// Operand of atomic operations.
pub const OPERAND: u64 = 0x0123_4567_89ab_cdef;
/// Value of signals.
pub const SIGNAL: u64 = 0x1_0000_0007;
/// Distances of strided elements, of 4 bytes, at the symmetric and at the private end.
const STRIDES: (usize, usize) = (3, 2);
const ELEMENT: usize = 4;

type Result<T> = std::result::Result<T, String>;

fn said<T, E: Display>(result: std::result::Result<T, E>) -> Result<T> {
    result.map_err(|error| error.to_string())
}

impl Act {
    /// How many bytes it touches at each end at most.
    pub fn extent(&self) -> usize {
        if matches!(self.op, Op::Iput | Op::Iget) { self.bytes * STRIDES.0.max(STRIDES.1) } else { self.bytes }
    }

    fn blocks(&self, symmetric_is_dst: bool) -> Blocks {
        let (symmetric, private) = (STRIDES.0.cast_signed(), STRIDES.1.cast_signed());
        let (dst, sst) = if symmetric_is_dst { (symmetric, private) } else { (private, symmetric) };
        Blocks { count: self.bytes / ELEMENT, elements: 1, size: ELEMENT, dst, sst }
    }

    /// Enqueues it on a stream, which completes it.
    pub fn enqueue(&self, raw: Raw<'_>, stream: &Stream<'_>) -> Result<()> {
        let (Self { op, bytes, source, target, signal, pe, .. }, stream) = (*self, AnyStream::Ours(stream));
        let how = if op == Op::PutSignal { SignalOp::Set } else { SignalOp::Add };
        // SAFETY: the program's memory has this many bytes at both ends, and stays allocated.
        said(unsafe {
            match op {
                Op::Put => raw.on_stream(stream).put(to(target), from(source), bytes, pe),
                Op::Get => raw.on_stream(stream).get(to(source), from(target), bytes, pe),
                Op::Iput => raw.on_stream(stream).put_blocks(to(target), from(source), self.blocks(true), pe),
                Op::Iget => raw.on_stream(stream).get_blocks(to(source), from(target), self.blocks(false), pe),
                Op::P => raw.on_stream(stream).p(to::<u64>(target), to::<u64>(source).read_unaligned(), pe),
                Op::PutSignal | Op::PutSignalAdd => {
                    let (dst, src, sig) = (to(target), from(source), to(signal));
                    raw.on_stream(stream).put_signal(dst, src, bytes, sig, SIGNAL, how, pe)
                }
                other => unreachable!("matrix.toml has no {other} on a stream"),
            }
        })
    }

    /// Starts it, and completes it if it is blocking. Returns what the library said and, for an atomic operation, what
    /// it found.
    pub fn act(&self, raw: Raw<'_>) -> Result<u64> {
        let Self { op, when, bytes, of, source, target, signal, pe } = *self;
        let complete = match when {
            When::Blocking => Completion::Blocking,
            When::Nbi | When::Stream => Completion::Nbi,
        };
        // SAFETY: the program's memory has this many bytes at both ends, and stays allocated.
        unsafe {
            match op {
                Op::Put => said(raw.put(to(target), from(source), bytes, pe, complete))?,
                Op::Get => said(raw.get(to(source), from(target), bytes, pe, complete))?,
                Op::Iput => said(raw.put_blocks(to(target), from(source), self.blocks(true), pe))?,
                Op::Iget => said(raw.get_blocks(to(source), from(target), self.blocks(false), pe))?,
                Op::PutSignal | Op::PutSignalAdd => {
                    let how = if op == Op::PutSignal { SignalOp::Set } else { SignalOp::Add };
                    said(raw.put_signal(to(target), from(source), bytes, to(signal), SIGNAL, how, pe, complete))?;
                }
                Op::P | Op::G => match bytes {
                    1 => self.element::<u8>(raw)?,
                    2 => self.element::<u16>(raw)?,
                    4 => self.element::<u32>(raw)?,
                    _ => self.element::<u64>(raw)?,
                },
                _ => {
                    return match (of, bytes) {
                        (Type::Unsigned, 4) => self.atomic::<u32>(raw),
                        (Type::Unsigned, _) => self.atomic::<u64>(raw),
                        (Type::Signed, 4) => self.atomic::<i32>(raw),
                        (Type::Signed, _) => self.atomic::<i64>(raw),
                        (Type::Float, 4) => self.exchange::<f32>(raw),
                        (Type::Float, _) => self.exchange::<f64>(raw),
                    };
                }
            }
        }
        Ok(0)
    }

    /// # Safety
    /// Both ends hold an element.
    unsafe fn element<T: Word>(&self, raw: Raw<'_>) -> Result<()> {
        let (private, symmetric) = (to::<T>(self.source), to::<T>(self.target));
        if self.op == Op::P {
            // SAFETY: the private end belongs to the CPU and holds an element.
            return said(raw.p(symmetric, unsafe { private.read_unaligned() }, self.pe));
        }
        let value = said(raw.g(symmetric.cast_const(), self.pe))?;
        // SAFETY: the private end belongs to the CPU and has room for an element.
        unsafe { private.write_unaligned(value) };
        Ok(())
    }

    /// # Safety
    /// Both ends hold a word.
    unsafe fn atomic<T: Operand + Amo>(&self, raw: Raw<'_>) -> Result<u64> {
        let (word, pe, operand) = (to::<T>(self.target), self.pe, T::of(OPERAND));
        let op = match self.op {
            Op::FetchAdd => AmoOp::Add,
            Op::FetchAnd => AmoOp::And,
            Op::FetchOr => AmoOp::Or,
            Op::FetchXor => AmoOp::Xor,
            Op::CompareSwap => {
                // The second one succeeds, because the first has returned the present value.
                let before = raw
                    .compare_swap(word, operand, operand, pe)
                    .and_then(|there| raw.compare_swap(word, there, operand, pe));
                // SAFETY: the caller guarantees that both ends hold a word.
                return unsafe { self.give(raw, said(before)?) };
            }
            // SAFETY: the caller guarantees that both ends hold a word.
            _ => return unsafe { self.exchange::<T>(raw) },
        };
        // SAFETY: the caller guarantees that both ends hold a word.
        unsafe { self.give(raw, said(raw.update(word, operand, op, pe))?) }
    }

    /// Those that work with words of any type.
    ///
    /// # Safety
    /// Both ends hold a word.
    unsafe fn exchange<T: Operand>(&self, raw: Raw<'_>) -> Result<u64> {
        let (word, pe, operand) = (to::<T>(self.target), self.pe, T::of(OPERAND));
        let before = said(match self.op {
            Op::Set => raw.set(word, operand, pe).map(|()| operand),
            Op::Fetch => raw.fetch(word.cast_const(), pe),
            Op::Swap => raw.swap(word, operand, pe),
            other => unreachable!("{other} is not atomic, or not of this type"),
        })?;
        // SAFETY: the caller guarantees that both ends hold a word.
        unsafe { self.give(raw, before) }
    }

    /// Stores what a non-blocking operation found, and returns its bits.
    ///
    /// # Safety
    /// The private end holds a word.
    unsafe fn give<T: Operand>(&self, raw: Raw<'_>, before: T) -> Result<u64> {
        if self.when == When::Nbi {
            // SAFETY: the caller guarantees that the place for the result holds a word.
            said(unsafe { raw.give(to::<T>(self.source), before) })?;
        }
        Ok(before.bits())
    }

    /// Does what the operation does to the bytes of the private end, the symmetric end and the signal.
    pub fn model(&self, source: &mut [u8], target: &mut [u8], signal: &mut [u8]) {
        let n = self.bytes;
        let word = |at: &[u8]| at.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        match self.op {
            Op::Put | Op::P => target[..n].copy_from_slice(&source[..n]),
            Op::Get | Op::G => source[..n].copy_from_slice(&target[..n]),
            Op::Iput | Op::Iget => {
                for i in 0..n / ELEMENT {
                    let (t, s) = (i * STRIDES.0 * ELEMENT, i * STRIDES.1 * ELEMENT);
                    let (t, s) = (&mut target[t..t + ELEMENT], &mut source[s..s + ELEMENT]);
                    if self.op == Op::Iput { t.copy_from_slice(s) } else { s.copy_from_slice(t) }
                }
            }
            Op::PutSignal | Op::PutSignalAdd => {
                target[..n].copy_from_slice(&source[..n]);
                let before = if self.op == Op::PutSignal { 0 } else { word(signal) };
                signal.copy_from_slice(&before.wrapping_add(SIGNAL).to_le_bytes());
            }
            _ => {
                let before = word(&target[..n]);
                let after = match self.op {
                    Op::Fetch => before,
                    Op::FetchAdd => before.wrapping_add(OPERAND),
                    Op::FetchAnd => before & OPERAND,
                    Op::FetchOr => before | OPERAND,
                    Op::FetchXor => before ^ OPERAND,
                    _ => OPERAND,
                };
                target[..n].copy_from_slice(&after.to_le_bytes()[..n]);
                if self.when == When::Nbi {
                    source[..n].copy_from_slice(&before.to_le_bytes()[..n]);
                }
            }
        }
    }

    /// Returns what an atomic operation finds in a word with these bytes.
    pub fn finds(&self, target: &[u8]) -> u64 {
        let word = target[..self.bytes].iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        if self.op == Op::Set { OPERAND & (u64::MAX >> (64 - 8 * self.bytes)) } else { word }
    }
}

/// A word of atomic operations.
trait Operand: Word {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! operands {
    ($($type:ty, $word:ty, $of:expr, $bits:expr;)*) => {$(
        impl Operand for $type {
            fn of(bits: u64) -> Self {
                $of(bits as $word)
            }
            fn bits(self) -> u64 {
                let word: $word = $bits(self);
                word.into()
            }
        }
    )*};
}

operands! {
    u32, u32, u32::from, u32::from;
    u64, u64, u64::from, u64::from;
    i32, u32, u32::cast_signed, i32::cast_unsigned;
    i64, u64, u64::cast_signed, i64::cast_unsigned;
    f32, u32, f32::from_bits, f32::to_bits;
    f64, u64, f64::from_bits, f64::to_bits;
}
