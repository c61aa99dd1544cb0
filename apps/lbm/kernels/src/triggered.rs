//! The kernel of `persistent`, but its pieces are sent by triggers that the CPU has described and armed permanently.
//!
//! There is a trigger for each combination of piece, kind of message and value of the signal (1 or 2), because a
//! trigger always puts the same. The block that has packed a piece bumps the piece's trigger, whose threshold is 1, and
//! its lanes carry out the put. If this GPU cannot reach the neighbour, the proxy does the put, and no block waits for
//! it.
//!
//! **Why nobody packs over data that is still to be put.** A block packs message `n + 1` of a kind when this PE has
//! received a message of the other kind that its neighbours sent after they had received message `n`: the signals, and
//! so the data before them.
//!
//! **A trigger that is not armed** puts nothing, and the neighbour gives up after [`Run::limit_ns`].

use crate::cell::{Params, Real};
use crate::layout::{Boxes, Piece, Run, Shape, Watch};
use crate::persistent::{Pe, Send, iterate};
use crate::sweep::Cells;
use cushmem_device::{DevPtr, DeviceTrigger, Lanes, Scope};

/// Sending by triggers, of which there is one for each kind, signal and piece.
#[derive(Clone, Copy)]
struct Triggers(DevPtr<DeviceTrigger>);

impl<T: Real> Send<T> for Triggers {
    #[inline(always)]
    unsafe fn send(self, run: &Run, kind: u32, message: u64, index: u32, piece: DevPtr<Piece>) {
        let number = (2 * kind + (message & 1) as u32) * run.pieces + index;
        // SAFETY: the trigger of this piece, whose part of the outbox nobody changes until the neighbour has it.
        unsafe { Lanes(piece.read().lanes).trigger(self.0.add(number as usize).read(), 1) };
    }
}

/// Runs all steps with triggers.
///
/// # Safety
/// The conditions of [`iterate`]. The triggers of all PEs put each piece where `Puts` would; they are armed
/// permanently.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel's
pub unsafe fn with_triggers<T: Real>(
    memory: DevPtr<T>,
    shape: Shape,
    params: Params<T>,
    run: Run,
    boxes: Boxes,
    pieces: DevPtr<Piece>,
    triggers: DevPtr<DeviceTrigger>,
    outbox: DevPtr<T>,
    inbox: DevPtr<T>,
    signals: DevPtr<u64>,
    counter: DevPtr<u32>,
    words: DevPtr<u64>,
    watch: Watch,
) {
    let (cells, by) = (Cells { memory, volume: shape.volume, shape: &shape, params: &params }, Triggers(triggers));
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
