//! All steps in one cooperative kernel, which exchanges messages itself.
//!
//! Step `n`, counted from the start of the whole computation, has two phases. Each phase updates the *inner* cells,
//! which need no message; receives a message; updates the *shell*, that is the cells next to ghosts; and sends a
//! message:
//!
//! ```text
//!   phase      0: order_parameter                     1: momentum
//!   receives   populations, message n                 φ, message n
//!   sends      φ, message n                           populations, message n + 1
//!
//!   turn   shell blocks                                          all blocks
//!   0                                                            inner tiles
//!   1      block per piece: wait for its signal, inbox → ghosts  inner tiles
//!   2      meet, shell tiles
//!   3                                                            inner tiles
//!   4      meet; block per piece: cells → outbox, put, signal    inner tiles
//!   ------------------------------- grid_sync -------------------------------
//! ```
//!
//! Inner tiles are dealt ([`Deal`]), one round per turn that has some. In *device* mode all blocks belong to the shell,
//! and inner tiles are spread evenly over four turns: while a block updates them, messages arrive, and other blocks
//! reach the next meeting. In *fused* and *triggered* mode only the first blocks belong to the shell, and all inner
//! tiles are in the last turn: the shell's blocks start with messages, the others with inner tiles. A PE without
//! neighbours has no shell.
//!
//! A *meeting* of the shell's blocks is a barrier in two parts. A block *arrives*, by adding 1 to a word, when it has
//! copied its pieces to the ghosts, and again when it has updated its tiles of the shell. At the start of a later turn
//! it waits until all have arrived. The word is never reset: no block arrives at a meeting before the previous one is
//! over for it, so when the word has reached `m` times the number of blocks, all have arrived `m` times.
//!
//! What is dealt in a turn depends only on `Run` and the turn, so all blocks have the same rounds; a turn without inner
//! tiles is not a round for any block.
//!
//! **Why all data that is read has arrived.** A phase reads what the previous phase wrote in all cells; `grid_sync`
//! lies between the two. Only in the shell does it also read ghosts, after a meeting at which each block arrived with
//! its ghosts copied. The block's first lane has seen the signal (acquire, system scope) before any lane reads the
//! piece. Packing reads the shell's cells, after a meeting at which each block arrived with its tiles updated.
//!
//! **Why nobody overwrites what is still read.** Within this PE, a phase writes only arrays that it does not read
//! (`sweep`). Ghosts that the phase itself reads (`f`, `a`, `b`; `φ`) are written before the meeting after which it
//! reads them. Ghosts of `g` are written in phase 0 and read in phase 1. They are not written again before phase 0 of
//! the next step, in which the message goes to the other buffer.
//!
//! *Inbox and signals*: there is one of each for each kind of message. A neighbour sends populations `n + 1` in its
//! phase 1 of step `n`, when its shell blocks have met after seeing all signals of `φ` `n`. This PE sent those in its
//! phase 0 of step `n`, when its shell blocks had met after seeing the signals of populations `n` and copying these out
//! of the inbox. Likewise `φ` `n + 1` comes only after this PE has sent populations `n + 1`, and has therefore copied
//! `φ` `n`. So each signal is seen before the next of its kind is set. A signal's values alternate between 1 and 2.
//!
//! *Outbox*: it has a part for each kind and piece, and the same block packs and puts it. A put returns when the outbox
//! may change. For triggers, see `triggered`.
//!
//! **Why nobody waits forever.** All blocks are resident together. A PE waits only for what its neighbours send one
//! phase earlier than its own. A block that waits for other shell blocks has itself arrived, and only `grid_sync` waits
//! for inner tiles.
//!
//! **When a neighbour does not answer** within [`Run::limit_ns`], the block that waits for its piece notes the step and
//! the signal, and stops waiting for signals. A note of step `n` is complete at the `grid_sync` that follows. Every few
//! steps, all blocks check for notes at the start of the step. All leave in the same step, because a note of the
//! current step, which some blocks see early, does not count. A block may wait the full limit for each of its pieces.
//! The shell's blocks wait for each other as long as all of that can take, plus the limit once more. If that runs out
//! too, meetings no longer order anything, and only `grid_sync` keeps the blocks together until all leave. The result
//! is not used.

use crate::cell::{Params, Real};
use crate::layout::{Boxes, Piece, Run, Shape, Watch, kinds, turns};
use crate::message;
use crate::sweep::{self, Cells, Half};
use cushmem_device::{
    Cmp, Deal, DevPtr, Lanes, Scope, SignalOp, Word, block_dim_x, block_idx_x, gate_add, grid_sync,
    signal_wait_until_for, syncthreads, thread_idx_x, wait_until_for,
};

/// Steps between checks for whether to leave early.
const LOOK_EVERY: u64 = 16;

/// Words of a run, all zero before the kernel starts.
pub mod outcome {
    /// What was late, encoded by [`late`]; 0 if nothing was.
    pub const LATE: usize = 0;
    /// In place of a signal: blocks of the PE have waited too long for each other.
    pub const OWN_BLOCKS: u32 = u32::MAX;
    /// Arrivals of shell blocks at meetings; on a cache line of its own.
    pub const MET: usize = 16;
    /// Shares of inner tiles that have been drawn; on a cache line of its own. All blocks leave before the same step,
    /// so no share is lost.
    pub const DEALT: usize = 32;
    /// The number of words.
    pub const WORDS: usize = 48;

    /// A step and a signal that did not arrive in it, packed into one word so that the notes of two lanes do not mix.
    #[inline(always)]
    pub fn late(step: u64, signal: u32) -> u64 {
        (step + 1) << 32 | signal as u64
    }

    /// Decodes such a word; `None` if nothing was late.
    #[inline(always)]
    pub fn was_late(word: u64) -> Option<(u64, u32)> {
        if word == 0 { None } else { Some(((word >> 32) - 1, word as u32)) }
    }
}

/// How packed pieces are sent.
pub trait Send<T>: Copy {
    /// Sends piece `index` of a kind. All lanes of the block call it.
    ///
    /// # Safety
    /// The conditions of [`iterate`]; the lanes have synchronised since they packed.
    unsafe fn send(self, run: &Run, kind: u32, message: u64, index: u32, piece: DevPtr<Piece>);
}

/// Puts by the block that has packed.
#[derive(Clone, Copy)]
pub struct Puts<T> {
    outbox: DevPtr<T>,
    inbox: DevPtr<T>,
    signals: DevPtr<u64>,
}

impl<T: Real> Send<T> for Puts<T> {
    #[inline(always)]
    unsafe fn send(self, run: &Run, kind: u32, message: u64, _: u32, piece: DevPtr<Piece>) {
        // SAFETY: a piece of the launch; the neighbour's inbox has room for it, and the signal is this piece's.
        unsafe {
            let piece = piece.read();
            let (at, count) = (piece.packed as usize + piece.begin as usize, (piece.end - piece.begin) as usize);
            let signal = self.signals.add((kind * run.pieces) as usize + piece.signal as usize);
            let (to, from) = (self.inbox.add(at), self.outbox.add(at));
            Lanes(piece.lanes).put_signal(to, from, count, signal, kinds::signal(message), SignalOp::Set, piece.pe);
        }
    }
}

/// The arguments of a kernel that runs all steps.
#[derive(Clone, Copy)]
pub struct Pe<'a, T, S> {
    /// The arrays.
    pub cells: Cells<'a, T, DevPtr<T>>,
    /// What to do.
    pub run: &'a Run,
    /// The inner box, which may be empty, and the boxes of the shell.
    pub boxes: &'a Boxes,
    /// The pieces to send for each of [`kinds::LISTS`], followed by the pieces to receive for each.
    pub pieces: DevPtr<Piece>,
    /// Where pieces are packed.
    pub outbox: DevPtr<T>,
    /// Where they arrive.
    pub inbox: DevPtr<T>,
    /// A word for each piece of each kind.
    pub signals: DevPtr<u64>,
    /// How pieces are sent.
    pub by: S,
    /// The word of `grid_sync`.
    pub counter: DevPtr<u32>,
    /// The words of [`outcome`].
    pub words: DevPtr<u64>,
    /// Where unsound cells are noted.
    pub watch: &'a Watch,
}

/// Runs all steps with [`Puts`]; see the module's text.
///
/// # Safety
/// The conditions of [`iterate`].
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel's
pub unsafe fn with_puts<T: Real>(
    memory: DevPtr<T>,
    shape: Shape,
    params: Params<T>,
    run: Run,
    boxes: Boxes,
    pieces: DevPtr<Piece>,
    outbox: DevPtr<T>,
    inbox: DevPtr<T>,
    signals: DevPtr<u64>,
    counter: DevPtr<u32>,
    words: DevPtr<u64>,
    watch: Watch,
) {
    let (cells, by) =
        (Cells { memory, volume: shape.volume, shape: &shape, params: &params }, Puts { outbox, inbox, signals });
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        iterate(Pe {
            cells,
            run: &run,
            boxes: &boxes,
            pieces,
            outbox,
            inbox,
            signals,
            by,
            counter,
            words,
            watch: &watch,
        })
    };
}

/// Runs all steps.
///
/// # Safety
/// All PEs launch it cooperatively with the same [`Run::steps`] and [`Run::done`], with cells after [`Run::done`]
/// steps, and the message of populations of that number under way. The boxes of each PE cover each of its cells once.
/// The pieces of all PEs deliver each ghost that is read once, and each piece has a signal of its own. Inbox and
/// signals are symmetric.
#[inline(always)]
pub unsafe fn iterate<T: Real, S: Send<T>>(pe: Pe<'_, T, S>) {
    let run = pe.run;
    // SAFETY: all memory is as the caller guarantees; the order is argued in the module's text.
    unsafe {
        let deal = Deal::begin(pe.words.add(outcome::DEALT));
        let met_limit_ns = run.limit_ns * (1 + u64::from(run.pieces_of_block));
        let mut own = Own { deal, met: 0, limit_ns: run.limit_ns, met_limit_ns };
        let mut n = run.done;
        while n < run.done + run.steps && !pe.gives_up(n) {
            let mut phase = 0;
            while phase < 2 {
                let (mut turn, mut dealt) = (0, 0);
                while turn < run.turns {
                    pe.exchange(turn, phase, n, &mut own);
                    dealt += pe.tiles(turn, dealt, phase, n, &mut own.deal);
                    turn += 1;
                }
                grid_sync(pe.counter);
                phase += 1;
            }
            n += 1;
        }
    }
}

/// The state of a block.
struct Own {
    /// Its draws of inner tiles.
    deal: Deal,
    /// Meetings at which the block has arrived.
    met: u64,
    /// How long the first lane waits for a neighbour, in nanoseconds.
    limit_ns: u64,
    /// How long it waits for other blocks, in nanoseconds.
    met_limit_ns: u64,
}

impl Own {
    /// Arrives at the next meeting, and releases what the block's lanes have written.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn arrive(&mut self, words: DevPtr<u64>) {
        self.met += 1;
        syncthreads();
        if thread_idx_x() == 0 {
            // SAFETY: a word of the launch, which only this code changes.
            unsafe { gate_add(words.add(outcome::MET), 1) };
        }
    }
}

impl<T: Real, S: Send<T>> Pe<'_, T, S> {
    /// Returns whether the kernel ends before step `n` because something was late.
    #[inline(always)]
    fn gives_up(&self, n: u64) -> bool {
        if n % LOOK_EVERY != LOOK_EVERY - 1 {
            return false;
        }
        // SAFETY: a word of the launch. No order needed: `grid_sync` has ordered all values that count.
        let late = unsafe { u64::load_relaxed_sys(self.words.add(outcome::LATE)) };
        late != 0 && late < outcome::late(n, 0)
    }

    #[inline(always)]
    fn half(&self, phase: u32, n: u64) -> Half<'_, T> {
        Half { cells: self.cells, phase, buffer: (n & 1) as u32, watch: self.watch, ahead: n }
    }

    /// Updates this block's tiles of a turn: its share of the shell, or inner tiles until those of the turn have been
    /// dealt. The first inner tiles of the turn are share `dealt` of the phase. Returns how many shares the turn has.
    ///
    /// One loop handles both shell and inner tiles, because a second loop would take registers from the first.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn tiles(&self, turn: u32, dealt: u32, phase: u32, n: u64, deal: &mut Deal) -> u32 {
        let (run, is_shell) = (self.run, turn == turns::SHELL);
        let shares = match turn {
            turns::SHELL => 0,
            turns::SEND => run.late,
            _ => run.early,
        };
        let has_tiles = if is_shell { block_idx_x() < run.shell_blocks } else { shares > 0 };
        if !has_tiles {
            return 0;
        }
        let mut tile = block_idx_x();
        // SAFETY: the order is argued in the module's text.
        unsafe {
            loop {
                let mut end = tile + 1;
                if !is_shell {
                    let Some(share) = deal.next(shares.into()) else { break };
                    let share = dealt + share as u32;
                    let is_pair = share < run.pairs;
                    tile = share + if is_pair { share } else { run.pairs };
                    end = tile + 1 + u32::from(is_pair);
                } else if tile >= run.shell_tiles {
                    break;
                }
                while tile < end {
                    let (mut own, mut number) = (self.boxes.first, tile);
                    if is_shell {
                        // The box is loaded for each tile, because it would otherwise take registers.
                        let mut part = self.boxes.others;
                        while number >= part.read().tiles {
                            number -= part.read().tiles;
                            part = part.add(1);
                        }
                        own = part.read();
                    }
                    sweep::tile(&own, number, &self.half(phase, n));
                    tile += 1;
                }
                tile += if is_shell { run.shell_blocks - 1 } else { 0 };
            }
        }
        shares
    }

    /// What a block of the shell does about messages at the start of a turn.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn exchange(&self, turn: u32, phase: u32, n: u64, own: &mut Own) {
        if self.run.exchange == 0 || block_idx_x() >= self.run.shell_blocks {
            return;
        }
        // SAFETY: the order is argued in the module's text.
        unsafe {
            match turn {
                turns::RECEIVE => {
                    self.receive(phase, n, own);
                    own.arrive(self.words);
                }
                turns::SHELL => self.meet(n, own),
                turns::UPDATED => own.arrive(self.words),
                turns::SEND => {
                    self.meet(n, own);
                    self.send(1 - phase, n + u64::from(phase));
                }
                _ => {}
            }
        }
    }

    /// Waits for this block's pieces of a message, one after the other, and copies them to the ghosts.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn receive(&self, kind: u32, n: u64, own: &mut Own) {
        let run = self.run;
        // SAFETY: the words and pieces belong to the launch.
        unsafe {
            let list = kinds::LISTS + kinds::list(kind, (n & 1) as u32);
            let pieces = self.pieces.add((list * run.pieces) as usize);
            let mut i = block_idx_x();
            while i < run.pieces {
                if thread_idx_x() == 0 {
                    let signal = self.signals.add((kind * run.pieces + i) as usize);
                    if signal_wait_until_for(signal, Cmp::Eq, kinds::signal(n), own.limit_ns).is_none() {
                        own.limit_ns = 0;
                        note_late(self.words, n, i);
                    }
                }
                syncthreads();
                let volume = self.cells.shape.volume;
                message::unpack(
                    self.cells.memory,
                    volume,
                    pieces.add(i as usize),
                    self.inbox,
                    thread_idx_x(),
                    block_dim_x(),
                );
                i += run.shell_blocks;
            }
        }
    }

    /// Sends a message.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn send(&self, kind: u32, message: u64) {
        let (run, block) = (self.run, block_idx_x());
        // SAFETY: the pieces belong to the launch.
        unsafe {
            let pieces = self.pieces.add((kinds::list(kind, (message & 1) as u32) * run.pieces) as usize);
            let mut i = block;
            while i < run.pieces {
                let (volume, piece) = (self.cells.shape.volume, pieces.add(i as usize));
                message::pack(self.cells.memory, volume, piece, self.outbox, thread_idx_x(), block_dim_x());
                // Each lane sends what other lanes have packed.
                syncthreads();
                self.by.send(run, kind, message, i, piece);
                i += run.shell_blocks;
            }
        }
    }

    /// Waits until all blocks of the shell have arrived as often as this one.
    ///
    /// # Safety
    /// The conditions of [`iterate`].
    #[inline(always)]
    unsafe fn meet(&self, n: u64, own: &mut Own) {
        // SAFETY: the words belong to the launch.
        unsafe {
            if thread_idx_x() == 0 {
                let all = own.met * u64::from(self.run.shell_blocks);
                if wait_until_for(self.words.add(outcome::MET), Cmp::Ge, all, own.met_limit_ns).is_none() {
                    own.met_limit_ns = 0;
                    note_late(self.words, n, outcome::OWN_BLOCKS);
                }
            }
            syncthreads();
        }
    }
}

/// Notes that something was late in a step. A note of an earlier step stays, because other blocks may be comparing it.
/// Of two notes of the same step, either may stay.
///
/// # Safety
/// The words are those of [`outcome`].
#[inline(always)]
unsafe fn note_late(words: DevPtr<u64>, n: u64, signal: u32) {
    let word = words.add(outcome::LATE);
    // SAFETY: the caller guarantees that the words are valid.
    unsafe {
        if u64::load_relaxed_sys(word) == 0 {
            u64::store_relaxed_sys(word, outcome::late(n, signal));
        }
    }
}
