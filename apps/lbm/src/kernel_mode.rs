//! `--mode device`, `--mode fused` and `--mode triggered`: one kernel carries out all steps and exchanges the messages
//! itself. The protocols are described in [`lbm_kernels::persistent`] and [`lbm_kernels::triggered`].

use crate::element::Element;
use crate::field::{Field, Job};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{DeviceBuffer, Grid, Operation, SignalOp, SymSlice, Trigger};
use cushmem_program::{How, ensure_resident, gave_up, most_blocks, words_on_gpu};
use lbm_kernels::cell::Params;
use lbm_kernels::layout::{Run, kinds, turns};
use lbm_kernels::persistent::outcome;
use std::time::{Duration, Instant};

/// The field, and what the kernel needs.
pub struct KernelMode<'a, T: Element> {
    triggers: Triggers<'a>,
    field: Field<'a, T>,
    how: How,
    launch: Launch,
    /// One word per kind of message and piece, in GPU memory.
    signals: SymSlice<'a, u64>,
    /// How the run ended, and the words on which blocks wait for each other.
    words: DeviceBuffer<'a, u64>,
    limit: Duration,
    /// The number of the last message of populations sent.
    sent: Option<u64>,
}

impl<'a, T: Element> KernelMode<'a, T> {
    /// Allocates the field and what the kernel needs. Collective.
    pub fn new(job: Job<'a>, how: How, limit: Duration) -> Result<Self> {
        let field = Field::<T>::new(job)?;
        let lanes = job.lanes();
        let resident = match how {
            How::Device | How::Fused => job.module.max_resident_blocks(T::PERSISTENT, lanes)?,
            How::Triggered => job.module.max_resident_blocks(T::TRIGGERED, lanes)?,
        };
        let launch = Launch::new(
            how,
            resident.min(most_blocks(job.shmem)),
            [field.inner.tiles, field.shell.tiles],
            field.pieces_of_list(),
        );
        ensure_resident(resident, lanes, launch.blocks.into())?;
        let signals = job.shmem.malloc_gpu((2 * field.pieces_of_list() as usize).max(1))?;
        signals.copy_from(&vec![0; signals.len()])?;
        let triggers = match how {
            How::Triggered => Triggers::new(&field, signals)?,
            How::Device | How::Fused => Triggers { _all: vec![], numbers: words_on_gpu(job.shmem, &[])? },
        };
        let words = job.shmem.device_alloc(outcome::WORDS)?;
        Ok(Self { triggers, field, how, launch, signals, words, limit, sent: None })
    }

    /// Starts the kernel.
    fn start(&self, params: &Params<T>, run: Run) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let (memory, shape, params) = (field.memory(), field.shape, *params);
        let (boxes, pieces, signals) = (field.all.boxes(), field.pieces(), self.signals.device_ptr());
        let (outbox, inbox) = (field.outbox.device_ptr(), field.inbox.device_ptr());
        let (words, watch, counter) = (self.words.device_ptr(), field.watch(0), job.stream.grid_counter());
        let grid = Grid::linear(self.launch.blocks, job.lanes());
        // SAFETY: all memory is as the kernels require: the arrays have this shape, the boxes cover all cells and the
        // pieces all ghosts, as the plan's tests show. All PEs launch the kernel, after `begin` or after a run that
        // ended at the same step.
        unsafe {
            if self.how == How::Triggered {
                let triggers = self.triggers.numbers.device_ptr().cast();
                let args = (
                    memory, shape, params, run, boxes, pieces, triggers, outbox, inbox, signals, counter, words, watch,
                );
                job.stream.launch_cooperative(job.module, T::TRIGGERED, grid, args)?;
            } else {
                let args = (memory, shape, params, run, boxes, pieces, outbox, inbox, signals, counter, words, watch);
                job.stream.launch_cooperative(job.module, T::PERSISTENT, grid, args)?;
            }
        }
        Ok(())
    }

    fn check(&self, words: &[u64]) -> Result<()> {
        let Some((step, signal)) = outcome::was_late(words[outcome::LATE]) else { return Ok(()) };
        let late = self.field.plan.receives[0].get(signal as usize);
        let from = late.map_or("a neighbour".into(), |piece| format!("PE {}", piece.pe));
        let from = (signal != outcome::OWN_BLOCKS).then_some(from.as_str());
        Err(gave_up(self.field.job.shmem, &format!("step {step}"), from, self.limit))
    }
}

impl<'a, T: Element> Solver<'a, T> for KernelMode<'a, T> {
    fn field(&self) -> &Field<'a, T> {
        &self.field
    }

    fn field_mut(&mut self) -> &mut Field<'a, T> {
        &mut self.field
    }

    fn begin(&mut self) -> Result<()> {
        self.field.settle(self.signals, self.field.pieces_of_list() as usize, self.sent)?;
        self.field.send_first()?;
        self.sent = Some(self.field.set_signals(self.signals, self.field.pieces_of_list() as usize)?);
        Ok(())
    }

    fn run(&mut self, params: &Params<T>, steps: u64, exchange: bool) -> Result<Duration> {
        let field = &self.field;
        self.words.copy_from(&[0; outcome::WORDS])?;
        let Launch { shell_blocks, pairs, early, late, .. } = self.launch;
        let run = Run {
            steps,
            done: field.done(),
            limit_ns: self.limit.as_nanos() as u64,
            pieces: field.pieces_of_list(),
            pieces_of_block: field.pieces_of_list().div_ceil(shell_blocks.max(1)),
            pairs,
            shell_tiles: field.shell.tiles,
            shell_blocks,
            early,
            late,
            exchange: exchange.into(),
            turns: turns::COUNT,
        };
        let start = Instant::now();
        self.start(params, run)?;
        field.job.stream.synchronize()?;
        let total = start.elapsed();
        let words = self.words.to_vec()?;
        self.check(&words)?;
        self.field.set_done(self.field.done() + steps);
        if exchange {
            self.sent = Some(self.field.done());
        }
        Ok(total)
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.field.job.shmem;
        self.field.settle(self.signals, self.field.pieces_of_list() as usize, self.sent)?;
        drop(self.triggers);
        shmem.free(self.signals)?;
        self.field.free()
    }
}

/// The triggers that a kernel bumps to have pieces put.
struct Triggers<'a> {
    _all: Vec<Trigger<'a>>,
    /// For the kernel: one trigger per kind, signal value and piece.
    numbers: DeviceBuffer<'a, u64>,
}

impl<'a> Triggers<'a> {
    fn new<T: Element>(field: &Field<'a, T>, signals: SymSlice<'a, u64>) -> Result<Self> {
        let shmem = field.job.shmem;
        let (mut all, mut numbers) = (vec![], vec![]);
        for kind in [kinds::POPULATIONS, kinds::PHI] {
            for message in 0..2 {
                let pieces = &field.plan.sends[kinds::list(kind, 0) as usize];
                for (i, piece) in pieces.iter().enumerate() {
                    let at = piece.packed as usize;
                    let range = at + piece.begin as usize..at + piece.end as usize;
                    let signal = signals.at(kind as usize * pieces.len() + i);
                    let (to, from) = (field.inbox.slice(range.clone()), field.outbox.slice(range));
                    let put = Operation::put_signal(to, from, signal, kinds::signal(message), SignalOp::Set, piece.pe)?;
                    let trigger = shmem.trigger(put, 1)?;
                    trigger.arm_always()?;
                    numbers.push(trigger.device().number());
                    all.push(trigger);
                }
            }
        }
        Ok(Self { _all: all, numbers: words_on_gpu(shmem, &numbers)? })
    }
}

/// How the kernel is launched; see [`Run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Launch {
    blocks: u32,
    shell_blocks: u32,
    /// The number of shares that have two tiles.
    pairs: u32,
    early: u32,
    late: u32,
}

/// The cost of a shell tile, in inner tiles, including packing, copying to the ghosts and meetings. A guess.
const SHELL_COST: u64 = 3;
/// Blocks draw two inner tiles at a time, because they all draw from one word, which cannot change more often than
/// every 2 ns (H200). The last tiles, this many per block, are drawn one by one, so that all blocks finish at about the
/// same time.
const SINGLE_TILES: u32 = 4;

impl Launch {
    /// A launch of `most` blocks, or of fewer if some would have nothing to do. In device mode all blocks belong to the
    /// shell, and messages arrive while they update inner tiles. In the other modes, the shell has just enough blocks
    /// to take about as long as the inner tiles.
    fn new(how: How, most: u32, [inner, shell]: [u32; 2], pieces: u32) -> Self {
        let blocks = most.min((inner + shell).max(pieces)).max(1);
        let singles = SINGLE_TILES.saturating_mul(blocks);
        let pairs = match how {
            // All shares or none, so that all turns are alike.
            How::Device if pieces > 0 => inner / 2 * u32::from(inner / 2 >= singles),
            _ => inner.saturating_sub(singles) / 2,
        };
        let shares = inner - pairs;
        if pieces == 0 {
            return Self { blocks, shell_blocks: 0, pairs, early: 0, late: shares };
        }
        if how == How::Device {
            let early = shares / (turns::EARLY + 1);
            return Self { blocks, shell_blocks: blocks, pairs, early, late: shares - turns::EARLY * early };
        }
        let shell_work = SHELL_COST * u64::from(shell);
        let each = (u64::from(inner) + shell_work).div_ceil(blocks.into()).max(1);
        let shell_blocks = shell_work.div_ceil(each).max(pieces.into()).min(u64::from(blocks.div_ceil(2)));
        Self { blocks, shell_blocks: shell_blocks.max(1) as u32, pairs, early: 0, late: shares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a late neighbour that goes unnoticed or is mistaken for another.
    #[test]
    fn what_was_late_is_one_word() {
        assert_eq!(outcome::was_late(0), None);
        for (step, signal) in [(0, 0), (0, 7), (14_499, 0), (14_499, outcome::OWN_BLOCKS)] {
            assert_eq!(outcome::was_late(outcome::late(step, signal)), Some((step, signal)));
        }
    }

    /// Catches launches whose shell has no blocks, or more than the launch has.
    #[test]
    fn the_shell_has_blocks() {
        for (inner, shell, pieces) in [(0, 1, 2), (1, 2, 2), (100_000, 1000, 128), (500, 5000, 400), (7, 7, 7)] {
            for most in 1..200 {
                let launch = Launch::new(How::Fused, most, [inner, shell], pieces);
                assert!(launch.blocks <= most && (1..=launch.blocks).contains(&launch.shell_blocks), "{launch:?}");
                let (singles, left) = (SINGLE_TILES * launch.blocks, inner - 2 * launch.pairs);
                assert!(left <= singles + 1 && (launch.pairs == 0 || left >= singles), "{launch:?}");
                assert_eq!((launch.early, launch.late), (0, inner - launch.pairs));
                let device = Launch::new(How::Device, most, [inner, shell], pieces);
                assert_eq!(device.shell_blocks, device.blocks);
                assert_eq!(turns::EARLY * device.early + device.late, inner - device.pairs, "{device:?}");
                assert!(device.late - device.early <= turns::EARLY, "{device:?}: turns are alike");
                assert!([0, inner / 2].contains(&device.pairs), "{device:?}: turns are alike");
            }
        }
        let large = Launch::new(How::Fused, 800, [100_000, 1000], 128);
        assert!((128..=150).contains(&large.shell_blocks), "{large:?}: most blocks are for inner tiles");
        let alone = Launch::new(How::Fused, 100, [50, 0], 0);
        assert_eq!((alone.blocks, alone.shell_blocks), (50, 0));
    }
}
