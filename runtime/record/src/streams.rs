//! When the streams of a PE had work.
//!
//! The record has the calls that enqueue work and those that wait for a stream, and no more: the driver would have to
//! be asked when a kernel begins and ends, which costs each launch some of the time that is to be measured. So a stream
//! *may be busy* from the first call that enqueues something until a wait for the stream has returned.

use crate::names::{Operation, Subject};
use crate::read::{Event, Of};
use std::collections::BTreeMap;

/// A time in which a stream may have been busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// The number of the stream among those of the PE, in the order in which they were used first.
    pub stream: usize,
    /// When work was enqueued first.
    pub from: u64,
    /// When everything was known to have finished.
    pub until: u64,
    /// The number of kernels and graphs that were launched.
    pub launches: u64,
    /// How many of these were of which kernel, by the number of its name.
    pub kernels: BTreeMap<u8, u64>,
    /// The number of other operations.
    pub others: u64,
}

/// The streams of a PE, as its events come one after the other.
#[derive(Default)]
pub(crate) struct Streams {
    numbers: BTreeMap<u64, usize>,
    open: BTreeMap<u64, Busy>,
    /// The end of the last event of a stream.
    last: u64,
}

impl Streams {
    /// Takes the next event. Returns what it has ended.
    pub(crate) fn take(&mut self, event: &Event) -> Option<Busy> {
        let Some(Subject::Stream(handle)) = event.subject else { return None };
        self.last = self.last.max(event.until());
        let mut number = |handle: u64| {
            let next = self.numbers.len();
            *self.numbers.entry(handle).or_insert(next)
        };
        let stream = number(handle);
        event.awaited().map(number);
        // Earlier events than that of a kernel's time may have been dropped.
        let Of::Operation(operation, _) = event.of else { return None };
        if operation == Operation::Synchronize {
            return self.open.remove(&handle).map(|busy| Busy { until: event.until(), ..busy });
        }
        let new = || {
            let kernels = BTreeMap::new();
            Busy { stream, from: event.from, until: event.from, launches: 0, kernels, others: 0 }
        };
        let busy = self.open.entry(handle).or_insert_with(new);
        if operation == Operation::Launch {
            busy.launches += 1;
            *busy.kernels.entry(event.kernel).or_default() += 1;
        } else {
            busy.others += 1;
        }
        None
    }

    /// The number of the stream that an event is about, and that of the one for which it waits.
    pub(crate) fn numbers_of(&self, event: &Event) -> [Option<usize>; 2] {
        let Some(Subject::Stream(handle)) = event.subject else { return [None; 2] };
        [Some(handle), event.awaited()].map(|handle| self.numbers.get(&handle?).copied())
    }

    /// What nobody has waited for: it may have been busy until the last event of any stream, at least.
    pub(crate) fn rest(&mut self) -> Vec<Busy> {
        let until = self.last;
        std::mem::take(&mut self.open).into_values().map(|busy| Busy { until, ..busy }).collect()
    }

    /// How many there are.
    pub(crate) fn number(&self) -> usize {
        self.numbers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Way;

    #[test]
    fn a_stream_is_busy_from_the_first_call_until_it_was_waited_for() {
        let mut streams = Streams::default();
        let mut take = |operation, handle, from, ns| {
            let (of, subject) = (Of::Operation(operation, Way::None), Some(Subject::Stream(handle)));
            streams.take(&Event { of, track: 0, from, ns, bytes: 0, pe: None, kernel: 3, subject })
        };
        use Operation::{Launch, StreamWait, Synchronize};
        assert_eq!(take(Synchronize, 7, 10, 5), None, "nothing was enqueued");
        assert_eq!([take(Launch, 7, 20, 5), take(StreamWait, 7, 26, 1), take(Launch, 9, 30, 5)], [None, None, None]);
        let kernels = BTreeMap::from([(3, 1)]);
        let busy = Busy { stream: 0, from: 20, until: 50, launches: 1, kernels: kernels.clone(), others: 1 };
        assert_eq!(take(Synchronize, 7, 40, 10), Some(busy));
        let busy = Busy { stream: 1, from: 30, until: 61, launches: 1, kernels: kernels.clone(), others: 0 };
        assert_eq!([take(Synchronize, 7, 55, 1), take(Synchronize, 9, 60, 1)], [None, Some(busy)]);
        assert_eq!([take(Launch, 9, 70, 5), take(Launch, 7, 80, 5)], [None, None]);
        let busy = |stream, from| Busy { stream, from, until: 85, launches: 1, kernels: kernels.clone(), others: 0 };
        assert_eq!(streams.rest(), [busy(0, 80), busy(1, 70)]);
        assert_eq!(streams.rest(), []);
    }

    /// Catches kernels on the track of another stream because their launches were dropped.
    #[test]
    fn a_kernel_is_on_its_stream() {
        let mut streams = Streams::default();
        let of = |of, handle| {
            let subject = Some(Subject::Stream(handle));
            Event { of, track: 0, from: 10, ns: 5, bytes: 0, pe: None, kernel: 0, subject }
        };
        streams.take(&of(Of::Operation(Operation::Launch, Way::None), 7));
        let kernel = of(Of::Kernel, 9);
        assert_eq!((streams.take(&kernel), streams.numbers_of(&kernel)[0], streams.number()), (None, Some(1), 2));
        assert_eq!(streams.rest().len(), 1);
    }
}
