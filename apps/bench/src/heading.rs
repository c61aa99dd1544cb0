//! The heading above the curves: what was measured, where and when.

use cushmem::Shmem;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The lines above the curves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// What was measured.
    pub title: String,
    /// CPU and GPU.
    pub machine: String,
    /// The day, in UTC, and the version of the library.
    pub date: String,
}

impl Heading {
    /// For a run on this machine now.
    pub fn new(measured: &str, shmem: &Shmem) -> Self {
        let gpu = shmem.gpu().map_or("no GPU", |gpu| &gpu.name);
        let cpu = cpu(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self {
            title: format!("shmem-bench: {measured}, {} PEs", shmem.n_pes()),
            machine: format!("{cpu}; {gpu}"),
            date: format!("{}, cushmem {}", day(now), env!("CARGO_PKG_VERSION")),
        }
    }
}

/// Model and number of hardware threads, from the text of `/proc/cpuinfo`. This process may use fewer, because the
/// launcher binds PEs.
fn cpu(cpuinfo: &str) -> String {
    let values =
        |name: &'static str| cpuinfo.lines().filter_map(move |l| l.strip_prefix(name)?.trim_start().strip_prefix(':'));
    let model = values("model name").next().map_or(std::env::consts::ARCH, str::trim);
    format!("{model}, {} hardware threads", values("processor").count())
}

/// The date of a second since 1970, in UTC.
fn day(seconds: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut day, mut year, mut month) = (seconds / 86_400, 1970, 0);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [0, 951_782_400, 1_735_689_599, 1_735_689_600, 4_107_542_400].map(day);
        assert_eq!(days, ["1970-01-01", "2000-02-29", "2024-12-31", "2025-01-01", "2100-03-01"]);
    }

    #[test]
    fn the_machine_is_named_by_its_cpu() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC 9B14\nflags\t: fpu\n\nprocessor\t: 1\nmodel name\t: AMD EPYC 9B14\n";
        assert_eq!(cpu(text), "AMD EPYC 9B14, 2 hardware threads");
        assert_eq!(cpu("processor: 0\n"), format!("{}, 1 hardware threads", std::env::consts::ARCH));
    }
}
