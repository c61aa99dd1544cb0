//! Sets of CPUs, in Linux's list notation.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The largest CPU number that is accepted.
const MAX_CPU: u32 = 65_535;

/// A set of CPUs (hardware threads), with Linux's numbers. It reads and writes the notation `0-3,8`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuSet(BTreeSet<u32>);

impl CpuSet {
    /// Returns the numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }

    /// Returns how many CPUs are in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: u32) -> bool {
        self.0.contains(&cpu)
    }

    /// Returns the CPUs that are in both sets.
    pub fn intersection(&self, other: &CpuSet) -> CpuSet {
        CpuSet(self.0.intersection(&other.0).copied().collect())
    }

    /// Whether the sets have no CPU in common.
    pub fn is_disjoint(&self, other: &CpuSet) -> bool {
        self.0.is_disjoint(&other.0)
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> Self {
        CpuSet(cpus.into_iter().collect())
    }
}

impl FromStr for CpuSet {
    type Err = String;

    fn from_str(text: &str) -> Result<CpuSet, String> {
        let mut cpus = BTreeSet::new();
        for part in text.trim().split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
                (Ok(first), Ok(last)) if first <= last && last <= MAX_CPU => cpus.extend(first..=last),
                _ => return Err(format!("'{part}' is not a CPU or a range of CPUs up to {MAX_CPU}")),
            }
        }
        Ok(CpuSet(cpus))
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = cpus.next() {
            let mut last = first;
            while cpus.peek() == Some(&(last + 1)) {
                last += 1;
                cpus.next();
            }
            match last - first {
                0 => write!(f, "{separator}{first}")?,
                _ => write!(f, "{separator}{first}-{last}")?,
            }
            separator = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_notation_reads_and_writes() {
        for text in ["", "0", "0-3", "0-3,8", "1,3,5-6"] {
            assert_eq!(text.parse::<CpuSet>().unwrap().to_string(), text);
        }
        assert_eq!("2,0,1,1\n".parse::<CpuSet>().unwrap().to_string(), "0-2");
    }

    #[test]
    fn sets_share_cpus_or_not() {
        let [a, b, c] = ["0-3", "3-5", "4,6"].map(|text| text.parse::<CpuSet>().unwrap());
        assert_eq!(a.intersection(&b).to_string(), "3");
        assert!(!a.is_disjoint(&b) && a.is_disjoint(&c) && a.intersection(&c).is_empty());
    }

    #[test]
    fn nonsense_is_named() {
        for text in ["x", "3-1", "1-", "-", "0-99999999", "1;2"] {
            assert!(text.parse::<CpuSet>().unwrap_err().contains("is not a CPU"), "{text}");
        }
    }
}
