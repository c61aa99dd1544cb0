//! Who copies for a single thread of a kernel that does not wait for the copy: the thread itself, or the command
//! processor of its GPU, to which it leaves a command.

use crate::cost::{Costs, Figure};
use crate::thread::{CopyBy, ThreadCopy, at};
use std::fmt;

impl Costs {
    /// The cost of a copy by a single thread of a kernel, and the figure's origin.
    pub fn thread_copy(&self, copy: ThreadCopy, by: CopyBy) -> &Figure {
        &self.threads[at(copy, by)]
    }

    /// The least bytes from which the command processor completes the copy no later than the thread itself would, or
    /// the largest number if it does not for long copies. The number is never 0.
    pub fn least_for_processor(&self, copy: ThreadCopy) -> u32 {
        let [thread, processor] = [CopyBy::Thread, CopyBy::Processor].map(|by| self.thread_copy(copy, by).cost);
        let saved_per_byte = 1.0 / thread.bytes_per_ns() - 1.0 / processor.bytes_per_ns();
        if saved_per_byte <= 0.0 {
            return u32::MAX;
        }
        // As a conversion of numbers does: one that is too large becomes the largest.
        ((processor.start_ns() - thread.start_ns()) / saved_per_byte).ceil().max(1.0) as u32
    }

    /// Says from which sizes on the command processor copies, and why.
    pub fn processor_in_words(&self) -> String {
        let of = |names: &str, copy| {
            let told = |by| Told(self.thread_copy(copy, by));
            let (thread, processor) = (told(CopyBy::Thread), told(CopyBy::Processor));
            let least = match self.least_for_processor(copy) {
                u32::MAX => format!("no {names}"),
                least => format!("{names} of at least {least} bytes"),
            };
            format!("{least} (a thread: {thread}; the processor: {processor})")
        };
        let (puts, gets) = (of("put_nbi and put_signal_nbi", ThreadCopy::Put), of("get_nbi", ThreadCopy::Get));
        format!("{puts}, and {gets}")
    }
}

struct Told<'a>(&'a Figure);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure { cost, source } = self.0;
        write!(f, "{:.0} ns and {:.2} GB/s, {source}", cost.start_ns(), cost.bytes_per_ns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::THREAD_COPIES;
    use crate::{GpuLink, Measured};

    fn least(lines: &str) -> [u32; 2] {
        let mut costs = Costs::shipped(GpuLink::NvLink);
        Measured::parse("FILE", &format!("{}\n{lines}", crate::COSTS_HEAD)).expect("costs").apply(&mut costs);
        [ThreadCopy::Put, ThreadCopy::Get].map(|copy| costs.least_for_processor(copy))
    }

    /// Catches a size that is not the one where the lines meet, puts and gets that are mixed up, and a file that is
    /// not used.
    #[test]
    fn the_size_is_where_the_lines_meet() {
        let all = "thread-put any any 500 500 0.5\nprocessor-put any any 1000 2000 1\n";
        let [put, _] = least(all);
        // 1000 + 2 n = 3000 + n.
        assert_eq!(put, 2000);
        let [same_put, get] = least(&format!("{all}thread-get any any 0 0 0.1\nprocessor-get any any 0 901 1 by hand"));
        assert_eq!((same_put, get), (2000, 101), "10 n = 901 + n, rounded up");
    }

    /// Catches a processor that is asked for nothing, for all sizes or none where the lines do not meet, and a number
    /// that does not fit.
    #[test]
    fn lines_that_do_not_meet() {
        let of = |thread: &str, processor: &str| {
            least(&format!("thread-put any any {thread}\nprocessor-put any any {processor}"))[0]
        };
        assert_eq!(of("1000 0 1", "10 0 2"), 1, "always");
        assert_eq!(of("1000 0 1", "1000 0 2"), 1, "always, but not for no bytes");
        assert_eq!(of("10 0 2", "1000 0 1"), u32::MAX, "never");
        assert_eq!(of("1000 0 2", "10 0 1"), u32::MAX, "only for short ones");
        assert_eq!(of("10 0 1", "10 0 1"), u32::MAX, "nothing is gained");
        assert_eq!(of("0 0 1", "1e15 0 2"), u32::MAX, "beyond the number");
    }

    /// Catches shipped figures that leave a copy to the processor too early or too late for `shmem-tune`, which asks
    /// for it from 4 KiB on.
    #[test]
    fn the_shipped_sizes_are_within_reason() {
        assert!(least("").iter().all(|bytes| (128..=4096).contains(bytes)), "{:?}", least(""));
    }

    #[test]
    fn the_words_name_the_sizes_and_the_sources() {
        let mut costs = Costs::shipped(GpuLink::NvLink);
        let lines = "thread-put any any 500 500 0.5 measured here\nprocessor-put any any 1000 2000 1\n\
                     thread-get any any 0 1 2 so\nprocessor-get any any 0 1 2 and so";
        Measured::parse("FILE", &format!("{}\n{lines}", crate::COSTS_HEAD)).expect("costs").apply(&mut costs);
        assert_eq!(
            costs.processor_in_words(),
            "put_nbi and put_signal_nbi of at least 2000 bytes (a thread: 1000 ns and 0.50 GB/s, measured here; the \
             processor: 3000 ns and 1.00 GB/s, a file without a source), and no get_nbi (a thread: 1 ns and 2.00 GB/s, so; \
             the processor: 1 ns and 2.00 GB/s, and so)"
        );
        let places = THREAD_COPIES.map(|(word, copy, by)| (word, copy.word(by)));
        assert!(places.iter().all(|(word, found)| word == found), "{places:?}");
    }
}
