//! Operations in kernels, as slices on tracks: one for each block, or for each of its warps that records.
//!
//! Slices of a track lie in each other or beside each other. Blocks with one number, of kernels on several streams, run
//! at the same time, so what crosses another slice is moved to a further track.

use crate::names::KernelOperation;
use crate::read::{Event, Of};
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
                    names.push((track, format!("kernels, block {block}{by}{more}")));
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
            subject: None,
        };
        // The second lies in the first, the third crosses it, and the fourth comes after all.
        for event in [at(100, 100, 3, 0), at(120, 30, 3, 0), at(150, 100, 3, 0), at(300, 10, 3, 0), at(100, 100, 3, 1)]
        {
            assert!(kernels.take(&event));
        }
        assert!(!kernels.take(&Event { of: Of::Kernel, ..at(0, 0, 0, 0) }));
        let (slices, names) = kernels.finish();
        let first = track_of(3, 0);
        let found: Vec<_> = slices.iter().map(|slice| (slice.event.from, slice.track - first)).collect();
        assert_eq!(found, [(100, 0), (120, 0), (150, 1), (300, 0), (100, track_of(3, 1) - first)]);
        let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["kernels, block 3", "kernels, block 3 (2)", "kernels, block 3, warp 1"]);
    }
}
