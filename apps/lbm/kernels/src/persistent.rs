//! All steps in one cooperative kernel, which exchanges messages itself.
//!
//! Step `n`, counted from the start of the whole computation, has two phases. Each updates the *inner* cells, for which
//! it needs no message, receives, updates the *shell*, the cells beside ghosts, and sends:
//!
//! ```text
//!   phase      0: order_parameter                     1: momentum
//!   receives   populations, message n                 φ, message n
//!   sends      φ, message n                           populations, message n + 1
//!
//!   turn   shell blocks                                          all blocks
//!   0                                                            inner tiles
//!   1      a block a piece: wait for its signal, inbox → ghosts  inner tiles
//!   2      meet, shell tiles
//!   3                                                            inner tiles
//!   4      meet; a block a piece: cells → outbox, put, signal    inner tiles
//!   ------------------------------- grid_sync -------------------------------
//! ```
//!
//! Inner tiles are dealt ([`Deal`]), a round for each turn that has some. In *device* mode all blocks are the shell's,
//! and inner tiles fall to four turns alike: while a block updates them, messages arrive, and so do the other blocks at
//! what they meet for. In *fused* and *triggered* mode the first blocks are the shell's, and all inner tiles fall to
//! the last turn: the shell's blocks begin with messages, the others with inner tiles. A PE without neighbours has no
//! shell.
//!
//! A meeting of the shell's blocks has two parts. A block *arrives*, by adding 1 to a word, when it has copied its
//! pieces to the ghosts, and again when it has updated its tiles of the shell; at the begin of a later turn it waits
//! until all have. The word is never set back: nobody arrives for a meeting before the one before is over for it, so
//! when the word has come to `m` times the blocks, all have arrived `m` times.
//!
//! What is dealt in a turn depends on `Run` and the turn alone, so rounds are the same in all blocks; a turn without
//! inner tiles is no round in any.
//!
//! **What is read is there.** A phase reads what the phase before wrote in all cells: `grid_sync` lies between. It also
//! reads ghosts, in the shell only, after a meeting at which each block arrived with its ghosts copied. The block's
//! first lane has seen the signal (acquire, system scope) before any lane reads the piece. Packing reads the shell's
//! cells, after a meeting at which each block arrived with its tiles updated.
//!
//! **Nobody overwrites what is still read.** In this PE a phase writes arrays that it does not read (`sweep`). Ghosts
//! that the phase itself reads (`f`, `a`, `b`; `φ`) are written before the meeting behind which it does. Ghosts of `g`
//! are written in phase 0 and read in phase 1, and not again before phase 0 of the next step, in which the message goes
//! to the other buffer.
//!
//! Inbox and signals: there is one of each for each kind of message. A neighbour sends populations `n + 1` in its phase
//! 1 of step `n`, when its shell blocks have met after seeing all signals of `φ` `n`. This PE sent those in its phase 0
//! of step `n`, when its shell blocks had met after seeing the signals of populations `n` and copying them out of the
//! inbox. Likewise `φ` `n + 1` comes only after this PE has sent populations `n + 1`, and so copied `φ` `n`. So each
//! signal is seen before the next of its kind is set, in turns to 1 and 2.
//!
//! Outbox: it has a part for each kind and piece, which is packed and put by the same block. A put returns when the
//! outbox may change. Triggers: see `triggered`.
//!
//! **Nobody waits for ever.** Blocks are resident together. A PE in step `n` and a phase waits for what its neighbours
//! send a phase earlier. A block that waits for others of the shell has arrived itself, and nobody waits for inner
//! tiles but `grid_sync`.
//!
//! **When a neighbour does not answer** within [`Run::limit_ns`], the block that waits for its piece notes the step and
//! the signal, and waits for signals no more. A note of step `n` is complete at the `grid_sync` that follows; all
//! blocks look for notes now and then, at the begin of the same steps, and all leave in the same one because a note of
//! the present step, which some see early, does not count. A block waits so long for each of its pieces. The shell's
//! blocks wait for each other as long as all of that takes, and once more; if that runs out too, meetings mean nothing
//! any more, and only `grid_sync` keeps blocks together until all leave. The result is not used.

use crate::cell::{Params, Real};
use crate::layout::{Boxes, Piece, Run, Shape, Watch, kinds, turns};
use crate::message;
use crate::sweep::{self, Cells, Half};
use cushmem_device::{
    Cmp, Deal, DevPtr, Lanes, Scope, SignalOp, Word, block_dim_x, block_idx_x, gate_add, grid_sync,
    signal_wait_until_for, syncthreads, thread_idx_x, wait_until_for,
};

/// Steps between looks at whether to leave early.
const LOOK_EVERY: u64 = 16;

/// Words of a run, all zero before the kernel starts.
pub mod outcome {
    /// What was late, as [`late`] makes it; 0 if nothing was.
    pub const LATE: usize = 0;
    /// In place of a signal: blocks of the PE have waited too long for each other.
    pub const OWN_BLOCKS: u32 = u32::MAX;
    /// Arrivals of shell blocks at meetings; on a line of its own.
    pub const MET: usize = 16;
    /// Shares of inner tiles that have been drawn; likewise. All blocks leave before the same step, so none is lost.
    pub const DEALT: usize = 32;
    /// Words.
    pub const WORDS: usize = 48;

    /// A step and a signal that did not arrive in it, as one word, so that those of two lanes are not mixed.
    #[inline(always)]
    pub fn late(step: u64, signal: u32) -> u64 {
        (step + 1) << 32 | signal as u64
    }

    /// The same of such a word; `None` if nothing was late.
    #[inline(always)]
    pub fn was_late(word: u64) -> Option<(u64, u32)> {
        if word == 0 { None } else { Some(((word >> 32) - 1, word as u32)) }
    }
}

/// How packed pieces leave.
pub trait Send<T>: Copy {
    /// Sends piece `index` of a kind. All lanes of the block call it.
    ///
    /// # Safety
    /// As for [`iterate`]; the lanes have met since they packed.
    unsafe fn send(self, run: &Run, kind: u32, message: u64, index: u32, piece: DevPtr<Piece>);
}

/// By puts of the block that has packed.
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

/// What a kernel that stays is given.
#[derive(Clone, Copy)]
pub struct Pe<'a, T, S> {
    /// The arrays.
    pub cells: Cells<'a, T, DevPtr<T>>,
    /// What to do.
    pub run: &'a Run,
    /// The inner box, which may be empty, and those of the shell.
    pub boxes: &'a Boxes,
    /// For each of [`kinds::LISTS`] the pieces to send, then for each those to receive.
    pub pieces: DevPtr<Piece>,
    /// Where pieces are packed.
    pub outbox: DevPtr<T>,
    /// Where they arrive.
    pub inbox: DevPtr<T>,
    /// For each kind a word for each piece.
    pub signals: DevPtr<u64>,
    /// How they leave.
    pub by: S,
    /// The word of `grid_sync`.
    pub counter: DevPtr<u32>,
    /// Those of [`outcome`].
    pub words: DevPtr<u64>,
    /// Where cells that are not sound are noted.
    pub watch: &'a Watch,
}

/// Runs all steps with [`Puts`]; see the module.
///
/// # Safety
/// As for [`iterate`].
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
/// All PEs launch it cooperatively with the same [`Run::steps`] and [`Run::done`], with cells that are that many steps
/// old, and the message of populations of that number under way. The boxes of each PE are all its cells, once; the
/// pieces of all PEs bring each ghost that is read once, and each has a signal of its own. Inbox and signals are
/// symmetric.
#[inline(always)]
pub unsafe fn iterate<T: Real, S: Send<T>>(pe: Pe<'_, T, S>) {
    let run = pe.run;
    // SAFETY: all memory is as the caller says; the order is argued in the module's text.
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

/// What a block remembers.
struct Own {
    /// The inner tiles.
    deal: Deal,
    /// Meetings at which the block has arrived.
    met: u64,
    /// How long the first lane waits for a neighbour.
    limit_ns: u64,
    /// How long it waits for other blocks.
    met_limit_ns: u64,
}

impl Own {
    /// Says that the block has come to the next meeting, with what its lanes have written.
    ///
    /// # Safety
    /// As for [`iterate`].
    #[inline(always)]
    unsafe fn arrive(&mut self, words: DevPtr<u64>) {
        self.met += 1;
        syncthreads();
        if thread_idx_x() == 0 {
            // SAFETY: a word of the launch, which only this changes.
            unsafe { gate_add(words.add(outcome::MET), 1) };
        }
    }
}

impl<T: Real, S: Send<T>> Pe<'_, T, S> {
    /// Whether the kernel ends before step `n`, as something was late.
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

    /// Updates this block's tiles of a turn: its share of the shell, or inner tiles until the turn's are dealt, the
    /// first of which is share `dealt` of the phase. Returns how many shares the turn has.
    ///
    /// The shell's and inner ones in one loop, as a second one would take registers from the first.
    ///
    /// # Safety
    /// As for [`iterate`].
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
                        // The box is read for each tile: it would take registers.
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

    /// What a block of the shell does about messages at the begin of a turn.
    ///
    /// # Safety
    /// As for [`iterate`].
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
    /// As for [`iterate`].
    #[inline(always)]
    unsafe fn receive(&self, kind: u32, n: u64, own: &mut Own) {
        let run = self.run;
        // SAFETY: the words and pieces are the launch's.
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
    /// As for [`iterate`].
    #[inline(always)]
    unsafe fn send(&self, kind: u32, message: u64) {
        let (run, block) = (self.run, block_idx_x());
        // SAFETY: the pieces are the launch's.
        unsafe {
            let pieces = self.pieces.add((kinds::list(kind, (message & 1) as u32) * run.pieces) as usize);
            let mut i = block;
            while i < run.pieces {
                let (volume, piece) = (self.cells.shape.volume, pieces.add(i as usize));
                message::pack(self.cells.memory, volume, piece, self.outbox, thread_idx_x(), block_dim_x());
                // Each lane sends what others have packed.
                syncthreads();
                self.by.send(run, kind, message, i, piece);
                i += run.shell_blocks;
            }
        }
    }

    /// Waits until all blocks of the shell have arrived as often as this one.
    ///
    /// # Safety
    /// As for [`iterate`].
    #[inline(always)]
    unsafe fn meet(&self, n: u64, own: &mut Own) {
        // SAFETY: the words are the launch's.
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

/// Notes that something was late in a step. A note of an earlier one stays: other blocks may be comparing it. Of two in
/// the same one, either stays.
///
/// # Safety
/// The words are those of [`outcome`].
#[inline(always)]
unsafe fn note_late(words: DevPtr<u64>, n: u64, signal: u32) {
    let word = words.add(outcome::LATE);
    // SAFETY: the caller vouches for the words.
    unsafe {
        if u64::load_relaxed_sys(word) == 0 {
            u64::store_relaxed_sys(word, outcome::late(n, signal));
        }
    }
}
