//! Operations in kernels, as slices on tracks: one for each block, or for each of its warps that records.
//!
//! Slices of a track lie in each other or beside each other. Blocks with one number, of kernels on several streams, run
//! at the same time, so what crosses another slice is moved to a further track.

use crate::read::{Event, Of};
use cushmem_abi::{KernelOperation, KernelWork};
use std::collections::BTreeMap;

/// The number of the first track, behind those of threads and streams.
const FIRST_TRACK: u32 = 1 << 20;
/// The most tracks for what crosses.
const MOST_BESIDE: usize = 8;

/// The track of a warp of a block.
pub(crate) fn track_of(block: u16, warp: u8) -> u32 {
    FIRST_TRACK + (u32::from(block) * 32 + u32::from(warp)) * MOST_BESIDE as u32
}

/// An operation of a kernel, on its track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) operation: KernelOperation,
    pub(crate) event: Event,
    pub(crate) track: u32,
}

/// Where slices are that have been moved, so that arrows begin and end there: by PE, usual track and beginning or end.
#[derive(Default)]
pub(crate) struct Moved {
    beginnings: BTreeMap<(u32, u32, u64), u32>,
    ends: BTreeMap<(u32, u32, u64), u32>,
}

impl Moved {
    /// Notes a slice of a PE, if it was moved.
    pub(crate) fn take(&mut self, pe: u32, slice: &Slice) {
        let Of::InKernel(_, block, warp) = slice.event.of else { return };
        let usual = track_of(block, warp);
        if slice.track != usual {
            self.beginnings.insert((pe, usual, slice.event.from), slice.track);
            self.ends.insert((pe, usual, slice.event.until()), slice.track);
        }
    }

    /// The track of what begins on a track of a PE at a time.
    pub(crate) fn beginning(&self, pe: u32, track: u32, at: u64) -> u32 {
        self.beginnings.get(&(pe, track, at)).copied().unwrap_or(track)
    }

    /// The track of what ends there.
    pub(crate) fn end(&self, pe: u32, track: u32, at: u64) -> u32 {
        self.ends.get(&(pe, track, at)).copied().unwrap_or(track)
    }
}

/// The operations of a PE's kernels, as its events come one after the other.
#[derive(Default)]
pub(crate) struct Kernels(BTreeMap<(u16, u8), Vec<(KernelOperation, Event)>>);

impl Kernels {
    /// Takes the next event; returns whether it is one of these.
    pub(crate) fn take(&mut self, event: &Event) -> bool {
        let Of::InKernel(operation, block, warp) = event.of else { return false };
        self.0.entry((block, warp)).or_default().push((operation, *event));
        true
    }

    /// All of them, in order on each track, and the names of the tracks.
    pub(crate) fn finish(self) -> (Vec<Slice>, Vec<(u32, String)>) {
        let (mut slices, mut names) = (vec![], vec![]);
        for ((block, warp), mut events) in self.0 {
            events.sort_by_key(|(_, event)| (event.from, u64::MAX - event.ns));
            // For each track, the ends of the slices that are open.
            let mut open: Vec<Vec<u64>> = vec![];
            for (operation, event) in events {
                for ends in &mut open {
                    ends.retain(|end| *end > event.from);
                }
                let fits = |ends: &Vec<u64>| ends.last().is_none_or(|end| event.until() <= *end);
                let beside = open.iter().position(fits).unwrap_or(open.len()).min(MOST_BESIDE - 1);
                let track = track_of(block, warp) + beside as u32;
                if beside == open.len() {
                    let more = if beside == 0 { String::new() } else { format!(" ({})", beside + 1) };
                    let by = if warp == 0 { String::new() } else { format!(", warp {warp}") };
                    let name = match KernelWork::server(block, warp) {
                        Some(name) => format!("{name}{more}"),
                        None => format!("kernels, block {block}{by}{more}"),
                    };
                    names.push((track, name));
                    open.push(vec![]);
                }
                open[beside].push(event.until());
                slices.push(Slice { operation, event, track });
            }
        }
        (slices, names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches slices that cross each other on a track, and warps on the track of another.
    #[test]
    fn what_crosses_gets_a_track_of_its_own() {
        let mut kernels = Kernels::default();
        let at = |from, ns, block, warp| Event {
            of: Of::InKernel(KernelOperation::Put, block, warp),
            track: 0,
            from,
            ns,
            bytes: 0,
            pe: None,
            kernel: 0,
            subject: None,
        };
        let [processor, agent] = [KernelWork::PROCESSOR, KernelWork::AGENT];
        // The second lies in the first, the third crosses it, and the fourth comes after all.
        for event in [
            at(100, 100, 3, 0),
            at(120, 30, 3, 0),
            at(150, 100, 3, 0),
            at(300, 10, 3, 0),
            at(100, 100, 3, 1),
            at(100, 9, processor.0, processor.1),
            at(100, 9, agent.0, agent.1),
        ] {
            assert!(kernels.take(&event));
        }
        assert!(!kernels.take(&Event { of: Of::Kernel, ..at(0, 0, 0, 0) }));
        let (slices, names) = kernels.finish();
        let mut moved = Moved::default();
        slices.iter().for_each(|slice| moved.take(7, slice));
        let first = track_of(3, 0);
        assert_eq!((moved.beginning(7, first, 150), moved.end(7, first, 250)), (first + 1, first + 1));
        assert_eq!((moved.beginning(7, first, 120), moved.beginning(6, first, 150)), (first, first));
        let found: Vec<_> = slices.iter().map(|slice| (slice.event.from, slice.track - first)).collect();
        let [by_warp, by_processor, by_agent] =
            [(3, 1), processor, agent].map(|(block, warp)| (100, track_of(block, warp) - first));
        assert_eq!(found, [(100, 0), (120, 0), (150, 1), (300, 0), by_warp, by_processor, by_agent]);
        let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(
            names,
            ["kernels, block 3", "kernels, block 3 (2)", "kernels, block 3, warp 1", "command processor", "GPU agent"]
        );
    }
}
